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

    /// Splits an error's message: Spotter's errors state the problem and, after a semicolon or a colon, the remedy.
    package static func bad(_ subject: String, _ error: any Error) -> DiagnosticResult {
        let words = "\(error)"
        guard let end = end(ofProblemIn: words) else {
            return bad(subject, words, advice: "see: spotter \(subject) --help")
        }
        let advice = words[words.index(after: end)...].drop { $0 == " " }
        return bad(subject, String(words[..<end]), advice: String(advice))
    }

    /// The first semicolon, else the last colon, before a blank. Those in brackets and quotes part nothing.
    private static func end(ofProblemIn words: String) -> String.Index? {
        var (semicolon, colon): (String.Index?, String.Index?)
        var depth = 0
        var quote: Character?
        var before: Character = " "
        for place in words.indices {
            let sign = words[place]
            let after = words[words.index(after: place)...].first ?? " "
            defer { before = sign }
            if sign == quote {
                if sign == "\"" || !after.isLetter { quote = nil }
            } else if quote != nil {
                continue
            } else if sign == "\"" || sign == "'" {
                // In `machine's` it is no quote.
                if !before.isLetter { quote = sign }
            } else if "([".contains(sign) {
                depth += 1
            } else if ")]".contains(sign) {
                depth -= 1
            } else if depth == 0, after == " " {
                if sign == ";" { semicolon = semicolon ?? place }
                if sign == ":" { colon = place }
            }
        }
        let isOpen = depth != 0 || quote != nil
        return semicolon ?? colon ?? (isOpen ? words.firstRange(of: "; ")?.lowerBound : nil)
    }
}
