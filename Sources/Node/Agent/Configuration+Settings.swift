import Broker
import Actions
import Capture
import Configuration
import Foundation
import Workouts
import History
import Messaging
import Poses
import Records

/// Converts the configuration to the settings of each target.
extension Configuration {
    /// Loads the configured classifier. A configured minimum confidence replaces the model's own, and configured exercises
    /// are all that it counts.
    ///
    /// - Throws: `ModelFileError`, `ModelError` or `SafeTensorsError`.
    public func classifier() throws -> ActionClassifier { try classifier(at: URL(filePath: recognition.model)) }

    /// Loads another model file in the same way.
    func classifier(at path: URL) throws -> ActionClassifier {
        let file = try ModelFile(contentsOf: path)
        var thresholds = file.description.thresholds
        if recognition.minimumConfidence > 0 { thresholds.minimumConfidence = Float(recognition.minimumConfidence) }
        guard !recognition.exercises.isEmpty else { return ActionClassifier(file, thresholds: thresholds) }
        return try ActionClassifier(file, thresholds: thresholds, exercises: recognition.exercises)
    }

    /// The coach's references for a model's exercises, by label; empty when no folder is configured.
    public func references(for model: ModelDescription) throws -> [String: FormReference] {
        guard !recognition.references.isEmpty else { return [:] }
        return try FormReference.all(
            in: URL(filePath: recognition.references), labels: model.countedLabels, bases: model.counting ?? [:])
    }

    /// The limits by which it is decided what a person does.
    public var recognitionRules: RecognitionRules {
        var rules = RecognitionRules(idleSeconds: recognition.sessionIdleSeconds)
        rules.waiting.distance = recognition.waitingDistance
        rules.lying.isEnabled = alarm.enabled
        rules.lying.stillSeconds = alarm.seconds
        rules.lying.fallSeconds = alarm.fallSeconds
        rules.lying.restingZones = Set(alarm.restingZones)
        rules.waiting.seconds = recognition.waitingSeconds
        return rules
    }

    /// What good form is: the rule file beside the model, or else the shipped one beside the pose networks. Without either
    /// only what needs no rules is judged.
    ///
    /// - Throws: `FormRulesError` with line and column.
    public func formRules() throws -> FormRules {
        let own = FormRules.file(of: URL(filePath: recognition.model))
        let shipped = URL(filePath: recognition.poseModels).appending(path: "exercises.rules.toml")
        let file = [own, shipped].first { FileManager.default.fileExists(atPath: $0.path) }
        return try file.map { try FormRules(contentsOf: $0) } ?? FormRules()
    }

    /// The configuration of a node that shows a made-up history: nothing leaves it, and nobody is told or asked of anything.
    var forDemonstration: Configuration {
        var changed = self
        changed.mqtt.enabled = false
        changed.metrics.enabled = false
        changed.alarm.enabled = false
        changed.learning.enabled = false
        changed.history.keepPoses = 0
        (changed.shares, changed.alerts) = ([], [])
        return changed
    }

    /// The settings for opening a source.
    ///
    /// - Parameters:
    ///   - rateHz: the classifier's rate, frames per second.
    ///   - camera: whose picture size and controls to use; `nil` for recordings.
    public func sourceSettings(rateHz: Double, camera: Camera? = nil) -> PoseSource.Settings {
        var settings = PoseSource.Settings(poseModels: URL(filePath: recognition.poseModels))
        settings.rateHz = rateHz
        settings.estimation.maximumPeople = recognition.maximumPeople
        settings.estimation.detectionIntervalSeconds = recognition.detectionIntervalSeconds
        settings.estimation.threads = max(1, recognition.threads)
        settings.tracking.comparesColours = recognition.privacy != Privacy.strict.rawValue
        settings.skipping.maximumLoad = recognition.maximumLoad
        if let camera {
            let own = masks.filter { $0.camera == camera.id }
            settings.estimation.masks = own.filter { !$0.isMirror }.map(\.area)
            settings.estimation.mirrors = own.filter(\.isMirror).map(\.area)
            settings.camera = V4L2Camera.Settings(
                widthPixels: camera.widthPixels, heightPixels: camera.heightPixels, rateHz: rateHz)
            settings.camera.controls = camera.controls
            if recognition.threads == 0 { settings.estimation.threads = Self.threads(cameras: cameras.count) }
        }
        return settings
    }

    /// The processor time that the cameras divide among themselves.
    package func sharedLoad(cores: Int = ProcessInfo.processInfo.activeProcessorCount) -> SharedLoad {
        SharedLoad(total: recognition.maximumLoad * Double(cores), most: recognition.maximumLoad)
    }

    /// The threads for each camera when the configuration leaves it open, 1 to 3. One core is left to the camera, the
    /// broker and the system. More than three threads do not speed up a frame: its steps become too short to divide.
    package static func threads(
        cameras: Int, cores: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Int {
        min(3, max(1, (cores - 1) / max(1, cameras)))
    }

    /// The zones of a camera, in the order of the file.
    func zones(of camera: String) -> [Zone] {
        zones.filter { $0.camera == camera }.map { Zone(name: $0.name, area: $0.area) }
    }

    /// Whose actions are recognised.
    public var subjects: WindowGatherer.Subjects {
        WindowGatherer.Subjects(rawValue: recognition.subjects) ?? .prominent
    }
}

extension Configuration.Camera {
    /// The controls and the orientation to set on the camera.
    public var controls: CameraControls {
        var controls = CameraControls()
        controls.exposure = exposureMilliseconds
        controls.gain = gain
        controls.whiteBalance = whiteBalanceKelvin
        controls.powerLine = CameraControls.PowerLine(rawValue: powerLine) ?? .keep
        controls.isStabilised = stabilise
        controls.named = namedControls
        controls.orientation = Orientation(isMirrored: mirror, quarterTurns: rotate / 90)
        return controls
    }
}

extension Configuration {
    /// The settings of the history's store.
    ///
    /// - Throws: `ConfigurationError` where neither the configuration nor the machine names a time zone.
    public func historySettings() throws -> HistorySettings {
        var settings = HistorySettings(
            timeZone: try timeZone(), predictionDays: history.predictionDays,
            recordDays: history.recordDays, sessionDays: history.sessionDays, keepPosesDays: history.keepPoses,
            questionDays: learning.keepDays, sessionIdle: .seconds(recognition.sessionIdleSeconds),
            maximumBytes: Int64(history.maximumMegabytes) << 20, nodeId: node.id.isEmpty ? nil : node.id)
        settings.shares = shareRules
        return settings
    }

    /// The settings of the connection to the broker, also for commands that only inspect the broker.
    public var mqttSettings: MQTTSettings { mqttSettings(environment: ProcessInfo.processInfo.environment) }

    /// - Parameter environment: names the folder of the credentials that the service manager loaded.
    func mqttSettings(environment: [String: String]) -> MQTTSettings {
        let optional = { (text: String) in text.isEmpty ? nil : text }
        let tls = BrokerSettings.TLS(
            caFile: mqtt.caFile == "system" ? nil : optional(mqtt.caFile),
            certificateFile: optional(mqtt.certificateFile), keyFile: optional(mqtt.keyFile),
            serverName: optional(mqtt.tlsServerName))
        var settings = MQTTSettings(
            host: mqtt.host, port: mqtt.port, tls: mqtt.caFile.isEmpty ? nil : tls, username: optional(mqtt.user),
            passwordFile: optional(mqtt.passwordFile) ?? Self.credential("mqtt-password", environment),
            prefix: mqtt.prefix, site: node.site, node: optional(node.id),
            keepaliveSeconds: mqtt.keepaliveSeconds)
        settings.publishing = mqtt.publishing
        settings.words = words
        settings.remoteControl = commands.remoteControl
        if commands.allow != [Commands.usual] {
            let named = Set(commands.allow.compactMap(CommandName.init(rawValue:)))
            let usual = commands.allow.contains(Commands.usual) ? settings.usualCommands : []
            settings.allowedCommands = named.union(usual)
        }
        return settings
    }

    /// The path of a secret that systemd loaded for this service (systemd.exec(5), LoadCredential); `nil` if it is
    /// missing or empty.
    private static func credential(_ name: String, _ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = folder + "/" + name
        guard let contents = FileManager.default.contents(atPath: path) else { return nil }
        return contents.contains { $0 != UInt8(ascii: "\n") } ? path : nil
    }

    /// The node's id as stored in the history; `nil` where there is no history yet.
    ///
    /// - Throws: `HistoryError`.
    public func storedNodeId() throws -> String? {
        guard FileManager.default.fileExists(atPath: history.path) else { return nil }
        let node = try HistoryQuery(path: history.path).summary().node
        return node.isEmpty ? nil : node
    }
}
