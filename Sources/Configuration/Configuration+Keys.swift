import Actions
import Capture
import Records

extension Configuration {
    /// The names of all keys, such as `mqtt.host`; those of a camera begin with `camera.`.
    package static var keyNames: [String] { keys.map(\.name) + cameraKeys.map(\.name) }

    /// All keys outside `[[camera]]`, in the order of the shipped `config.toml`.
    static let keys: [ConfigurationKey<Configuration>] = [
        .text("node.site", \.node.site, .identifier),
        .text("node.id", \.node.id, .identifierOrEmpty),
        .text("node.name", \.node.name),
        .text("node.time_zone", \.node.timeZone, .timeZone),
        .text("recognition.model", \.recognition.model, .notEmpty),
        .text("recognition.pose_models", \.recognition.poseModels, .notEmpty),
        .text("recognition.references", \.recognition.references),
        .text(
            "recognition.subjects", \.recognition.subjects, .choice(WindowGatherer.Subjects.allCases.map(\.rawValue))),
        .integer("recognition.maximum_people", \.recognition.maximumPeople, 1...16),
        .number("recognition.detection_interval_seconds", \.recognition.detectionIntervalSeconds, 0.1...60),
        .number("recognition.maximum_load", \.recognition.maximumLoad, 0.05...1),
        .number("recognition.minimum_confidence", \.recognition.minimumConfidence, 0...1),
        .number("recognition.session_idle_seconds", \.recognition.sessionIdleSeconds, 5...3600),
        .integer("recognition.threads", \.recognition.threads, 0...64),
        .text("history.path", \.history.path, .notEmpty),
        .integer("history.prediction_days", \.history.predictionDays, 1...3650),
        .integer("history.record_days", \.history.recordDays, 1...3650),
        .integer("history.session_days", \.history.sessionDays, 0...36500),
        .integer("history.maximum_megabytes", \.history.maximumMegabytes, 16...1_000_000),
        .flag("mqtt.enabled", \.mqtt.enabled),
        .text("mqtt.host", \.mqtt.host, .notEmpty),
        .integer("mqtt.port", \.mqtt.port, 1...65_535),
        .text("mqtt.prefix", \.mqtt.prefix, .identifier),
        .text("mqtt.user", \.mqtt.user),
        .text("mqtt.password_file", \.mqtt.passwordFile),
        .text("mqtt.ca_file", \.mqtt.caFile),
        .text("mqtt.certificate_file", \.mqtt.certificateFile),
        .text("mqtt.key_file", \.mqtt.keyFile),
        .text("mqtt.tls_server_name", \.mqtt.tlsServerName),
        .integer("mqtt.keepalive_seconds", \.mqtt.keepaliveSeconds, 5...3600),
        .flag("mqtt.live", \.mqtt.live),
        .flag("mqtt.keypoints", \.mqtt.keypoints),
        .flag("mqtt.log", \.mqtt.log),
        .words("mqtt.consumers", \.mqtt.consumers, .identifier),
        .flag("mqtt.discovery", \.mqtt.discovery),
        .flag("commands.remote_control", \.commands.remoteControl),
        .words("commands.allow", \.commands.allow, .choice([Commands.usual] + CommandName.allCases.map(\.rawValue))),
        .flag("metrics.enabled", \.metrics.enabled),
        .integer("metrics.port", \.metrics.port, 1...65_535),
        .text("log.level", \.logLevel, .choice(["trace", "debug", "info", "notice", "warning", "error"])),
    ]

    /// The keys of one `[[camera]]` block.
    static let cameraKeys: [ConfigurationKey<Camera>] = [
        .text("camera.id", \.id, .identifier),
        .text("camera.name", \.name),
        .text("camera.source", \.source, .notEmpty),
        .integer("camera.width", \.widthPixels, 64...7680),
        .integer("camera.height", \.heightPixels, 64...4320),
        .flag("camera.enabled", \.enabled),
        .flag("camera.mirror", \.mirror),
        .integer("camera.rotate", \.rotate, 0...270) {
            $0 % 90 == 0 ? nil : "expects 0, 90, 180 or 270"
        },
        .adjustment("camera.exposure", \.exposureMilliseconds, 0.1...10_000),
        .adjustment("camera.gain", \.gain, 0...65_535),
        .adjustment("camera.white_balance", \.whiteBalanceKelvin, 1000...20_000),
        .text("camera.power_line", \.powerLine, .choice(CameraControls.PowerLine.allCases.map(\.rawValue))),
        .flag("camera.stabilise", \.stabilise),
        .controls("camera.controls", \.namedControls),
    ]
}
