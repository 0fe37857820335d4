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
    public func classifier() throws -> ActionClassifier { try classifier(at: URL(filePath: recognition.model)) }

    /// Loads another model's classifier in the same way.
    func classifier(at path: URL) throws -> ActionClassifier {
        let file = try ModelFile(contentsOf: path)
        var thresholds = file.description.thresholds
        if recognition.minimumConfidence > 0 { thresholds.minimumConfidence = Float(recognition.minimumConfidence) }
        return ActionClassifier(file, thresholds: thresholds)
    }

    /// How the coach does the exercises of a model, from the configured folder.
    ///
    /// - Throws: `PoseStreamError`, `FormReferenceError`
    public func references(for model: ModelDescription) throws -> [String: FormReference] {
        guard !recognition.references.isEmpty else { return [:] }
        return try FormReference.all(
            in: URL(filePath: recognition.references), labels: model.countedLabels, bases: model.counting ?? [:])
    }

    /// How sources are opened for a classifier.
    public func sourceSettings(rateHz: Double, camera: Camera? = nil) -> PoseSource.Settings {
        var settings = PoseSource.Settings(poseModels: URL(filePath: recognition.poseModels))
        settings.rateHz = rateHz
        settings.estimation.maximumPeople = recognition.maximumPeople
        settings.estimation.detectionIntervalSeconds = recognition.detectionIntervalSeconds
        settings.estimation.threads = max(1, recognition.threads)
        settings.stride.maximumLoad = recognition.maximumLoad
        if let camera {
            settings.camera = V4L2Camera.Settings(
                widthPixels: camera.widthPixels, heightPixels: camera.heightPixels, rateHz: rateHz)
            settings.camera.controls = camera.controls
            if recognition.threads == 0 { settings.estimation.threads = Self.threads(cameras: cameras.count) }
        }
        return settings
    }

    /// The threads for each camera where the configuration leaves it open. One core is left to the camera, the broker and
    /// the system; more than three do not help a single frame, whose steps get too short to be divided.
    package static func threads(
        cameras: Int, cores: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Int {
        min(3, max(1, (cores - 1) / max(1, cameras)))
    }

    public var subjects: WindowGatherer.Subjects {
        WindowGatherer.Subjects(rawValue: recognition.subjects) ?? .prominent
    }
}

extension Configuration.Camera {
    public var controls: CameraControls {
        var controls = CameraControls()
        controls.exposure = exposureMilliseconds
        controls.gain = gain
        controls.whiteBalance = whiteBalanceKelvin
        controls.powerLine = CameraControls.PowerLine(rawValue: powerLine) ?? .keep
        controls.isStabilised = stabilise
        controls.orientation = Orientation(isMirrored: mirror, quarterTurns: rotate / 90)
        return controls
    }
}

extension Configuration {
    /// How the history is kept.
    public var historySettings: HistorySettings {
        HistorySettings(
            timeZone: TimeZone(identifier: node.timeZone) ?? .current, predictionDays: history.predictionDays,
            recordDays: history.recordDays, sessionDays: history.sessionDays,
            sessionIdle: .seconds(recognition.sessionIdleSeconds),
            maximumBytes: Int64(history.maximumMegabytes) << 20, nodeId: node.id.isEmpty ? nil : node.id)
    }

    /// Who to connect to and how; what a command line needs to look at the broker, too.
    public var mqttSettings: MQTTSettings { mqttSettings(environment: ProcessInfo.processInfo.environment) }

    /// - Parameter environment: where the service manager says which folder holds the credentials it loaded.
    func mqttSettings(environment: [String: String]) -> MQTTSettings {
        let optional = { (text: String) in text.isEmpty ? nil : text }
        let tls = MQTTSettings.TLS(
            caFile: mqtt.caFile == "system" ? nil : optional(mqtt.caFile),
            certificateFile: optional(mqtt.certificateFile), keyFile: optional(mqtt.keyFile),
            serverName: optional(mqtt.tlsServerName))
        var settings = MQTTSettings(
            host: mqtt.host, port: mqtt.port, tls: mqtt.caFile.isEmpty ? nil : tls, username: optional(mqtt.user),
            passwordFile: optional(mqtt.passwordFile) ?? Self.credential("mqtt-password", environment),
            prefix: mqtt.prefix, site: node.site, node: optional(node.id),
            keepaliveSeconds: mqtt.keepaliveSeconds, live: mqtt.live)
        settings.keypoints = mqtt.keypoints
        settings.consumers = mqtt.consumers
        settings.log = mqtt.log
        settings.discovery = mqtt.discovery
        settings.remoteControl = commands.remoteControl
        if commands.allow != [Commands.usual] {
            let named = Set(commands.allow.compactMap(CommandName.init(rawValue:)))
            let usual = commands.allow.contains(Commands.usual) ? settings.usualCommands : []
            settings.allowedCommands = named.union(usual)
        }
        return settings
    }

    /// A secret that systemd loaded for this service (systemd.exec(5), LoadCredential); an empty one stands for none.
    private static func credential(_ name: String, _ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = folder + "/" + name
        guard let contents = FileManager.default.contents(atPath: path) else { return nil }
        return contents.contains { $0 != UInt8(ascii: "\n") } ? path : nil
    }

    /// The id the history made for this node, where one is there.
    public func storedNodeId() throws -> String? {
        guard FileManager.default.fileExists(atPath: history.path) else { return nil }
        let node = try HistoryQuery(path: history.path).summary().node
        return node.isEmpty ? nil : node
    }

    /// Identifies the settings in use: SHA-256 over every key and value, shortened.
    var digest: String {
        let keys = Self.keys.map { "\($0.name)=\($0.text(self))" }
        let cameras = cameras.flatMap { camera in Self.cameraKeys.map { "\($0.name)=\($0.text(camera))" } }
        return String(NeuralNet.SHA256.hex(of: Array((keys + cameras).joined(separator: "\n").utf8)).prefix(6))
    }
}
