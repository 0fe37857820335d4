import Actions
import Configuration
import Foundation
import History
import Messaging
import TOMLSettings

/// Chooses the node's classifier: the configured one, unless a command chose another. The choice survives a restart.
///
/// The choice is among the model files of ``folders``. Each is known by the name inside the file, or by that of the file
/// where two share one.
package struct ModelChoice: Sendable {
    let configuration: Configuration
    let store: Store

    /// A choice among the models beside the configured one, kept in a store.
    package init(configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// Where the models lie that were trained on this node: beside the database, since the folder of the configured model
    /// belongs to the package and cannot be written.
    package var trainedFolder: URL {
        URL(filePath: store.path).deletingLastPathComponent().appending(path: "trained")
    }

    /// Where models lie: beside the configured one, in the folder `models` beside the database for those that people
    /// bring, and where this node trains.
    package var folders: [URL] { Self.folders(configuration, database: store.path) }

    /// Where the models of a node with this database lie.
    package static func folders(_ configuration: Configuration, database: String) -> [URL] {
        let state = URL(filePath: database).deletingLastPathComponent()
        return [
            URL(filePath: configuration.recognition.model).deletingLastPathComponent(), state.appending(path: "models"),
            state.appending(path: "trained"),
        ]
    }

    /// The name of the model that a command chose, which is in use after the next start; `nil` for none.
    ///
    /// - Throws: `HistoryError`.
    package func chosen() throws -> String? { try store.value(of: .model).flatMap { $0.isEmpty ? nil : $0 } }

    /// The chosen classifier; the configured one when none was chosen or the chosen one is missing.
    ///
    /// - Parameter configured: the configured classifier.
    /// - Returns: the classifier, and a warning if the chosen one cannot be used.
    package func classifier(_ configured: ActionClassifier) throws -> (classifier: ActionClassifier, trouble: String?) {
        guard let chosen = try chosen(), chosen != configured.description.name else {
            return (configured, nil)
        }
        guard let found = known()[chosen] else {
            return (configured, "the model '\(chosen)' that a command chose is gone; using the configured one")
        }
        return (found.classifier, nil)
    }

    /// Stores the choice, which takes effect at the next start.
    ///
    /// - Throws: `CommandError`, `HistoryError`; the choice is then unchanged.
    package func choose(_ name: String) throws {
        let names = known().keys.sorted()
        let same = names.filter { NearestName.areSame($0, name) }
        guard let found = names.first(where: { $0 == name }) ?? (same.count == 1 ? same[0] : nil) else {
            let nearest = NearestName.of(name, among: names).map { ": did you mean '\($0)'?" } ?? ";"
            let known = names.joined(separator: ", ")
            throw CommandError(.unknownModel, "this node has no model '\(name)'\(nearest) known: \(known)")
        }
        try store.write(found, as: .model)
    }

    /// The valid models in all folders, by the name that chooses each; see ``names(of:)``. Files that cannot be read are
    /// skipped (`try?`); `spotter models verify` reports why.
    package func known() -> [String: (file: URL, classifier: ActionClassifier)] {
        let own = URL(filePath: configuration.recognition.model)
        let others = folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".safetensors") }.sorted().map { folder.appending(path: $0) }
        }
        let models = ([own] + others).compactMap { file in
            (try? configuration.classifier(at: file)).map { (file: file, classifier: $0) }
        }
        let names = Self.names(of: models.map { ($0.file, $0.classifier.description.name, $0.classifier.digest) })
        return Dictionary(
            zip(names, models).compactMap { name, model in name.map { ($0, model) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The names by which models are chosen: that in the file, and where an earlier one has it, that of the file.
    ///
    /// - Parameter models: the files with the names in them and their digests; the configured one first.
    /// - Returns: a name for each; `nil` for one that is the same as an earlier one, or whose names are both taken.
    package static func names(of models: [(file: URL, name: String, digest: String)]) -> [String?] {
        var names = [String?](repeating: nil, count: models.count)
        var (taken, digests): (Set<String>, Set<String>) = ([], [])
        var rest: [Int] = []
        for (index, model) in models.enumerated() where digests.insert(model.digest).inserted {
            if taken.insert(model.name).inserted { names[index] = model.name } else { rest.append(index) }
        }
        for index in rest {
            let name = models[index].file.deletingPathExtension().lastPathComponent
            if taken.insert(name).inserted { names[index] = name }
        }
        return names
    }
}
