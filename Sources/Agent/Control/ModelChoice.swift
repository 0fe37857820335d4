import Actions
import Foundation
import History
import Messaging

/// Which classifier the node uses: the configured one, unless a command chose another, which outlives the process.
///
/// There is a choice among the model files beside the configured one; each is known by the name it carries.
struct ModelChoice: Sendable {
    let configuration: Configuration
    let store: Store

    /// The chosen classifier, or the configured one where none was chosen or the chosen one is gone.
    ///
    /// - Parameter configured: the configuration's own.
    /// - Returns: why the chosen one cannot be used, if so.
    func classifier(_ configured: ActionClassifier) throws -> (classifier: ActionClassifier, trouble: String?) {
        guard let chosen = try store.value(of: .model), !chosen.isEmpty, chosen != configured.description.name else {
            return (configured, nil)
        }
        guard let found = known()[chosen] else {
            return (configured, "the model '\(chosen)' that a command chose is gone; using the configured one")
        }
        return (found, nil)
    }

    /// Chooses; the node has to begin anew for it.
    ///
    /// - Throws: `CommandError`, `HistoryError`; the choice is then as it was.
    func choose(_ name: String) throws {
        let known = known()
        guard known[name] != nil else {
            let names = known.keys.sorted().joined(separator: ", ")
            throw CommandError(.unknownModel, "no model '\(name)' beside the configured one; known: \(names)")
        }
        try store.write(name, as: .model)
    }

    /// The sound models beside the configured one, which comes first where two carry one name. A file that cannot be
    /// read is no choice (`try?`); `spotter models verify` says why.
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
