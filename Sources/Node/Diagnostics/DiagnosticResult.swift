import Capture

/// The result of one check: one line of `spotter doctor`.
public struct DiagnosticResult: Encodable, Sendable, Equatable {
    /// The verdict on the subject.
    public enum State: String, Encodable, Sendable {
        case good
        /// It works now, but something should be done.
        case warning
        case bad
        /// The machine does not report it, or the check could not run.
        case unknown
    }

    /// What was checked, such as `broker`.
    public let subject: String
    /// The verdict.
    public let state: State
    /// What was found, with secrets redacted.
    public let text: String
    /// What to do about it; `nil` where nothing is to be done.
    public let advice: String?

    static func good(_ subject: String, _ text: String) -> DiagnosticResult {
        DiagnosticResult(subject: subject, state: .good, text: Redaction.covered(in: text), advice: nil)
    }

    static func bad(_ subject: String, _ text: String, advice: String) -> DiagnosticResult {
        DiagnosticResult(
            subject: subject, state: .bad, text: Redaction.covered(in: text), advice: Redaction.covered(in: advice))
    }

    static func warning(_ subject: String, _ text: String, advice: String) -> DiagnosticResult {
        DiagnosticResult(
            subject: subject, state: .warning, text: Redaction.covered(in: text), advice: Redaction.covered(in: advice))
    }

    static func unknown(_ subject: String, _ text: String, advice: String? = nil) -> DiagnosticResult {
        DiagnosticResult(subject: subject, state: .unknown, text: Redaction.covered(in: text), advice: advice)
    }

    /// Splits an error's message: Spotter's errors state the problem and, after a semicolon or colon, the remedy.
    static func bad(_ subject: String, _ error: any Error) -> DiagnosticResult {
        let words = "\(error)"
        guard let end = words.lastIndex(of: ";") ?? words.lastIndex(of: ":") else {
            return bad(subject, words, advice: "see: spotter \(subject) --help")
        }
        let advice = words[words.index(after: end)...].drop { $0 == " " }
        return bad(subject, String(words[..<end]), advice: String(advice))
    }
}
