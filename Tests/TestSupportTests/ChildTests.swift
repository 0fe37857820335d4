import CTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// The one way in which tests start programs, and the check of descriptors.
@Suite struct ChildTests {
    @Test func `output, messages and status of a program arrive`() throws {
        let child = try Child("sh", ["-c", "echo one; echo two >&2; exit 3"])
        #expect(child.wait() == 3 && !child.isRunning)
        #expect(child.output.whole() == "one\n" && child.messages.whole() == "two\n")
    }

    @Test func `lines are there while the program runs, and a signal is 128 and its number`() throws {
        let child = try Child("sh", ["-c", "echo ready; exec sleep 600"], messages: .nothing)
        while child.output.lines.isEmpty { usleep(1000) }
        #expect(child.output.lines == ["ready"] && child.isRunning && child.wait(within: 0.01) == nil)
        child.terminate()
        #expect(child.wait() == 128 + SIGTERM)
        // It has no process id any more: this reaches nobody.
        child.send(SIGKILL)
        child.kill()
        #expect(child.status == 128 + SIGTERM)
    }

    @Test func `folder, environment, input and files are the program's own`() throws {
        let folder = try TemporaryFolder()
        try Data("from a file".utf8).write(to: folder.file("input"))
        let script = "cat; pwd; echo $ROOM; ls /proc/self/fd | wc -l"
        let child = try Child(
            "/bin/sh", ["-c", script], in: folder.url, environment: ["ROOM": "gym", "PATH": "/usr/bin:/bin"],
            input: .file(folder.file("input")), output: .file(folder.file("output")))
        #expect(child.wait() == 0, "\(child.messages.whole())")
        let lines = try String(contentsOf: folder.file("output"), encoding: .utf8).split(separator: "\n")
        // Input, output, errors, and the folder that ls reads.
        #expect(lines.dropFirst() == ["gym", "4"] && lines[0].hasPrefix("from a file"), "\(lines)")
        #expect(lines[0].hasSuffix(folder.url.lastPathComponent))
    }

    @Test func `a program with an open input waits for it`() throws {
        let child = try Child("cat", input: .open)
        #expect(child.wait(within: 0.05) == nil)
    }

    @Test func `no signal is blocked or ignored in a program`() throws {
        let text = try Child("cat", ["/proc/self/status"]).wholeOutput()
        for name in ["SigBlk", "SigIgn"] {
            let mask = text.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: "\t").last
            // The C library keeps two numbers above these for itself.
            #expect(try #require(UInt64(mask ?? "", radix: 16)) & 0x7FFF_FFFF == 0, "\(text)")
        }
    }

    @Test func `a program that does not exist is an error`() {
        #expect(throws: POSIXError(.ENOENT)) { try Child("no-such-program") }
    }

    @Test func `a program and what it started end with the value`() throws {
        var child: Child? = try Child("sh", ["-c", "sleep 600 & echo $!; wait"])
        while child?.output.lines.isEmpty == true { usleep(1000) }
        let inner = try #require(child?.output.lines.first.flatMap { pid_t($0) })
        let output = try #require(child?.output)
        child = nil
        // Nobody can write any more.
        _ = output.whole()
        #expect(Self.ends(inner))
    }

    /// Whether a process ends within five seconds. It closes its files a moment before it is gone.
    private static func ends(_ process: pid_t) -> Bool {
        for _ in 0..<1000 {
            if !FileManager.default.fileExists(atPath: "/proc/\(process)/stat") || isZombie(process) { return true }
            usleep(5000)
        }
        return false
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func `a program ends at the latest with the process of the tests`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
                let child = try Child("sleep", ["600"])
                print("child \(child.id) runs")
                withExtendedLifetime(child) { exit(0) }
            })
        let text = String(decoding: result.standardOutputContent, as: UTF8.self)
        let id = try #require(text.firstMatch(of: /child (\d+) runs/).flatMap { pid_t($0.1) })
        #expect(Self.ends(id))
    }

    @Test(.enabled(if: test_checks_descriptors() != 0, "the sanitizers have their own close"))
    func `a descriptor that is closed twice ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let descriptor = open("/dev/null", O_RDONLY)
            close(descriptor)
            close(descriptor)
        }
    }
}
