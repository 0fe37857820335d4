import Capture
import Foundation
import TOMLSettings

extension Configuration {
    /// Replaces the cameras. A camera whose id or source is configured already keeps its other settings.
    ///
    /// - Parameters:
    ///   - words: a number of `devices`, counted from 1, or `[id=]source`.
    ///   - devices: the sources of the machine's cameras.
    /// - Returns: what is wrong with a word; `nil` if nothing is.
    package mutating func setCameras(_ words: [String], from devices: [String] = []) -> String? {
        var cameras: [Camera] = []
        for word in words {
            let named = word.wholeMatch(of: /([a-z0-9][a-z0-9_-]*)=(.+)/)
            var source = named.map { String($0.2) } ?? word
            if let number = Int(source) {
                guard devices.indices.contains(number - 1) else { return "\(number) is not in the list" }
                source = devices[number - 1]
            } else if source.isEmpty {
                return "needs a source, such as /dev/video0"
            } else if !source.contains("://"), !source.hasPrefix("/") {
                source = URL(filePath: source).path
            }
            let known = self.cameras.first { camera in
                named.map { $0.1 == camera.id } ?? (camera.source == source)
            }
            var camera = known ?? Camera()
            let id = named.map { String($0.1) } ?? known?.id ?? Camera.unused(among: cameras + self.cameras).id
            if known == nil { camera.name = Self.cameraName(of: id) }
            for (key, value) in [("camera.id", id), ("camera.source", source)] {
                if let reason = camera.set(key, to: value) { return "'\(Redaction.covered(in: word))' \(reason)" }
            }
            guard !cameras.contains(where: { $0.id == id }) else { return "'\(id)' is named twice" }
            cameras.append(camera)
        }
        self.cameras = cameras
        return nil
    }

    /// A name for people, made of an id: `rack-1` becomes `Rack 1`.
    private static func cameraName(of id: String) -> String {
        let words = id.replacing("-", with: " ").replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Sets host and port.
    ///
    /// - Returns: what is wrong with the words; `nil` if nothing is.
    package mutating func setBroker(_ words: String) -> String? {
        guard words != "none" else {
            mqtt.enabled = false
            return nil
        }
        guard let parts = words.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[^:\s\/@]+)(?::([0-9]{1,5}))?/) else {
            return "is written as a host such as hub.local, or with a port: hub.local:8883"
        }
        mqtt.enabled = true
        let host = parts.1.hasPrefix("[") ? String(parts.1.dropFirst().dropLast()) : String(parts.1)
        if let reason = set("mqtt.host", to: host) { return reason }
        return parts.2.flatMap { set("mqtt.port", to: String($0)) }
    }
}

extension Configuration.Camera {
    /// A camera with the defaults, and an id that none of these has.
    package static func unused(among cameras: [Configuration.Camera]) -> Configuration.Camera {
        var camera = Configuration.Camera()
        var number = 1
        while cameras.contains(where: { $0.id == "camera\(number)" }) { number += 1 }
        (camera.id, camera.name) = ("camera\(number)", "Camera \(number)")
        return camera
    }
}
