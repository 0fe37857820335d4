import Actions
import Capture
import Foundation
import History
import Messaging
import NeuralNet
import Poses

/// How the configuration becomes what each room wants to know.
extension Configuration {
    /// Loads the classifier, with the configured threshold over its own.
    public func classifier() throws -> ActionClassifier {
        let file = try ModelFile(contentsOf: URL(filePath: recognition.model))
        var thresholds = file.description.thresholds
        if recognition.minimumConfidence > 0 { thresholds.minimumConfidence = Float(recognition.minimumConfidence) }
        return ActionClassifier(file, thresholds: thresholds)
    }

    /// How sources are opened for a classifier.
    public func sourceSettings(rateHz: Double, camera: Camera? = nil) -> PeopleSource.Settings {
        var settings = PeopleSource.Settings(poseModels: URL(filePath: recognition.poseModels))
        settings.rateHz = rateHz
        settings.estimation.maximumPeople = recognition.maximumPeople
        settings.estimation.detectionIntervalSeconds = recognition.detectionIntervalSeconds
        settings.estimation.threads = recognition.threads
        settings.stride.maximumLoad = recognition.maximumLoad
        if let camera {
            settings.camera = V4L2Camera.Settings(
                widthPixels: camera.widthPixels, heightPixels: camera.heightPixels, rateHz: rateHz)
        }
        return settings
    }

    public var subjects: WindowGatherer.Subjects {
        WindowGatherer.Subjects(rawValue: recognition.subjects) ?? .prominent
    }
}

extension Configuration {
    var historySettings: HistorySettings {
        HistorySettings(
            timeZone: TimeZone(identifier: node.timeZone) ?? .current, predictionDays: history.predictionDays,
            recordDays: history.recordDays, maximumBytes: Int64(history.maximumMegabytes) << 20,
            nodeId: node.id.isEmpty ? nil : node.id)
    }

    var mqttSettings: MQTTSettings {
        let optional = { (text: String) in text.isEmpty ? nil : text }
        let tls = MQTTSettings.TLS(
            caFile: mqtt.caFile == "system" ? nil : optional(mqtt.caFile),
            certificateFile: optional(mqtt.certificateFile), keyFile: optional(mqtt.keyFile))
        return MQTTSettings(
            host: mqtt.host, port: mqtt.port, tls: mqtt.caFile.isEmpty ? nil : tls, username: optional(mqtt.user),
            passwordFile: optional(mqtt.passwordFile), prefix: mqtt.prefix, site: node.site, node: optional(node.id),
            keepaliveSeconds: mqtt.keepaliveSeconds, live: mqtt.live)
    }

    /// Identifies the settings in use: SHA-256 over every key and value, shortened.
    var digest: String {
        let keys = Self.keys.map { "\($0.name)=\($0.text(self))" }
        let cameras = cameras.flatMap { camera in Self.cameraKeys.map { "\($0.name)=\($0.text(camera))" } }
        return String(NeuralNet.SHA256.hex(of: Array((keys + cameras).joined(separator: "\n").utf8)).prefix(6))
    }
}
