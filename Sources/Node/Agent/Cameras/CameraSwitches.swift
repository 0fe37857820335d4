import Configuration
import Foundation
import History
import Messaging
import Records
import Synchronization

/// Which cameras are switched on: as configured, unless a command said otherwise. Overrides survive a restart.
package final class CameraSwitches: Sendable {
    private let configured: [String: Bool]
    private let store: Store
    /// Only switches that differ from the configuration.
    private let overrides: Mutex<[String: Bool]>
    /// Held from reading the switches until the new ones are on disk and in force, so that no change overwrites
    /// another. Readers do not wait for it.
    private let change = Mutex(())

    /// Reads the stored overrides; drops those that agree with the configuration.
    ///
    /// - Throws: `HistoryError`.
    package init(_ cameras: [Configuration.Camera], store: Store) throws {
        self.store = store
        configured = Dictionary(cameras.map { ($0.id, $0.enabled) }, uniquingKeysWith: { first, _ in first })
        let stored = try store.value(of: .cameraSwitches)
        let known = stored.flatMap { try? JSONDecoder().decode([String: Bool].self, from: Data($0.utf8)) } ?? [:]
        let configured = configured
        overrides = Mutex(known.filter { configured[$0.key] == !$0.value })
    }

    /// Whether a camera is switched on; `false` for an unknown camera.
    package func isOn(_ camera: String) -> Bool { overrides.withLock { $0[camera] } ?? configured[camera] ?? false }

    /// Whether a command overrides the configuration.
    package func isOverridden(_ camera: String) -> Bool { overrides.withLock { $0[camera] != nil } }

    /// Switches a camera and returns when that is on disk.
    ///
    /// - Throws: `HistoryError`; the switch is then unchanged.
    package func set(_ camera: String, _ isOn: Bool) throws {
        try change.withLock { _ in
            var new = overrides.withLock { $0 }
            new[camera] = isOn == configured[camera] ? nil : isOn
            try store.write(JSONText.encode(new), as: .cameraSwitches)
            overrides.withLock { $0 = new }
        }
    }
}
