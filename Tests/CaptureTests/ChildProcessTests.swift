import Capture
import Foundation
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    /// Whether a process exists and is not a zombie.
    private func lives(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...].first { $0 != " " } != "Z"
    }

    @Test func `a program's own children end with it`() async throws {
        let shell = try ChildProcess("sh", ["-c", "sleep 1000 & echo $!; wait"])
        var line = [UInt8](repeating: 0, count: 32)
        let count = shell.read(into: &line, count: line.count)
        let text = String(decoding: line[..<count], as: UTF8.self).trimmingCharacters(in: .newlines)
        let grandchild = try #require(pid_t(text))
        #expect(lives(grandchild))
        shell.kill()
        #expect(shell.wait().status == 137)
        #expect(try await eventually { !lives(grandchild) })
    }

    @Test func `a program inherits no open file, so that a closed connection is closed`() throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let program = try ChildProcess("ls", ["/proc/self/fd"])
        let text = String(decoding: program.readAll(limit: 4096), as: UTF8.self)
        // The fourth is the folder that it lists.
        #expect(text.split(separator: "\n").count == 4, "\(text)")
    }

    @Test func `an interrupted program can end in its own way`() throws {
        let shell = try ChildProcess("bash", ["-c", "trap 'exit 7' INT; echo ready; while true; do sleep 0.05; done"])
        var line = [UInt8](repeating: 0, count: 32)
        #expect(shell.read(into: &line, count: line.count) > 0)
        shell.interrupt()
        #expect(shell.wait().status == 7)
        shell.interrupt()
    }

    @Test func `a program can be interrupted although this one ignores interrupts, as in the background of a script`()
        throws
    {
        let before = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, before) }
        let shell = try ChildProcess("bash", ["-c", "echo ready; exec sleep 100"])
        var line = [UInt8](repeating: 0, count: 32)
        #expect(shell.read(into: &line, count: line.count) > 0)
        shell.interrupt()
        #expect(shell.wait().status == 128 + SIGINT)
    }

    @Test func `a program can be killed while somebody waits for its end`() async throws {
        // Longer than the whole suite takes on a busy machine.
        let program = try ChildProcess("sleep", ["100000"])
        let (beginning, begun) = AsyncStream.makeStream(of: Void.self)
        let status = Task {
            try await onThread {
                begun.finish()
                return program.wait().status
            }
        }
        // The task may not be waiting yet; it must end in either case.
        for await _ in beginning {}
        program.kill()
        #expect(try await status.value == 137)
    }

    @Test func `stderr never fills, and its last line is kept`() throws {
        let program = try ChildProcess("sh", ["-c", "head -c 3000000 /dev/zero >&2; echo >&2; echo over >&2; exit 3"])
        #expect(program.wait() == (3, "over"))
    }

    @Test func `an address is passed on standard input and not in an argument`() throws {
        let program = try ChildProcess("cat", [], input: .text("rtsp://u:p@h/"))
        #expect(String(decoding: program.readAll(limit: 100), as: UTF8.self) == "rtsp://u:p@h/")
        #expect(throws: CaptureError.self) {
            try ChildProcess("cat", [], input: .text(String(repeating: "x", count: 4097)))
        }
    }

    @Test func `a program may end before it has read its input`() throws {
        for _ in 0..<20 { #expect(try ChildProcess("true", [], input: .text("rtsp://u:p@h/")).wait().status == 0) }
    }

    @Test func `with SIGPIPE ignored, writing to a program that has ended is an error`() throws {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let program = try ChildProcess("true", [], input: .written)
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        #expect(!bytes.withUnsafeBytes { program.write($0) })
        #expect(program.wait().status == 0)
    }

    @Test func `a silent program is ended in time`() throws {
        let silent = try ChildProcess("sleep", ["1000"], limit: .silence(seconds: 1))
        #expect(silent.readAll(limit: 1).isEmpty && silent.wasLate)
        let talking = try ChildProcess(
            "sh", ["-c", "while true; do echo x; sleep 0.1; done"], limit: .until(.now + .seconds(1)))
        #expect(!talking.readAll(limit: 1 << 20).isEmpty && talking.wasLate)
    }

    @Test func `a program's processor time can be read while it runs`() async throws {
        let program = try ChildProcess("sh", ["-c", "while :; do :; done"])
        #expect(try await eventually { program.processorSeconds > 0.05 })
        program.kill()
        _ = program.wait()
        #expect(program.processorSeconds == 0)
    }
}
