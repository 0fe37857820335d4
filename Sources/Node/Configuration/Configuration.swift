import Actions
import Broker
import Capture
import Contract
import Foundation
import History
import Poses
import Records
import TOMLSettings
import Words

/// All settings, each with its default. The shipped `config.toml` states the same defaults; a test compares the two.
///
/// Ranges are enforced when a file or the environment is read, not when a property is assigned.
public struct Configuration: Sendable, Equatable {
    /// `[node]`: the node's identity.
    public var node = Node()
    /// `[[camera]]`: the cameras and recordings to watch, in the order of the file; ids are unique.
    public var cameras = [Camera()]
    /// `[[zone]]`: named parts of the cameras' pictures, in the order of precedence where they overlap.
    public var zones: [Area] = []
    /// `[[mask]]`: parts of the cameras' pictures where nobody is looked for.
    public var masks: [Area] = []
    /// `[[share]]`: who gets a named workout when it has ended.
    public var shares: [Share] = []
    /// `[[alert]]`: who is told of problems.
    public var alerts: [Alert] = []
    /// `[alarm]`: people who lie on the floor and do not move.
    public var alarm = Alarm()
    /// `[recognition]`: models, thresholds and the load limit.
    public var recognition = Recognition()
    /// `[history]`: the database and how long rows are kept.
    public var history = History()
    /// `[mqtt]`: the broker and what is published.
    public var mqtt = MQTT()
    /// `[commands]`: which MQTT commands the node obeys.
    public var commands = Commands()
    /// `[workouts]`: plans, and the board of challenges.
    public var workouts = Workouts()
    /// `[learning]`: questions, and what the node learns from the answers.
    public var learning = Learning()
    /// `[display]`: the language, and names of the gym's own.
    public var display = Display()
    /// `[metrics]`: the Prometheus endpoint.
    public var metrics = Metrics()
    /// `[web]`: the node's page.
    public var web = Web()
    /// `log.level`: `trace`, `debug`, `info`, `notice`, `warning` or `error`.
    public var logLevel = "info"

    /// The defaults.
    public init() {}

    /// `[node]`: how the node is named in topics and shown to people.
    public struct Node: Sendable, Equatable {
        /// The gym's id in every topic: 1 to 63 of `a-z 0-9 _ -`, beginning with a letter or digit.
        public var site = "gym"
        /// This node's id, written like ``site``. Empty derives it from the machine's id, so it survives a reinstall.
        public var id = ""
        /// The name shown to people; empty uses the id.
        public var name = ""
        /// The time zone whose midnight ends a day, such as `Europe/Berlin`; empty uses the system's.
        public var timeZone = ""
    }

    /// `[[camera]]`: one camera, video file, stream or recorded pose stream.
    public struct Camera: Sendable, Equatable {
        /// The camera's id in every topic: 1 to 63 of `a-z 0-9 _ -`, beginning with a letter or digit.
        public var id = "camera1"
        /// The name shown to people.
        public var name = "Camera 1"
        /// A device such as `/dev/video0`, a video file, an `rtsp://` address, or a `.poses.jsonl` stream; not empty.
        public var source = "/dev/video0"
        /// Picture width requested from the camera, 64 to 7680 pixels. The camera delivers the nearest size it
        /// supports.
        public var widthPixels = 640
        /// Picture height requested from the camera, 64 to 4320 pixels.
        public var heightPixels = 480
        /// Whether the camera is watched. A command can override this; the override survives a restart.
        public var enabled = true
        /// Whether left and right are swapped: by the camera where it can, otherwise in software. Applied after
        /// ``rotate``.
        public var mirror = false
        /// Clockwise rotation, applied before ``mirror``: 0, 90, 180 or 270 degrees.
        public var rotate = 0
        /// Exposure time, 0.1 to 10,000 ms; or automatic; or unchanged (`"keep"`).
        public var exposureMilliseconds = CameraControls.Adjustment.keep
        /// Gain in the camera's own units, 0 to 65,535; or automatic; or unchanged.
        public var gain = CameraControls.Adjustment.keep
        /// White balance, 1000 to 20,000 kelvin; or automatic; or unchanged.
        public var whiteBalanceKelvin = CameraControls.Adjustment.keep
        /// The mains frequency whose flicker the camera suppresses: `50` or `60` (hertz), `auto`, `off` or `keep`.
        public var powerLine = CameraControls.PowerLine.keep.rawValue
        /// Whether the camera stabilises its picture, where it can.
        public var stabilise = false
        /// `camera.controls`: any other control by the name that `v4l2-ctl --list-ctrls` shows, and its value.
        public var namedControls: [String: Int] = [:]
        /// The ids of other cameras that see a part of the same floor. A person whom two of them see at once has one session.
        public var overlaps: [String] = []

        /// Those of ``overlaps`` that are no other camera.
        ///
        /// - Parameter cameras: all cameras.
        package func unknownOverlaps(among cameras: [Camera]) -> [String] {
            overlaps.filter { other in other == id || !cameras.contains { $0.id == other } }
        }

        /// A camera with the defaults.
        public init() {}
    }

    /// What may be used to tell people apart.
    public enum Privacy: String, Sendable, CaseIterable {
        /// Places, sizes, and for a minute the colours of clothes.
        case standard
        /// Places and sizes only.
        case strict
    }

    /// `[recognition]`: how people are found and exercises recognised.
    public struct Recognition: Sendable, Equatable {
        /// The classifier's model file; not empty.
        public var model = ShippedFiles.models + "/exercises.safetensors"
        /// The folder with `pose_detection.tflite` and `pose_landmark_full.tflite`; not empty.
        public var poseModels = ShippedFiles.models
        /// The exercises that are recognised, by label; empty recognises all that the model knows. The others count as `other`.
        public var exercises: [String] = []
        /// The folder of the coach's reference recordings (`spotter record --reference`); empty uses none.
        public var references = ""
        /// Whose actions are recognised: `prominent` (the largest person) or `everyone`.
        public var subjects = WindowGatherer.Subjects.prominent.rawValue
        /// The most people followed at once by each camera, 1 to 16.
        public var maximumPeople = PoseEstimator.Settings().maximumPeople
        /// How far people are told apart: `standard` also compares the colours of clothes, in memory only; `strict` does not.
        public var privacy = Privacy.standard.rawValue
        /// The time between two searches for newcomers, 0.1 to 60 s. The node searches while something moves around the
        /// people it already follows.
        public var detectionIntervalSeconds = PoseEstimator.Settings().detectionIntervalSeconds
        /// The share of one core that a camera may use, 0.05 to 1. Above it frames are skipped at even intervals.
        public var maximumLoad = FrameSkipping.Settings().maximumLoad
        /// The confidence below which the label is `low_confidence`, 0 to 1; 0 uses the model's own threshold.
        public var minimumConfidence = 0.0
        /// The time without exercise after which a session ends, 5 to 3600 s.
        public var sessionIdleSeconds = RecognitionRules.Sessions().idleSeconds
        /// How near to a zone that is in use somebody waits for it, in their own heights, 0 to 3; 0: nobody waits.
        public var waitingDistance = RecognitionRules.Waiting().distance
        /// … once they have been there for so many seconds without an exercise, 5 to 600.
        public var waitingSeconds = RecognitionRules.Waiting().seconds
        /// The threads that share the work of a frame, for each camera, 0 to 64; 0 chooses by the number of cores.
        public var threads = 0
    }

    /// `[alarm]`: people who lie on the floor and do not move. Spotter is no medical device.
    public struct Alarm: Sendable, Equatable {
        /// Whether anybody is looked after.
        public var enabled = false
        /// Who lies still for so many seconds is told of, 10 to 3600.
        public var seconds = RecognitionRules.Lying().stillSeconds
        /// Who fell and lies still is told of after so many seconds, 3 to 60.
        public var fallSeconds = RecognitionRules.Lying().fallSeconds
        /// The zones where people rest: only falls are told there.
        public var restingZones: [String] = []
    }

    /// `[history]`: where the database lies, and how long and how large it is kept.
    public struct History: Sendable, Equatable {
        /// The database file; not empty.
        public var path = "state/spotter.db"
        /// Days until single predictions are deleted, 1 to 3650. Daily totals remain.
        public var predictionDays = HistorySettings().predictionDays
        /// Days until MQTT records are deleted, 1 to 3650. A gap record replaces those that were not delivered.
        public var recordDays = HistorySettings().recordDays
        /// Days until sessions and their sets are deleted, 0 to 36,500; 0 deletes them only to make room, oldest first.
        public var sessionDays = HistorySettings().sessionDays
        /// Days until the joints of the people in sessions are deleted, 0 to 30; 0 keeps none.
        public var keepPoses = HistorySettings().keepPosesDays
        /// The largest size of the database, 16 to 1,000,000 MB.
        public var maximumMegabytes = Int(HistorySettings().maximumBytes >> 20)
    }

    /// `[mqtt]`: the connection to the broker, and what is published there.
    public struct MQTT: Sendable, Equatable {
        /// Whether the node connects to a broker at all.
        public var enabled = true
        /// The broker's name or address; not empty.
        public var host = BrokerSettings().host
        /// The broker's port, 1 to 65,535; 8883 is usual with TLS.
        public var port = BrokerSettings().port
        /// The first segment of every topic: 1 to 63 of `a-z 0-9 _ -`, beginning with a letter or digit.
        public var prefix = Topics.usualPrefix
        /// The user name; empty connects without one.
        public var user = ""
        /// A file with the password on its first line. Empty uses the service manager's credential `mqtt-password`, if
        /// any.
        public var passwordFile = ""
        /// The certificate authority's PEM file, or `system` for the system's certificates. Empty turns TLS off.
        public var caFile = ""
        /// The node's own certificate (PEM), for brokers that ask for one; empty sends none.
        public var certificateFile = ""
        /// The private key of ``certificateFile`` (PEM).
        public var keyFile = ""
        /// The name expected in the broker's certificate; empty uses ``host``.
        public var tlsServerName = ""
        /// MQTT keep-alive, 5 to 3600 s. A dead connection is noticed after twice this time.
        public var keepaliveSeconds = BrokerSettings().keepaliveSeconds
        /// What is published besides records and states.
        public var publishing = Publishing()
    }

    /// `[commands]`: remote control over MQTT.
    public struct Commands: Sendable, Equatable {
        /// Whether the node listens to commands at all.
        public var remoteControl = true
        /// The commands to obey, by name; ``usual`` stands for those that suit the connection.
        public var allow = [Self.usual]

        /// The word for the default set: harmless commands, and further ones on an authenticated connection.
        package static let usual = "default"
    }

    /// `[workouts]`: workouts after a plan.
    public struct Workouts: Sendable, Equatable {
        /// The folder with the plan files; not empty.
        public var plans = ShippedFiles.plans
        /// Whether the page shows the best challenges of the day, by the names that were typed.
        public var board = true
    }

    /// `[learning]`: what the node asks people about what it saw, and what it learns from the answers.
    public struct Learning: Sendable, Equatable {
        /// Whether the node asks at all.
        public var enabled = false
        /// How many questions it asks in a week, 1 to 100. Six of ten are drawn by chance, to estimate how often it errs.
        public var questionsAWeek = 10
        /// Days until the joints of questions are deleted, 1 to 365. The answers stay.
        public var keepDays = HistorySettings().questionDays
        /// Whether the node learns from the answers by night. It uses the new model only where it is better.
        public var train = true
        /// The hour of the day at which it learns, 0 to 23.
        public var hour = 3
        /// A folder with the answers of other gyms, as `spotter learn export` writes them; empty for none.
        public var shared = ""
    }

    /// `[display]`: what people read on the page, in reports and in messages.
    public struct Display: Sendable, Equatable {
        /// The language: `en` or `de`. Empty takes the browser's for the page, and English elsewhere.
        public var language = ""
        /// Names of the gym's own for labels, which come before those of the language.
        public var labels: [String: String] = [:]
        /// The same for zones, by the zone's name.
        public var zones: [String: String] = [:]
    }

    /// `[metrics]`: Prometheus metrics for programs on this machine.
    public struct Metrics: Sendable, Equatable {
        /// Whether `http://127.0.0.1:<port>/metrics` is served.
        public var enabled = false
        /// The port on the loopback address, 1 to 65,535.
        public var port = 9469
    }

    /// `[web]`: the node's page for browsers.
    public struct Web: Sendable, Equatable {
        /// Whether the page is served.
        public var enabled = false
        /// The numeric address and port to listen on; on other addresses than loopback a password is needed.
        public var listen = "127.0.0.1:8080"
        /// Further names under which browsers reach the page, such as a proxy's.
        public var hosts: [String] = []
        /// Who may see a camera's pictures on the page: `never` anybody, or the operator who aims a camera (`aim`).
        public var pictures = "never"

        /// Whether an operator may ask for pictures.
        package var allowsPictures: Bool { pictures == "aim" }
    }
}

extension Configuration {
    /// The names of all keys, such as `mqtt.host`; those of a camera begin with `camera.`.
    package static var keyNames: [String] {
        keys.map(\.name) + cameraKeys.map(\.name) + zoneKeys.map(\.name) + maskKeys.map(\.name) + shareKeys.map(\.name)
            + alertKeys.map(\.name)
    }

    /// All keys outside `[[camera]]`, in the order of the shipped `config.toml`.
    static let keys: [ConfigurationKey<Configuration>] = [
        .text("node.site", \.node.site, .identifier(suchAs: "berlin")),
        .text("node.id", \.node.id, .identifierOrEmpty),
        .text("node.name", \.node.name, .oneLine),
        .text("node.time_zone", \.node.timeZone, .timeZone),
        .text("recognition.model", \.recognition.model, .notEmpty),
        .text("recognition.pose_models", \.recognition.poseModels, .notEmpty),
        .words("recognition.exercises", \.recognition.exercises, .identifier(suchAs: "squat")),
        .text("recognition.references", \.recognition.references),
        .text(
            "recognition.subjects", \.recognition.subjects, .choice(WindowGatherer.Subjects.allCases.map(\.rawValue))),
        .integer("recognition.maximum_people", \.recognition.maximumPeople, 1...16),
        .text("recognition.privacy", \.recognition.privacy, .choice(Privacy.allCases.map(\.rawValue))),
        .number("recognition.detection_interval_seconds", \.recognition.detectionIntervalSeconds, 0.1...60),
        .number("recognition.maximum_load", \.recognition.maximumLoad, 0.05...1),
        .number("recognition.minimum_confidence", \.recognition.minimumConfidence, 0...1),
        .number("recognition.session_idle_seconds", \.recognition.sessionIdleSeconds, 5...3600),
        .number("recognition.waiting_distance", \.recognition.waitingDistance, 0...3),
        .number("recognition.waiting_seconds", \.recognition.waitingSeconds, 5...600),
        .integer("recognition.threads", \.recognition.threads, 0...64),
        .flag("alarm.enabled", \.alarm.enabled),
        .number("alarm.seconds", \.alarm.seconds, 10...3600),
        .number("alarm.fall_seconds", \.alarm.fallSeconds, 3...60),
        .words("alarm.resting_zones", \.alarm.restingZones, .identifier(suchAs: "mat-1")),
        .text("history.path", \.history.path, .notEmpty),
        .integer("history.prediction_days", \.history.predictionDays, 1...3650),
        .integer("history.record_days", \.history.recordDays, 1...3650),
        .integer("history.session_days", \.history.sessionDays, 0...36500),
        .integer("history.keep_poses", \.history.keepPoses, 0...30),
        .integer("history.maximum_megabytes", \.history.maximumMegabytes, 16...1_000_000),
        .flag("mqtt.enabled", \.mqtt.enabled),
        .text("mqtt.host", \.mqtt.host, .brokerHost),
        .integer("mqtt.port", \.mqtt.port, 1...65_535),
        .text("mqtt.prefix", \.mqtt.prefix, .identifier(suchAs: "spotter")),
        .text("mqtt.user", \.mqtt.user),
        .text("mqtt.password_file", \.mqtt.passwordFile),
        .text("mqtt.ca_file", \.mqtt.caFile),
        .text("mqtt.certificate_file", \.mqtt.certificateFile),
        .text("mqtt.key_file", \.mqtt.keyFile),
        .text("mqtt.tls_server_name", \.mqtt.tlsServerName),
        .integer("mqtt.keepalive_seconds", \.mqtt.keepaliveSeconds, 5...3600),
        .flag("mqtt.live", \.mqtt.publishing.live),
        .flag("mqtt.keypoints", \.mqtt.publishing.keypoints),
        .flag("mqtt.log", \.mqtt.publishing.log),
        .words("mqtt.consumers", \.mqtt.publishing.consumers, .identifier(suchAs: "hq")),
        .flag("mqtt.discovery", \.mqtt.publishing.discovery),
        .flag("commands.remote_control", \.commands.remoteControl),
        .words("commands.allow", \.commands.allow, .choice([Commands.usual] + CommandName.allCases.map(\.rawValue))),
        .text("workouts.plans", \.workouts.plans, .notEmpty),
        .flag("workouts.board", \.workouts.board),
        .flag("learning.enabled", \.learning.enabled),
        .integer("learning.questions_a_week", \.learning.questionsAWeek, 1...100),
        .integer("learning.keep_days", \.learning.keepDays, 1...365),
        .flag("learning.train", \.learning.train),
        .integer("learning.hour", \.learning.hour, 0...23),
        .text("learning.shared", \.learning.shared),
        .text("display.language", \.display.language, .choice([""] + Language.allCases.map(\.rawValue).sorted())),
        .names("display.labels", \.display.labels, suchAs: "squat = \"Kniebeuge\""),
        .names("display.zones", \.display.zones, suchAs: "rack-1 = \"Rack by the window\""),
        .flag("metrics.enabled", \.metrics.enabled),
        .integer("metrics.port", \.metrics.port, 1...65_535),
        .flag("web.enabled", \.web.enabled),
        .text("web.listen", \.web.listen, .listenAddress),
        .words("web.hosts", \.web.hosts, .hostName),
        .text("web.pictures", \.web.pictures, .choice(["never", "aim"])),
        .text("log.level", \.logLevel, .choice(["trace", "debug", "info", "notice", "warning", "error"])),
    ]

    /// The keys of one `[[camera]]` block.
    static let cameraKeys: [ConfigurationKey<Camera>] = [
        .text("camera.id", \.id, .identifier),
        .text("camera.name", \.name, .oneLine),
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
        .words("camera.overlaps", \.overlaps, .identifier),
    ]
}
