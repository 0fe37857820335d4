import Records
import Broker
import Actions
import Configuration
import Foundation
import History
import Logging
import Messaging
import Workouts

/// The parts that all services of a running node share. They are created once, in the order in which they can fail.
public struct Node: Sendable {
    /// The configuration the node runs with.
    public let configuration: Configuration
    /// The model in use: the configured one, or the one a command chose.
    public let classifier: ActionClassifier
    /// The coach's reference of each exercise, by label; empty where there is none.
    public let references: [String: FormReference]
    /// What good form is.
    public let rules: FormRules
    /// The open database.
    public let store: Store
    /// What is added to the numbers of each camera's tracks. A recording that ran faster than its clock has predictions in
    /// what is the future now, and their tracks are other people's.
    let trackOffsets: [String: Int]
    /// Collects rows and commits them in batches.
    public let writer: HistoryWriter
    /// `nil` when MQTT is switched off.
    public let publisher: Publisher?
    /// Logs at the current level, and sends warnings and errors to the publisher.
    public let logger: Logger
    /// Executes the commands.
    package let commands: CommandExecutor
    /// Runs the workouts.
    package let workouts: WorkoutSupervisor
    /// Follow the results of all cameras.
    package let observers = ResultObservers()
    /// Passes on what cameras with overlapping views see of the same people; `nil` where no views overlap.
    let views: ViewExchange?
    /// Decides what people are asked about; `nil` where nobody is asked.
    package let questions: QuestionDraw?
    /// Learns from the answers; `nil` where nobody is asked.
    package let learning: LearningRun?
    /// Sums up each hour for the log.
    let journalHour = JournalHour()
    /// Who lies on the floor and does not move.
    package let alarms: AlarmBoard
    /// Watches heat and voltage.
    package var machine = MachineWatch(Host.sensors)
    /// How many people all cameras see.
    package let floor = FloorCount()
    /// Knows how many people are usual.
    let usualOccupancy: NodeOccupancy
    /// The last log lines.
    package let logTail: LogTail
    /// The state of the storage, and which open sessions are on disk.
    package let storage = StorageMonitor()
    /// Whether a command chose another model than the configured one.
    private let isModelOverridden: Bool
    private let started = Date()

    /// Loads the models and opens the database.
    ///
    /// - Parameters:
    ///   - path: the configuration file, which a reload reads again; `nil` for none.
    ///   - isDemonstration: whether it shows a made-up history. Nothing that it sees is stored then, and nothing leaves it.
    /// - Throws: the model's or a reference's error, `HistoryError`, `BrokerError`.
    public init(
        _ configuration: Configuration, path: String? = nil, isDemonstration: Bool = false, logger: Logger
    ) throws {
        let configuration = isDemonstration ? configuration.forDemonstration : configuration
        self.configuration = configuration
        let levelOverride = LogLevelOverride(logger.logLevel)
        logTail = LogTail()
        let logger = NodeLog.logger(logger, levelOverride: levelOverride, tail: logTail)
        self.logger = logger
        let configured = try configuration.classifier()
        let store = try Store(
            path: configuration.history.path, settings: configuration.historySettings(),
            content: isDemonstration ? .madeUp : .seen)
        self.store = store
        usualOccupancy = NodeOccupancy(store: store)
        for event in store.openingEvents { logger.warning("\(event)") }
        let recent = Date() - configuration.recognition.sessionIdleSeconds - 1
        trackOffsets = try configuration.cameras.reduce(into: [:]) { offsets, camera in
            offsets[camera.id] = try store.highestTrack(of: camera.id, since: recent).map { $0 + 1 }
        }
        let models = ModelChoice(configuration: configuration, store: store)
        let (classifier, warning) = try models.classifier(configured)
        self.classifier = classifier
        references = try configuration.references(for: classifier.description)
        rules = try configuration.formRules()
        isModelOverridden = classifier.description.name != configured.description.name
        if let warning { logger.warning("\(warning)") }
        if isModelOverridden { logger.notice("using the model \(classifier.name), which a command chose") }
        alarms = AlarmBoard(open: try store.query.openAlarms())
        commands = try CommandExecutor(
            configuration, path: path, store: store, models: models, alarms: alarms, levelOverride: levelOverride,
            logger: logger)
        writer = try HistoryWriter(
            store: store,
            model: ModelStamp(id: classifier.name, framesPerSecond: classifier.description.framesPerSecond))
        if configuration.mqtt.enabled {
            publisher = try Publisher(settings: configuration.mqttSettings, store: store) { level, line in
                logger.log(level: Logger.Level(level), "\(line)")
            }
            publisher?.onCommand(commands.submit)
            if let publisher { levelOverride.onWarning(publisher.log) }
        } else {
            publisher = nil
        }
        workouts = try WorkoutSupervisor(
            configuration, exercises: PlanExercises(classifier.description), rules: rules, store: store, writer: writer,
            publisher: publisher, logger: logger)
        commands.onWorkoutCommand(workouts.carryOut)
        for camera in configuration.cameras {
            for other in camera.unknownOverlaps(among: configuration.cameras) {
                logger.warning(
                    "\(camera.id): overlaps names '\(other)', which is no other camera: `spotter config check` says more"
                )
            }
        }
        views = ViewExchange(
            overlaps: Dictionary(
                configuration.cameras.map { ($0.id, $0.overlaps) }, uniquingKeysWith: { first, _ in first }))
        let isStrict = configuration.recognition.privacy == Configuration.Privacy.strict.rawValue
        questions =
            configuration.learning.enabled && !isStrict
            ? try QuestionDraw(
                questionsAWeek: configuration.learning.questionsAWeek, query: store.query,
                timeZone: store.settings.timeZone) : nil
        learning =
            questions == nil
            ? nil
            : LearningRun(
                configuration: configuration, store: store, modelInUse: classifier.description.name, logger: logger)
        if configuration.learning.enabled && isStrict {
            logger.warning(
                "learning.enabled has no effect with recognition.privacy = \"strict\": nobody is asked about")
        }
        describe()
    }

    /// Does the rest of a start. Where it fails, nothing was seen, and the history is closed as at the end of a run.
    package func closingOnError<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch {
            try? store.close()
            throw error
        }
    }

    /// Publishes the node's description and which of its cameras are switched on.
    func describe() {
        publisher?.info(info())
        for camera in configuration.cameras {
            publisher?.cameraEnabled(commands.switches.isOn(camera.id), camera: camera.id)
        }
    }

    /// The node's description, as it is published.
    package func info() -> InfoPayload {
        let model = classifier.description
        let cameras = configuration.cameras.map { camera in
            let zones = configuration.zones(of: camera.id).map(\.name)
            return InfoPayload.Camera(
                id: camera.id, name: camera.name, source: Self.kind(of: camera.source), width: camera.widthPixels,
                height: camera.heightPixels, fps: model.framesPerSecond, enabled: commands.switches.isOn(camera.id),
                overridden: commands.switches.isOverridden(camera.id), zones: zones.isEmpty ? nil : zones)
        }
        let node = store.identity.node
        var info = InfoPayload(
            node: node, site: configuration.node.site,
            name: configuration.node.name.isEmpty ? node : configuration.node.name,
            timeZone: store.settings.timeZone, sw: Version.text, boot: BootId.current(), started: started,
            model: InfoPayload.Model(
                id: model.name, sha256: String(classifier.digest.prefix(6)), labels: model.labels,
                window: model.windowFrames, stride: model.strideFrames, fps: model.framesPerSecond,
                minConfidence: Double(classifier.thresholds.minimumConfidence),
                minPoseRatio: Double(classifier.thresholds.minimumPoseShare), exercises: model.countedLabels,
                repetitions: model.repeatedLabels, names: model.displayNames, overridden: isModelOverridden),
            cameras: cameras, configSha256: configuration.digest,
            host: InfoPayload.Host(
                model: Host.machine.model, os: Host.machine.operatingSystem, arch: Host.architecture,
                temperature: Host.sensors.temperatureCelsius != nil))
        info.alarm = configuration.alarm.enabled ? true : nil
        info.learning = questions == nil ? nil : true
        info.privacy.pictures = configuration.web.enabled ? configuration.web.pictures : "never"
        return info
    }

    /// The records that each receiver has not acknowledged.
    ///
    /// - Throws: `HistoryError`.
    func waitingRecords() throws -> [(receiver: String, pending: (count: Int, oldestMilliseconds: Int64?))] {
        let consumers = configuration.mqtt.publishing.consumers
        return try (consumers.isEmpty ? [RecordLog.broker] : consumers).map { receiver in
            (receiver, try store.records.pending(after: try store.records.cursor(of: receiver)))
        }
    }

    /// The kind of a source, which is all that is published: an address or path may be secret.
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
