import Capture
import Foundation

/// Hands a mail to the program sendmail, which mail servers and relays such as msmtp bring along.
struct Sendmail: Sendable {
    private let patienceSeconds: Double
    private let cancellation: Cancellation

    init(cancellation: Cancellation, patienceSeconds: Double) {
        (self.cancellation, self.patienceSeconds) = (cancellation, patienceSeconds)
    }

    /// Hands over a mail of plain text. The receiver stands in the mail itself (`sendmail -t`).
    ///
    /// - Throws: ``SendingFailure`` when the program is missing, does not take the mail or takes too long.
    func send(subject: String, text: String, to receiver: String, by program: String) throws(SendingFailure) {
        let child: ChildProcess
        do {
            child = try ChildProcess(
                program, ["-t", "-i"], input: .written, limit: .until(.now + .seconds(patienceSeconds)))
        } catch {
            throw SendingFailure(
                "the program \(program) cannot be started: install a mail relay such as msmtp-mta, or correct sendmail")
        }
        do {
            try cancellation.whileWaiting(for: child) {
                _ = Array(Self.mail(subject, text, to: receiver).utf8).withUnsafeBytes { child.write($0) }
                child.closeInput()
                _ = child.readAll(limit: 64 << 10)
            }
        } catch {
            throw SendingFailure("the node stops; it is sent after the next start")
        }
        let (status, complaint) = child.wait()
        guard status == 0 else {
            let reason = child.wasLate ? "it took too long" : complaint.isEmpty ? "exit code \(status)" : complaint
            throw SendingFailure("\(program) did not take the mail (\(reason)): try it by hand, and look at its log")
        }
    }

    /// The mail (RFC 5322). Its subject is encoded as RFC 2047 says where it is not ASCII.
    private static func mail(_ subject: String, _ text: String, to receiver: String) -> String {
        let line = subject.replacing("\r", with: " ").replacing("\n", with: " ")
        let isPlain = line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        let encoded = isPlain ? line : "=?utf-8?B?\(Data(line.utf8).base64EncodedString())?="
        return """
            To: \(receiver)
            Subject: \(encoded)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit
            Auto-Submitted: auto-generated

            \(text)

            """
    }
}
