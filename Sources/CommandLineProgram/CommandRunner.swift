import ArgumentParser
import Foundation

/// Runs the command that the arguments name, and finds the exit code.
package struct CommandRunner: Sendable {
    private let name: String
    private let covered: @Sendable (String) -> String
    private let reason: @Sendable (any Error) -> String
    private let status: @Sendable (any Error) -> ExitStatus

    /// - Parameters:
    ///   - name: the program's name, before its errors.
    ///   - covered: returns a message without its secrets.
    ///   - reason: an error in words.
    ///   - status: the exit code of an error.
    package init(
        name: String, covered: @escaping @Sendable (String) -> String = { $0 },
        reason: @escaping @Sendable (any Error) -> String = { "\($0)" },
        status: @escaping @Sendable (any Error) -> ExitStatus
    ) {
        self.name = name
        self.covered = covered
        self.reason = reason
        self.status = status
    }

    /// Parses the arguments and runs the command. Prints an error on stderr; help goes to stdout.
    ///
    /// - Returns: the exit code.
    package func run<Root: ParsableCommand>(_ root: Root.Type) async -> Int32 {
        Descriptor.prepareStandardStreams()
        do {
            var command = try root.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch {
            return report(error, of: root)
        }
    }

    private func report<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Int32 {
        let parserCode = root.exitCode(for: error)
        if parserCode == .validationFailure || parserCode == .success || error is CleanExit {
            let text = covered(root.fullMessage(for: error))
            if parserCode == .success {
                if !text.isEmpty { Output.line(text) }
                return 0
            }
            Terminal.print(text)
            return ExitStatus.usage.rawValue
        }
        if let code = error as? ExitCode { return code.rawValue }
        let status = status(error)
        if status != .brokenPipe { Terminal.print("\(name): \(covered(reason(error)))") }
        return status.rawValue
    }
}
