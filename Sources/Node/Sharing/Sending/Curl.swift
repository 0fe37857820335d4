import Capture
import Foundation
import Records

/// Sends requests with curl, which runs as a child process: it speaks TLS with the system's certificates, and a node
/// that shares nothing does not load it.
///
/// Addresses and secrets go through its standard input, so the process list does not show them. It follows no
/// redirection.
package struct Curl: Sendable {
    /// How long a request may take before curl is ended, seconds.
    package static let patienceSeconds = 20.0
    private static let mostBytes = 64 << 10

    private let program: String
    private let patienceSeconds: Double
    private let cancellation: Cancellation

    /// - Parameters:
    ///   - cancellation: ends a request that is under way.
    ///   - program: for tests.
    package init(
        cancellation: Cancellation = Cancellation(), patienceSeconds: Double = Self.patienceSeconds,
        program: String = "curl"
    ) {
        (self.cancellation, self.patienceSeconds, self.program) = (cancellation, patienceSeconds, program)
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Throws: ``SendingFailure`` when no server answered.
    package func send(_ request: HTTPRequest) throws(SendingFailure) -> HTTPAnswer {
        let deadline = ContinuousClock.now + .seconds(patienceSeconds + 2)
        let child: ChildProcess
        do {
            child = try ChildProcess(
                program, ["--disable", "--config", "-"], input: .written, limit: .until(deadline))
        } catch {
            throw SendingFailure("the program \(program) cannot be started: install it with `apt install curl`")
        }
        do {
            let output = try cancellation.whileWaiting(for: child) {
                _ = Array(configuration(request).utf8).withUnsafeBytes { child.write($0) }
                child.closeInput()
                return child.readAll(limit: Self.mostBytes)
            }
            child.kill(ifStillReading: output.count >= Self.mostBytes)
            return try Self.answer(output, child)
        } catch let failure as SendingFailure {
            throw failure
        } catch {
            throw SendingFailure("the node stops; it is sent after the next start")
        }
    }

    /// The request as lines of curl's configuration. Texts stand in quotes with escapes.
    private func configuration(_ request: HTTPRequest) -> String {
        func quoted(_ text: String) -> String {
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
                .replacing("\r", with: "\\r").replacing("\t", with: "\\t")
            return "\"\(escaped)\""
        }
        var lines = [
            "url = \(quoted(request.url))", "request = \(quoted(request.method))", "silent", "show-error", "globoff",
            "proto = \"=http,https\"", "max-time = \(patienceSeconds)", "max-filesize = \(Self.mostBytes)",
            "user-agent = \(quoted("Spotter/" + Version.text))", "write-out = \"\\n%{http_code}\"",
        ]
        lines += request.headers.map { "header = \(quoted("\($0.name): \($0.value)"))" }
        // Without it curl waits a second for a "100 Continue" before a long content.
        lines.append("header = \"Expect:\"")
        if let body = request.body { lines.append("data-raw = \(quoted(body))") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func answer(_ output: [UInt8], _ child: ChildProcess) throws(SendingFailure) -> HTTPAnswer {
        let (status, complaint) = child.wait()
        let text = String(decoding: output, as: UTF8.self)
        let end = text.lastIndex { $0.isNewline }
        guard status == 0, let end, let code = Int(text[text.index(after: end)...]), code > 0 else {
            let reason = child.wasLate ? "it did not answer in time" : complaint.isEmpty ? "no answer" : complaint
            throw SendingFailure("the receiver was not reached (\(reason)): check the address and the network")
        }
        return HTTPAnswer(status: code, body: String(text[..<end]))
    }
}

extension ChildProcess {
    /// Ends a program whose whole output is not wanted.
    fileprivate func kill(ifStillReading isCut: Bool) { if isCut { kill() } }
}
