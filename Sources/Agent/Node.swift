import Actions
import Foundation
import History
import Logging
import Messaging

/// The parts of a running node that everything else shares: made once, in the order in which they can fail.
public struct Node: Sendable {
    public let configuration: Configuration
    public let classifier: ActionClassifier
    /// How the coach does each exercise, where that is known.
    public let references: [String: FormReference]
    public let store: Store
    public let writer: HistoryWriter
    /// `nil` when MQTT is switched off.
    public let publisher: Publisher?
    public let logger: Logger
    let commands: CommandExecutor
    let storage = StorageMonitor()
    /// Whether a command chose the model, against the configuration.
    private let isModelOverridden: Bool
    private let started = Date()

    /// - Parameter path: the file the configuration came from, to be read again when that is asked for.
    /// - Throws: the model's or a reference's error, `HistoryError`, `MessagingError`.
    public init(_ configuration: Configuration, path: String? = nil, logger: Logger) throws {
        self.configuration = configuration
        let volume = LogLevelOverride(logger.logLevel)
        let logger = NodeLog.logger(logger, volume: volume)
        self.logger = logger
        let configured = try configuration.classifier()
        store = try Store(path: configuration.history.path, settings: configuration.historySettings)
        for event in store.openingEvents { logger.warning("\(event)") }
        let models = ModelChoice(configuration: configuration, store: store)
        let (classifier, trouble) = try models.classifier(configured)
        self.classifier = classifier
        references = try configuration.references(for: classifier.description)
        isModelOverridden = classifier.description.name != configured.description.name
        if let trouble { logger.warning("\(trouble)") }
        if isModelOverridden { logger.notice("using the model \(classifier.name), as a command wanted") }
        commands = try CommandExecutor(
            configuration, path: path, store: store, models: models, volume: volume, logger: logger)
        writer = try HistoryWriter(
            store: store,
            model: ModelStamp(id: classifier.name, framesPerSecond: classifier.description.framesPerSecond))
        if configuration.mqtt.enabled {
            publisher = try Publisher(settings: configuration.mqttSettings, store: store) { level, line in
                logger.log(level: Logger.Level(level), "\(line)")
            }
            publisher?.onCommand(commands.submit)
            if let publisher { volume.onWarning(publisher.log) }
            describe()
        } else {
            publisher = nil
        }
    }

    /// Tells what this node is, and which of its cameras are switched on.
    func describe() {
        publisher?.info(info())
        for camera in configuration.cameras {
            publisher?.cameraEnabled(commands.switches.isOn(camera.id), camera: camera.id)
        }
    }

    private func info() -> InfoPayload {
        let model = classifier.description
        let cameras = configuration.cameras.map { camera in
            InfoPayload.Camera(
                id: camera.id, name: camera.name, source: Self.kind(of: camera.source), width: camera.widthPixels,
                height: camera.heightPixels, fps: model.framesPerSecond, enabled: commands.switches.isOn(camera.id),
                overridden: commands.switches.isOverridden(camera.id))
        }
        let node = store.identity.node
        return InfoPayload(
            node: node, site: configuration.node.site,
            name: configuration.node.name.isEmpty ? node : configuration.node.name, sw: Version.text,
            boot: BootId.current(), started: started,
            model: InfoPayload.Model(
                id: model.name, sha256: String(classifier.digest.prefix(6)), labels: model.labels,
                window: model.windowFrames, stride: model.strideFrames, fps: model.framesPerSecond,
                minConfidence: Double(classifier.thresholds.minimumConfidence),
                minPoseRatio: Double(classifier.thresholds.minimumPoseShare), exercises: model.countedLabels,
                repetitions: model.countedLabels, overridden: isModelOverridden),
            cameras: cameras, configSha256: configuration.digest,
            host: InfoPayload.Host(
                model: Host.model, os: Host.operatingSystem, arch: Host.architecture,
                temperature: Host.temperatureCelsius != nil))
    }

    /// What may be told of a source: never an address or a path.
    private static func kind(of source: String) -> String {
        if source.hasPrefix("/dev/") { return "usb" }
        return source.contains("://") ? "stream" : "file"
    }
}

extension Logger.Level {
    init(_ level: Messaging.LogLevel) {
        switch level {
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
