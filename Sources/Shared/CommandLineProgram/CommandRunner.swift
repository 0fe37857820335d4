import ArgumentParser
import Foundation

/// Runs the command that the arguments name, and finds the exit code.
package struct CommandRunner: Sendable {
    private let name: String
    private let covered: @Sendable (String) -> String
    private let reason: @Sendable (any Error) -> String
    private let status: @Sendable (any Error) -> ExitStatus
    private let nearest: @Sendable (String, [String]) -> String?

    /// - Parameters:
    ///   - name: the program's name, before its errors.
    ///   - covered: returns a message without its secrets.
    ///   - reason: an error in words.
    ///   - nearest: of some names, the one that is most like a mistyped one.
    ///   - status: the exit code of an error.
    package init(
        name: String, covered: @escaping @Sendable (String) -> String = { $0 },
        reason: @escaping @Sendable (any Error) -> String = { "\($0)" },
        nearest: @escaping @Sendable (String, [String]) -> String? = { _, _ in nil },
        status: @escaping @Sendable (any Error) -> ExitStatus
    ) {
        self.name = name
        self.covered = covered
        self.reason = reason
        self.status = status
        self.nearest = nearest
    }

    /// Parses the arguments and runs the command. Prints an error on stderr; help goes to stdout.
    ///
    /// - Returns: the exit code.
    package func run<Root: ParsableCommand>(_ root: Root.Type) async -> Int32 {
        Descriptor.prepareStandardStreams()
        do {
            try await run(root.parseAsRoot())
            return ExitStatus.done.rawValue
        } catch {
            return report(error, of: root)
        }
    }

    private func run(_ parsed: any ParsableCommand) async throws {
        do {
            var command = parsed
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // The command line was well formed, so its summary explains nothing.
            Terminal.print("\(name): \(covered(error.message))")
            throw ExitCode(ExitStatus.usage.rawValue)
        }
    }

    /// What a mistyped command was meant to be; `nil` where no command is mistyped.
    private func commandHint(_ root: any ParsableCommand.Type) -> String? {
        var command = root
        for word in CommandLine.arguments.dropFirst() {
            let commands = command.configuration.subcommands
            guard !word.hasPrefix("-"), !commands.isEmpty else { return nil }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                return nearest(word, commands.map { $0._commandName }).map { "Did you mean '\($0)'?" }
            }
            command = next
        }
        return nil
    }

    private func report<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Int32 {
        let parserCode = root.exitCode(for: error)
        if parserCode == .validationFailure || parserCode == .success || error is CleanExit {
            let text = covered(root.fullMessage(for: error))
            if parserCode == .success {
                let columns = Terminal.columns(of: STDOUT_FILENO)
                if !text.isEmpty { Output.line(text.withFoldedUsage(columns: columns)) }
                return 0
            }
            Terminal.print(text.withFoldedUsage(columns: Terminal.columns))
            if let hint = commandHint(root) { Terminal.print(hint) }
            return ExitStatus.usage.rawValue
        }
        if let code = error as? ExitCode { return code.rawValue }
        let status = status(error)
        if status != .brokenPipe { Terminal.print("\(name): \(covered(reason(error)))") }
        return status.rawValue
    }
}
