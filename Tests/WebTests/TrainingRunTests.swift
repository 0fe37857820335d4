import Foundation
import Logging
import TestSupport
import Testing
import Web

/// With a script in the place of `spotter`.
@Suite struct TrainingRunTests {
    private let folder: TemporaryFolder
    private var models: URL { folder.file("trained") }

    init() throws { folder = try TemporaryFolder() }

    /// A training whose child runs a script; `$4` is the file to write.
    private func run(_ script: String) throws -> TrainingRun {
        let file = folder.file("spotter.sh")
        try Data(script.utf8).write(to: file)
        return TrainingRun(
            folder: models, clips: folder.file("clips"), program: ["/bin/bash", file.path],
            logger: Logger(label: "test"))
    }

    private func eventually(_ isTrue: () -> Bool) async throws -> Bool {
        for _ in 0..<3000 {
            if isTrue() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return isTrue()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: models.path).filter { !$0.hasSuffix(".json") }
    }

    /// The script's output is what `spotter train --progress json` prints.
    private static let good = """
        echo '{"event":"reading","done":2,"clips":2}'
        echo '{"event":"rejected","clip":"squat/anna/1","reason":"it is too short"}'
        echo '{"event":"progress","epoch":1,"epochs":2,"end_of_epoch":false,"loss":0.9,\
        "training_accuracy":0.5,"seconds_left":9}'
        echo '{"event":"progress","epoch":1,"epochs":2,"end_of_epoch":true,"loss":0.7,"training_accuracy":0.8,\
        "validation":{"accuracy":0.7,"recall":0.6,"best":true},"seconds_left":4}'
        echo 'not JSON' ; echo '{"event":"from a newer version"}'
        echo '{"event":"evaluation","of":"new","model":"mine"}'
        echo model > "$4"
        echo "$@" > "$4.arguments"
        echo '{"event":"done","output":"x","training_clips":9,"validation_clips":2,"stopped":false}'
        """

    @Test func `a training tells its course, and its model gets the name at the end`() async throws {
        let run = try run(Self.good)
        try run.start("mine", from: ("shipped", folder.file("shipped.safetensors")), known: ["shipped"])
        #expect(try await eventually { !run.isRunning })
        let status = run.status
        #expect(status.state == .done && status.message == nil && status.from == "shipped")
        #expect(status.reading?.clips == 2 && status.rejected.map(\.reason) == ["it is too short"])
        #expect(status.curve.map(\.loss) == [0.7] && status.curve[0].validation?.best == true)
        #expect(status.trainingClips == 9 && status.evaluations.count == 1)
        #expect(try Set(names()) == ["mine.safetensors", "mine.part.arguments"])
        let arguments = try String(contentsOf: models.appending(path: "mine.part.arguments"), encoding: .utf8)
        #expect(
            arguments.contains("--name mine --force --progress json --validation 0.3 --from")
                && arguments.hasPrefix("train "))
        // A page after a restart of the node.
        #expect(try self.run("").status.curve.count == 1)
    }

    @Test func `clips are filmed again where that was asked for`() async throws {
        let run = try run(
            """
            echo '{"event":"share","stage":"Judging, 1 of 1","share":0.25,"seconds_left":90}'
            echo "$@" > "$5.arguments"
            echo model > "$5"
            """)
        try run.start("wide", from: ("shipped", folder.file("shipped.safetensors")), isTaught: true, known: ["shipped"])
        #expect(try await eventually { !run.isRunning })
        #expect(run.status.state == .done && run.status.share == 0.25)
        let arguments = try String(contentsOf: models.appending(path: "wide.part.arguments"), encoding: .utf8)
        #expect(arguments.hasPrefix("teach --kept \(folder.file("clips").path) -o ") && arguments.contains(" --from "))
        #expect(!arguments.contains("--validation"))
    }

    @Test(arguments: ["", "../x", "X", "a b", ".x", "1st", "x.safetensors", String(repeating: "a", count: 41)])
    func `a name that is no plain word is refused`(name: String) throws {
        let run = try run(Self.good)
        #expect(throws: (any Error).self) { try run.start(name, from: nil, known: []) }
        #expect(!run.isRunning)
    }

    @Test func `a model is never replaced`() async throws {
        let run = try run(Self.good)
        #expect(throws: (any Error).self) { try run.start("known", from: nil, known: ["known"]) }
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        let old = models.appending(path: "old.safetensors")
        try Data("old".utf8).write(to: old)
        #expect(throws: (any Error).self) { try run.start("old", from: nil, known: []) }
        // A file that appears during the training stays, too.
        let late = try self.run("echo theirs > \"${4%.part}.safetensors\"; echo mine > \"$4\"")
        try late.start("late", from: nil, known: [])
        #expect(try await eventually { !late.isRunning })
        #expect(late.status.state == .failed && late.status.message?.contains("late") == true)
        let text = try String(contentsOf: models.appending(path: "late.safetensors"), encoding: .utf8)
        #expect(text == "theirs\n" && !FileManager.default.fileExists(atPath: models.appending(path: "late.part").path))
    }

    @Test func `a model that is not ready has a name of its own, until one is ready`() async throws {
        func train(_ text: String, isReady: Bool) async throws -> TrainingStatus {
            let verdict = #"{"is_ready":\#(isReady),"reasons":["too few"],"warnings":[],"next":["record more"]}"#
            let run = try run(
                """
                echo \(text) > "$4"
                echo '{"event":"done","training_clips":9,"own_clips":2,"validation_clips":2,"verdict":\(verdict)}'
                """)
            try run.start("mine", from: nil, known: [])
            #expect(try await eventually { !run.isRunning })
            return run.status
        }
        let first = try await train("first", isReady: false)
        #expect(first.state == .done && first.model == "mine-not-ready" && first.message == nil)
        #expect(first.ownClips == 2 && first.verdict?.reasons == ["too few"])
        let second = try await train("second", isReady: false)
        #expect(second.state == .done, "\(second.message ?? "")")
        #expect(try names() == ["mine-not-ready.safetensors"])
        #expect(
            try String(contentsOf: models.appending(path: "mine-not-ready.safetensors"), encoding: .utf8) == "second\n")
        let third = try await train("third", isReady: true)
        #expect(third.model == "mine" && third.verdict?.isReady == true)
        #expect(try names() == ["mine.safetensors"])
        #expect(throws: (any Error).self) { try run("").start("x-not-ready", from: nil, known: []) }
    }

    @Test func `stopping sends Ctrl-C, and the model so far is kept`() async throws {
        let run = try run(
            """
            trap 'echo best > "$4"; exit 0' INT
            echo '{"event":"reading","done":1,"clips":1}'
            while true; do sleep 0.05; done
            """)
        #expect(throws: (any Error).self) { try run.stop() }
        try run.start("mine", from: nil, known: [])
        #expect(try await eventually { run.status.reading != nil })
        #expect(throws: (any Error).self) { try run.start("another", from: nil, known: []) }
        try run.stop()
        try run.stop()
        #expect(try await eventually { !run.isRunning })
        #expect(run.status.state == .done && run.status.model == "mine")
        #expect(try names() == ["mine.safetensors"])
    }

    @Test func `a failure is told in the program's own words`() async throws {
        let run = try run("echo 'spotter: a classifier needs two labels; add one' >&2; echo half > \"$4\"; exit 1")
        try run.start("mine", from: nil, known: [])
        #expect(try await eventually { !run.isRunning })
        #expect(run.status.state == .failed && run.status.message == "a classifier needs two labels; add one")
        #expect(try names().isEmpty)
    }

    @Test func `the node's end ends the training, and no other begins`() async throws {
        let run = try run("echo '{\"event\":\"reading\",\"done\":1,\"clips\":1}'; trap '' INT TERM; sleep 600")
        try run.start("mine", from: nil, known: [])
        #expect(try await eventually { run.status.reading != nil })
        run.shutDown()
        #expect(try await eventually { !run.isRunning })
        #expect(run.status.message?.contains("node stopped") == true)
        #expect(throws: (any Error).self) { try run.start("another", from: nil, known: []) }
    }
}
