import CommandLineProgram
import Foundation

/// Questions on stderr, each with the answer that Enter gives. Answers come from stdin.
struct Questions {
    /// Stdin ended before the last question was answered.
    struct NoAnswer: Error, CustomStringConvertible {
        let description = "no answer came, so nothing was changed; to take the proposed values use: spotter setup --yes"
    }

    /// `false` gives every question its usual answer.
    let areAsked: Bool

    /// Asks until `problem` finds none.
    ///
    /// - Parameters:
    ///   - shown: the usual answer as it is shown, where that differs.
    ///   - problem: what is wrong with an answer; `nil` for a good one.
    /// - Throws: ``NoAnswer``.
    func text(
        _ question: String, usual: String, shown: String? = nil, problem: (String) -> String? = { _ in nil }
    ) throws -> String {
        guard areAsked else { return usual }
        while true {
            Terminal.ask("\(question) [\(shown ?? usual)]: ")
            guard let line = readLine() else {
                Terminal.print("")
                throw NoAnswer()
            }
            let words = line.trimmingCharacters(in: .whitespaces)
            let answer = words.isEmpty ? usual : words
            guard let reason = problem(answer) else { return answer }
            Terminal.print("  \(reason)")
        }
    }

    /// A question for yes or no.
    ///
    /// - Throws: ``NoAnswer``.
    func yes(_ question: String, usual: Bool) throws -> Bool {
        let answers = ["y": true, "yes": true, "n": false, "no": false]
        let answer = try text(question, usual: usual ? "y" : "n", shown: usual ? "Y/n" : "y/N") {
            answers[$0.lowercased()] == nil ? "Answer y or n." : nil
        }
        return answers[answer.lowercased()] ?? usual
    }

    /// A question whose answer is not shown on a terminal.
    ///
    /// - Throws: ``NoAnswer``.
    func secret(_ question: String) throws -> String {
        let answer: String?
        if isatty(STDIN_FILENO) == 1 {
            answer = getpass("\(question): ").map { String(cString: $0) }
        } else {
            Terminal.print("\(question):")
            answer = readLine()
        }
        guard let answer else { throw NoAnswer() }
        return answer
    }
}
