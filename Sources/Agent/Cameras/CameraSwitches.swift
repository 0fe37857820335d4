import Foundation
import History
import Messaging
import Synchronization

/// Which cameras are switched on: as configured, unless a command said otherwise, which outlives the process.
package final class CameraSwitches: Sendable {
    private let configured: [String: Bool]
    private let store: Store
    /// Only what differs from the configuration.
    private let overrides: Mutex<[String: Bool]>
    /// Held from reading the switches until the new ones are on disk and count, so that no change overtakes another.
    /// Readers do not wait for it.
    private let change = Mutex(())

    package init(_ cameras: [Configuration.Camera], store: Store) throws {
        self.store = store
        configured = Dictionary(cameras.map { ($0.id, $0.enabled) }, uniquingKeysWith: { first, _ in first })
        let note = try store.value(of: .cameraSwitches)
        let known = note.flatMap { try? JSONDecoder().decode([String: Bool].self, from: Data($0.utf8)) } ?? [:]
        let configured = configured
        overrides = Mutex(known.filter { configured[$0.key] == !$0.value })
    }

    package func isOn(_ camera: String) -> Bool { overrides.withLock { $0[camera] } ?? configured[camera] ?? false }

    /// Whether a command said something else than the configuration.
    func isOverridden(_ camera: String) -> Bool { overrides.withLock { $0[camera] != nil } }

    /// Returns when the switch is on disk.
    ///
    /// - Throws: `HistoryError`; the switch is then as it was.
    package func set(_ camera: String, _ isOn: Bool) throws {
        try change.withLock { _ in
            var new = overrides.withLock { $0 }
            new[camera] = isOn == configured[camera] ? nil : isOn
            try store.write(JSONText.encode(new), as: .cameraSwitches)
            overrides.withLock { $0 = new }
        }
    }
}
