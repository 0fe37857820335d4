import Foundation
import TestSupport
import Testing

/// Standard output and standard error that are full, closed, or not read.
@Suite struct OutputTests {
    private let folder: TemporaryFolder
    private let stream: String
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        let file = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_45").writePoseStream(to: file)
        stream = file.path
        database = folder.file("spotter.db").path
    }

    /// A command line of the program, as a shell runs it.
    private func shell(_ line: String) throws -> Program.Result {
        try Program.shell(
            line, environment: ["SPOTTER": Program.executable.path, "STREAM": stream, "DB": database])
    }

    private func record() throws {
        let run = try shell("$SPOTTER run --source $STREAM --database $DB --no-mqtt --quiet")
        #expect(run.status == 0, "\(run.messages)")
    }

    @Test(arguments: ["2>/dev/full", "2>&-", "2>/dev/full >&-", ">&- 2>&- <&-"])
    func `a node whose log cannot be written continues and stores everything`(redirection: String) throws {
        let run = try shell("$SPOTTER run --source $STREAM --database $DB --no-mqtt \(redirection)")
        #expect(run.status == 0, "\(run.status)")
        let rows = try Program.sqlite(database, "SELECT frames FROM day_action WHERE label = 'squat'")
        #expect(Int(rows.first ?? "") ?? 0 >= 240, "\(rows)")
        #expect(try Program.sqlite(database, "PRAGMA integrity_check") == ["ok"])
    }

    @Test func `a node whose log nobody reads continues`() throws {
        // The pipe is full before the node starts, and stays full.
        let run = try shell(
            """
            coproc NOBODY { exec sleep 600; }
            timeout 2 head -c 200000 /dev/zero >&"${NOBODY[1]}"
            $SPOTTER run --source $STREAM --database $DB --no-mqtt 2>&"${NOBODY[1]}"
            code=$?
            kill $NOBODY_PID
            exit $code
            """)
        #expect(run.status == 0, "\(run.status)")
    }

    @Test(arguments: [
        "classify $STREAM --json", "classify $STREAM", "history --database $DB", "history --database $DB --json",
        "history sessions --database $DB --csv", "history days --database $DB --chart", "export --database $DB",
        "export --database $DB --format json", "contract", "models list", "config show", "config schema", "--help",
        "--version", "poses $STREAM", "poses $STREAM -o -", "export --database $DB -o -", "workout form",
        "db check --database $DB", "count --action squat $STREAM",
    ])
    func `failing to write output is an error, except when the reader has closed the pipe`(
        command: String
    ) throws {
        try record()
        let full = try shell("$SPOTTER \(command) >/dev/full")
        #expect(full.status == 74, "\(full.status): \(full.messages)")
        #expect(full.messages.contains("No space left on device"), "\(full.messages)")
        let closed = try shell("$SPOTTER \(command) >&-")
        #expect(closed.status == 74, "\(closed.status): \(closed.messages)")
        // The reader closes the pipe before the first byte.
        let gate = folder.file("gate").path
        let pipe = try shell(
            "set -o pipefail; touch \(gate); (while [ -e \(gate) ]; do sleep 0.05; done; exec $SPOTTER \(command)) "
                + "| { exec <&-; rm \(gate); }")
        #expect(pipe.status == 141, "\(pipe.status): \(pipe.messages)")
        #expect(pipe.messages.isEmpty, "\(pipe.messages)")
    }

    @Test func `external text cannot inject terminal escapes or spreadsheet formulas`() throws {
        try record()
        let evil = "\u{1B}]52;c;ZXZpbA==\u{7}=cmd|' /C calc'!A0\u{9B}2J\nnext"
        try Program.tool(
            "sqlite3",
            [
                database,
                """
                UPDATE session_action SET label = '\(evil.replacing("'", with: "''"))';
                UPDATE day_action SET label = '\(evil.replacing("'", with: "''"))';
                UPDATE day_camera SET camera = '=1+1'; UPDATE session SET camera = '@SUM(1)';
                """,
            ])
        for command in ["history", "history sessions", "history days", "history --chart", "history --csv", "export"] {
            let answer = try shell("$SPOTTER \(command) --database $DB")
            #expect(answer.status == 0, "\(command): \(answer.messages)")
            let controls = answer.output.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value)
            }
            #expect(controls.isEmpty, "\(command): \(answer.output.debugDescription)")
        }
        let csv = try shell("$SPOTTER history sessions --csv --database $DB").output
        #expect(csv.contains("'@SUM(1)") && !csv.contains(",@SUM"), "\(csv)")
        let folder = self.folder.file("csv").path
        #expect(try shell("$SPOTTER export --format csv -o \(folder) --database $DB").status == 0)
        let days = try String(contentsOfFile: folder + "/days.csv", encoding: .utf8)
        #expect(days.contains("'=1+1"), "\(days)")
    }
}
