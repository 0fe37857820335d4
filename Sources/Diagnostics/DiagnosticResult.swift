import Capture

/// One line of `spotter doctor`.
public struct DiagnosticResult: Encodable, Sendable, Equatable {
    public enum State: String, Encodable, Sendable {
        case good
        case bad
        /// The machine does not tell, or it could not be tried.
        case unknown
    }

    /// What was looked at.
    public let subject: String
    public let state: State
    public let text: String
    /// What to do about it.
    public let advice: String?

    static func good(_ subject: String, _ text: String) -> DiagnosticResult {
        DiagnosticResult(subject: subject, state: .good, text: Redaction.covered(in: text), advice: nil)
    }

    static func bad(_ subject: String, _ text: String, advice: String) -> DiagnosticResult {
        DiagnosticResult(
            subject: subject, state: .bad, text: Redaction.covered(in: text), advice: Redaction.covered(in: advice))
    }

    static func unknown(_ subject: String, _ text: String, advice: String? = nil) -> DiagnosticResult {
        DiagnosticResult(subject: subject, state: .unknown, text: Redaction.covered(in: text), advice: advice)
    }

    /// Our errors say what is wrong and, after a semicolon or colon, what to do.
    static func bad(_ subject: String, _ error: any Error) -> DiagnosticResult {
        let words = "\(error)"
        guard let end = words.lastIndex(of: ";") ?? words.lastIndex(of: ":") else {
            return bad(subject, words, advice: "see: spotter \(subject) --help")
        }
        let advice = words[words.index(after: end)...].drop { $0 == " " }
        return bad(subject, String(words[..<end]), advice: String(advice))
    }
}
