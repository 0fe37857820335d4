import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Sharing
import TOMLSettings

/// Sends a message to recipients at once, and says what came back.
enum Trial {
    /// Whom to try.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Argument(help: "The recipient; all of them without it.")
        var name: String?

        @Flag(help: "Print JSON instead of lines.")
        var json = false
    }

    /// A recipient did not take the message.
    struct NotTaken: Error, CustomStringConvertible {
        let description: String
    }

    /// There is no recipient to try.
    struct Nobody: Error, CustomStringConvertible {
        let description: String
    }

    private struct Row: Encodable {
        let name, kind: String
        let taken: Bool
        let answer: String
    }

    /// The recipients to try.
    ///
    /// - Throws: ``KnownName/Unknown``, or ``Nobody`` without any.
    static func chosen(_ recipients: [Recipient], _ name: String?, kind: String) throws -> [Recipient] {
        guard !recipients.isEmpty else {
            throw Nobody(description: "there is no [[\(kind)]] in the configuration: add one, and try again")
        }
        guard let name else { return recipients }
        let known = try KnownName.resolve(name, kind: kind, among: recipients.map(\.name))
        return recipients.filter { $0.name == known }
    }

    /// How this node is named: by its configuration or its history.
    static func node(of configuration: Configuration) throws -> SendingNode {
        let id = configuration.node.id
        return configuration.sendingNode(id: id.isEmpty ? try configuration.storedNodeId() ?? "spotter" : id)
    }

    /// Sends to each and prints what came back.
    ///
    /// - Throws: ``NotTaken`` when one did not take it.
    static func run(
        _ recipients: [Recipient], _ message: Message, of configuration: Configuration, json: Bool
    ) throws {
        let sender = Sender(words: configuration.words, zone: try configuration.timeZone())
        var rows: [Row] = []
        for recipient in recipients {
            let row: Row
            do throws(SendingFailure) {
                let answer = try sender.test(message, to: recipient)
                row = Row(name: recipient.name, kind: recipient.kind.rawValue, taken: true, answer: answer)
            } catch {
                row = Row(
                    name: recipient.name, kind: recipient.kind.rawValue, taken: false, answer: error.description)
            }
            rows.append(row)
            if !json {
                Output.line("\(row.name) (\(row.kind)): \(row.taken ? "taken" : "not taken"): \(row.answer)")
                Output.flush()
            }
        }
        if json { try JSON.print(rows) }
        let refused = rows.filter { !$0.taken }.map(\.name)
        guard refused.isEmpty else {
            throw NotTaken(description: "not taken by \(refused.joined(separator: ", ")): see the reason above")
        }
    }
}
