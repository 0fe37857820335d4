import Foundation
import Records
import TOMLSettings

extension Configuration {
    /// Sets a key, as an environment variable would.
    ///
    /// - Parameter name: a dotted name, such as `mqtt.host`.
    /// - Returns: what was expected, such as "expects a number from 1 to 65535"; `nil` when the key was set.
    package mutating func set(_ name: String, to text: String) -> String? {
        guard let key = Self.keys.first(where: { $0.name == name }) else { return "is no key" }
        return key.refusal(of: text, in: &self)
    }
}

extension Configuration.Camera {
    /// Sets a key, as text in the file would.
    ///
    /// - Parameter name: a dotted name, such as `camera.source`.
    /// - Returns: what was expected; `nil` when the key was set.
    package mutating func set(_ name: String, to text: String) -> String? {
        guard let key = Configuration.cameraKeys.first(where: { $0.name == name }) else { return "is no key" }
        return key.refusal(of: text, in: &self)
    }

    /// The value of a key, as ``set(_:to:)`` takes it; empty for a name that is no key.
    package func setting(_ name: String) -> String {
        guard let written = Configuration.cameraKeys.first(where: { $0.name == name })?.text(self) else { return "" }
        // These values are written in TOML as in JSON.
        switch try? JSONDecoder().decode(JSONValue.self, from: Data(written.utf8)) {
        case .text(let text): return text
        case .list(let list): return list.compactMap(\.text).joined(separator: ",")
        default: return written
        }
    }
}

extension ConfigurationKey {
    fileprivate func refusal(of text: String, in root: inout Root) -> String? {
        do {
            try set(&root, .text(text))
            return nil
        } catch {
            return (error as? SettingRefusal)?.reason ?? "\(error)"
        }
    }
}
