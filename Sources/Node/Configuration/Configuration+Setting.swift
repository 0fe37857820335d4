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
