import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Messaging

extension Models {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the models of this node, or the model files of a folder.",
            discussion: """
                A node's models lie beside the configured one, in the folder models beside the
                database (for those of your own: /var/lib/spotter/models), and in the folder
                trained for those that it trained. The star marks the one in use.

                EXAMPLES
                  spotter models list
                  spotter models list my-models/ --json
                """)

        @Argument(help: "Only this folder.")
        var folder: String?

        @OptionGroup var options: Database.Options

        @Flag(help: "Print a JSON list.")
        var json = false

        private struct Row: Encodable {
            let file: String
            let folder: String
            let name: String?
            let labels: [String]?
            let created: String?
            let isInUse: Bool
            let error: String?

            enum CodingKeys: String, CodingKey {
                case file, folder, name, labels, created, error
                case isInUse = "in_use"
            }

            init(_ file: URL, _ model: Result<ModelFile, any Error>, name: String?, isInUse: Bool) {
                self.file = file.lastPathComponent
                folder = file.deletingLastPathComponent().path
                self.isInUse = isInUse
                switch model {
                case .success(let model):
                    self.name = name ?? model.description.name
                    (labels, created, error) = (model.description.labels, model.description.created, nil)
                case .failure(let reason):
                    (self.name, labels, created, error) = (nil, nil, nil, "\(reason)")
                }
            }
        }

        func run() throws {
            let configuration = try options.configurationFile.read()
            let database = try options.path()
            let used = URL(filePath: configuration.recognition.model).standardizedFileURL
            // A new node has no history yet, and so no choice.
            let hasHistory = FileManager.default.fileExists(atPath: database)
            let chosen = hasHistory ? try HistoryQuery(path: database).chosenModel() : nil
            let folders = folder.map { [URL(filePath: $0)] } ?? ModelChoice.folders(configuration, database: database)
            let files = try Self.files(in: folders, mustExist: folder != nil)
            // As a node knows them: the configured one first.
            let models = ([used] + files).map { file in (file: file, model: Result { try ModelFile(contentsOf: file) })
            }
            let readable = models.compactMap { file, model in
                (try? model.get()).map { (file: file, name: $0.description.name, digest: $0.digest) }
            }
            let names = Dictionary(
                zip(readable, ModelChoice.names(of: readable)).map { ($0.file.standardizedFileURL, $1) },
                uniquingKeysWith: { first, _ in first })
            let inUse = chosen.map { name in names.first { $0.value == name }?.key } ?? used
            let rows = models.dropFirst().map { file, model in
                Row(
                    file, model, name: names[file.standardizedFileURL] ?? nil,
                    isInUse: file.standardizedFileURL == inUse)
            }
            if json { return try JSON.print(rows) }
            var table = Table(["", "NAME", "CREATED", "LABELS", "FILE"])
            for row in rows {
                table.add([
                    row.isInUse ? "*" : "", row.name ?? "-", row.created.map { String($0.prefix(10)) } ?? "-",
                    row.labels.map { String($0.count) } ?? "-",
                    row.folder + "/" + row.file + (row.error.map { ": \($0)" } ?? ""),
                ])
            }
            table.print()
        }

        private static func files(in folders: [URL], mustExist: Bool) throws -> [URL] {
            var known: Set<String> = []
            return try folders.flatMap { folder -> [URL] in
                guard known.insert(folder.standardizedFileURL.path).inserted else { return [] }
                guard mustExist || FileManager.default.fileExists(atPath: folder.path) else { return [] }
                let names: [String]
                do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
                    throw FileProblem(
                        path: folder.relativePath, reason: "\(error.fileReason); name a folder of models",
                        isMissing: !FileManager.default.fileExists(atPath: folder.path))
                }
                return names.filter { $0.hasSuffix(".safetensors") }.sorted().map { folder.appending(path: $0) }
            }
        }
    }

    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switches this node to another of its models.",
            discussion: """
                Put a model of your own into the folder models beside the database, for the
                service into /var/lib/spotter/models. A running node restarts with it at once,
                another one at its next start. The choice is kept in the database.

                EXAMPLES
                  spotter models list
                  sudo install -D -m 644 my-gym.safetensors -t /var/lib/spotter/models
                  sudo -u spotter spotter models use my-gym
                """)

        @Argument(help: "The model's name, as `spotter models list` shows it.")
        var name: String

        @OptionGroup var options: Database.Options

        @Flag(help: "Print JSON instead of a sentence.")
        var json = false

        func run() throws {
            let database = try options.path()
            let isRunning = try use(database)
            if json { return try JSON.print(["model": name, "when": isRunning ? "now" : "next_start"]) }
            Output.line(
                isRunning
                    ? "The node restarts with the model '\(name)'."
                    : "The node will use the model '\(name)' when it starts.")
        }

        /// Tells the running node, or writes the choice where none runs. Returns whether one runs.
        private func use(_ database: String) throws -> Bool {
            if Store.hasNode(at: database) {
                do {
                    _ = try options.ask(.modelSet, ["id": name])
                    return true
                } catch RunningNode.Failure.noNode {}  // It has ended meanwhile.
            }
            do {
                try choose(database)
                return false
            } catch HistoryError.locked {
                // One has started meanwhile.
                _ = try options.ask(.modelSet, ["id": name])
                return true
            }
        }

        private func choose(_ database: String) throws {
            let configuration = try options.configurationFile.read()
            let store = try Store(path: database, settings: try options.settings())
            do {
                try ModelChoice(configuration: configuration, store: store).choose(name)
                try store.close()
            } catch let error as CommandError {
                try store.close()
                throw NodeRefusal(code: error.code.rawValue, description: error.message)
            }
        }
    }
}
