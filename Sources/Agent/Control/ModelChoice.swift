import Actions
import Configuration
import Foundation
import History
import Messaging

/// Chooses the node's classifier: the configured one, unless a command chose another. The choice survives a restart.
///
/// The choice is among the model files in the folder of the configured one. Each is known by the name inside the file.
package struct ModelChoice: Sendable {
    let configuration: Configuration
    let store: Store

    /// A choice among the models beside the configured one, kept in a store.
    package init(configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// The chosen classifier; the configured one when none was chosen or the chosen one is missing.
    ///
    /// - Parameter configured: the configured classifier.
    /// - Returns: the classifier, and a warning if the chosen one cannot be used.
    package func classifier(_ configured: ActionClassifier) throws -> (classifier: ActionClassifier, trouble: String?) {
        guard let chosen = try store.value(of: .model), !chosen.isEmpty, chosen != configured.description.name else {
            return (configured, nil)
        }
        guard let found = known()[chosen] else {
            return (configured, "the model '\(chosen)' that a command chose is gone; using the configured one")
        }
        return (found, nil)
    }

    /// Stores the choice, which takes effect at the next start.
    ///
    /// - Throws: `CommandError`, `HistoryError`; the choice is then unchanged.
    package func choose(_ name: String) throws {
        let known = known()
        guard known[name] != nil else {
            let names = known.keys.sorted().joined(separator: ", ")
            throw CommandError(.unknownModel, "no model '\(name)' beside the configured one; known: \(names)")
        }
        try store.write(name, as: .model)
    }

    /// The valid models in the folder, by name. The configured one wins when two files carry the same name. Files that
    /// cannot be read are skipped (`try?`); `spotter models verify` reports why.
    private func known() -> [String: ActionClassifier] {
        let own = URL(filePath: configuration.recognition.model)
        let folder = own.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let others = names.filter { $0.hasSuffix(".safetensors") }.sorted().map { folder.appending(path: $0) }
        var known: [String: ActionClassifier] = [:]
        for file in [own] + others {
            guard let classifier = try? configuration.classifier(at: file) else { continue }
            known[classifier.description.name] = known[classifier.description.name] ?? classifier
        }
        return known
    }
}
