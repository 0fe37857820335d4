import Foundation
import TestSupport
import Testing

/// What `make test` reads from the log of a process of tests.
@Suite struct OutcomeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The numbers of tests run and failed and the signal, and then the tests that did not end.
    private func outcome(_ log: String) throws -> (numbers: String, unfinished: [String]) {
        let file = folder.file("log")
        try Data(log.utf8).write(to: file)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../outcome.awk")
        let awk = try Child("awk", ["-f", script.path, file.path])
        try #require(awk.wait() == 0, "\(awk.messages.whole())")
        let lines = awk.output.whole().split(separator: "\n").map(String.init)
        return (lines.first ?? "", lines.dropFirst().sorted())
    }

    private let beginning = """
        ◇ Test run started.
        ◇ Suite RouteTests started.
        ◇ Test "a page is served" started.
        ◇ Test "limits are kept" started.
        ◇ Test "one name in two suites" started.
        ◇ Test "one name in two suites" started.
        ◇ Test "no test waits" started.
        ◇ Test case passing 1 argument text → "a
        b" to "limits are kept" started.
        ✔ Test "a page is served" passed after 0.001 seconds.
        ✔ Test "one name in two suites" passed after 0.020 seconds.
        some output ✘ Test "no test waits" failed after 12.5 seconds with 2 issues.

        """

    @Test func `a process that died by a signal names the tests that ran, and they have failed`() throws {
        let end = "error: Process 'swiftpm-testing-helper' exited with unexpected signal code 11\n"
        let (numbers, unfinished) = try outcome(beginning + end)
        #expect(numbers == "5 3 11")
        #expect(unfinished == ["\"limits are kept\"", "\"one name in two suites\""])
    }

    @Test func `a process that ended has its own count, and no unfinished test`() throws {
        let end = """
            ✔ Test "one name in two suites" passed after 0.020 seconds.
            ✔ Test "limits are kept" with 2 test cases passed after 0.030 seconds.
            ✘ Test run with 6 tests in 1 suite failed after 12.6 seconds with 2 issues.

            """
        let (numbers, unfinished) = try outcome(beginning + end)
        #expect(numbers == "6 1 0")
        #expect(unfinished.isEmpty)
    }

    @Test func `tests whose issues are known have passed`() throws {
        let end = """
            ✔ Test "one name in two suites" passed after 0.020 seconds.
            ━ Test "limits are kept" with 2 test cases passed after 0.030 seconds with 1 known issue.
            ━ Test run with 6 tests in 1 suite passed after 12.6 seconds with 1 known issue.

            """
        let (numbers, unfinished) = try outcome(beginning + end)
        #expect(numbers == "6 1 0")
        #expect(unfinished.isEmpty)
    }

    @Test func `an empty log has no test`() throws {
        let (numbers, unfinished) = try outcome("")
        #expect(numbers == "0 0 0" && unfinished.isEmpty)
    }
}
