import Foundation
import History
import Records

/// `info`: the birth document. It never contains a secret, a user name, the address of a stream or a path under /home.
public struct InfoPayload: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// The node's id.
    public var node: String
    /// The gym's id.
    public var site: String
    /// The node's name for people.
    public var name: String
    /// The time zone whose midnights separate the node's days, such as `Europe/Berlin`.
    public var tz: String
    /// The program's version.
    public var sw: String
    /// The contract's version.
    public var contract = 1
    /// The first eight digits of the kernel's boot id.
    public var boot: String
    /// When the process started.
    public var started: Date
    /// The epoch of the record log; filled in when it is sent.
    public var epoch = ""
    /// The record log's last position; filled in when it is sent.
    public var seq: Int64 = 0
    /// The classifier in use.
    public var model: Model
    /// The configured cameras.
    public var cameras: [Camera]
    /// The largest messages.
    public var limits = Limits()
    /// The commands the node accepts; filled in when it is sent.
    public var commands: [String]
    /// Which personal data the node publishes.
    public var privacy = Privacy()
    /// Whether the node asks people what it saw, and so can say how often it is right; `nil` for no.
    public var learning: Bool?
    /// Whether the node looks after people who lie on the floor; `nil` for no.
    public var alarm: Bool?
    /// The SHA-256 digest of the configuration file.
    public var configSha256: String
    /// The machine.
    public var host: Host

    /// A birth document with these values.
    public init(
        node: String, site: String, name: String, timeZone: TimeZone, sw: String, boot: String, started: Date,
        model: Model, cameras: [Camera], commands: [String] = [], configSha256: String, host: Host
    ) {
        self.node = node
        self.site = site
        self.name = name
        tz = timeZone.identifier
        self.sw = sw
        self.boot = boot
        self.started = started
        self.model = model
        self.cameras = cameras
        self.commands = commands
        self.configSha256 = configSha256
        self.host = host
    }

    enum CodingKeys: String, CodingKey {
        case v, node, site, name, tz, sw, contract, boot, started, epoch, seq, model, cameras, limits, commands
        case privacy, learning, alarm, host
        case configSha256 = "config_sha256"
    }
}

extension InfoPayload {
    /// The classifier in use.
    public struct Model: Sendable, Codable, Equatable {
        /// The model's name.
        public var id: String
        /// The first six digits of the model file's SHA-256 digest.
        public var sha256: String
        /// The actions the model can recognise.
        public var labels: [String]
        /// The length of a window, frames.
        public var window: Int
        /// The distance between two windows, frames.
        public var stride: Int
        /// The frame rate the model expects.
        public var fps: Double
        /// The confidence below which a prediction counts as `low_confidence`, 0…1.
        public var minConfidence: Double
        /// The share of frames with a pose below which a prediction counts as `no_person`, 0…1.
        public var minPoseRatio: Double
        /// The labels that are exercises: they start sessions and have totals.
        public var exercises: [String]
        /// The labels whose repetitions are counted.
        public var repetitions: [String]
        /// The names of labels on screen; a label without one is shown as it is.
        public var names: [String: String]
        /// Whether a command chose this model instead of the configured one.
        public var overridden: Bool

        /// A model with these values.
        public init(
            id: String, sha256: String, labels: [String], window: Int, stride: Int, fps: Double,
            minConfidence: Double, minPoseRatio: Double, exercises: [String], repetitions: [String] = [],
            names: [String: String] = [:], overridden: Bool = false
        ) {
            self.id = id
            self.sha256 = sha256
            self.labels = labels
            self.window = window
            self.stride = stride
            self.fps = fps
            self.minConfidence = minConfidence
            self.minPoseRatio = minPoseRatio
            self.exercises = exercises
            self.repetitions = repetitions
            self.names = names
            self.overridden = overridden
        }

        enum CodingKeys: String, CodingKey {
            case id, sha256, labels, window, stride, fps, exercises, repetitions, names, overridden
            case minConfidence = "min_confidence"
            case minPoseRatio = "min_pose_ratio"
        }
    }

    /// One configured camera.
    public struct Camera: Sendable, Codable, Equatable {
        /// The camera's id.
        public var id: String
        /// The camera's name for people.
        public var name: String
        /// The kind of source: `usb`, `csi`, `file`, …; never its address.
        public var source: String
        /// The picture's width that the camera is asked for, pixels.
        public var width: Int
        /// The picture's height that the camera is asked for, pixels.
        public var height: Int
        /// The frame rate the model expects.
        public var fps: Double
        /// Whether it is switched on.
        public var enabled: Bool
        /// Whether a command set ``enabled`` instead of the configuration.
        public var overridden: Bool
        /// The names of its zones; `nil` for a camera without zones.
        public var zones: [String]?

        /// A camera with these values.
        public init(
            id: String, name: String, source: String, width: Int, height: Int, fps: Double, enabled: Bool = true,
            overridden: Bool = false, zones: [String]? = nil
        ) {
            self.zones = zones
            self.id = id
            self.name = name
            self.source = source
            self.width = width
            self.height = height
            self.fps = fps
            self.enabled = enabled
            self.overridden = overridden
        }
    }

    /// The largest messages.
    public struct Limits: Sendable, Codable, Equatable {
        /// The largest payload the node publishes, bytes.
        public var maxPayload = 65_536
        /// The largest command the node accepts, bytes.
        public var cmdMax = 16_384

        /// The limits of this version.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case maxPayload = "max_payload"
            case cmdMax = "cmd_max"
        }
    }

    /// Which personal data the node publishes.
    public struct Privacy: Sendable, Codable, Equatable {
        /// `skeleton` when the command `preview` is accepted, else `off`.
        public var images = "off"
        /// Always `none`.
        public var biometrics = "none"
        /// Whether the node's page may show pictures: `never`, or `aim` for the operator who aims a camera.
        public var pictures = "never"

        /// No images, no biometrics, no pictures.
        public init() {}
    }

    /// The machine.
    public struct Host: Sendable, Codable, Equatable {
        /// The machine's model; empty where it is unknown.
        public var model: String
        /// The operating system.
        public var os: String
        /// The processor architecture.
        public var arch: String
        /// Whether the machine can measure its temperature.
        public var temperature: Bool

        /// A machine with these values.
        public init(model: String, os: String, arch: String, temperature: Bool) {
            self.model = model
            self.os = os
            self.arch = arch
            self.temperature = temperature
        }
    }
}

extension InfoPayload {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion), ("node", .required(.id)), ("site", .required(.id)), ("name", .required(.words)),
        ("tz", .required(.words, "Whose midnights cut the days.")),
        ("sw", .required(.words, "Version of the program.")),
        ("contract", .required(.constant(1))), ("boot", .required(.words)), ("started", .required(.moment)),
        ("epoch", .required(.uuid, "Life of the history; positions begin again with a new one.")),
        ("seq", .required(.count, "The newest record's position.")), ("model", .required(Model.schema)),
        ("cameras", .required(.list(Camera.schema))),
        ("limits", .required(.object([("max_payload", .required(.count)), ("cmd_max", .required(.count))]))),
        ("commands", .required(.list(.text(words: CommandName.allCases.map(\.rawValue))))),
        (
            "privacy",
            .required(
                .object([
                    ("images", .required(.text(words: ["off", "skeleton"]))), ("biometrics", .required(.words)),
                    ("pictures", .required(.text(words: ["never", "aim"]), "What the node's page may show.")),
                ]))
        ),
        ("learning", .optional(.flag, "Whether health can say how often it is right.")),
        ("alarm", .optional(.flag, "Whether it is told who lies on the floor and does not move.")),
        ("config_sha256", .required(.words)),
        (
            "host",
            .required(
                .object([
                    ("model", .required(.words)), ("os", .required(.words)), ("arch", .required(.words)),
                    ("temperature", .required(.flag, "Whether health can say how warm it is.")),
                ]))
        ),
    ])
}

extension InfoPayload.Model {
    /// The schema of a model's description.
    package static let schema = Schema.object([
        ("id", .required(.words)), ("sha256", .required(.words)), ("labels", .required(.list(.words))),
        ("exercises", .required(.list(.words), "Labels that begin sessions and have totals.")),
        ("repetitions", .required(.list(.words), "Labels whose repetitions are counted.")),
        ("names", .required(.map(.words), "Names of labels on screen.")),
        ("window", .required(.count, "Frames.")), ("stride", .required(.count, "Frames.")),
        ("fps", .required(.number(minimum: 0))), ("min_confidence", .required(.share)),
        ("min_pose_ratio", .required(.share)),
        ("overridden", .optional(.flag, "Chosen by command, against the configuration.")),
    ])
}

extension InfoPayload.Camera {
    /// The schema of a camera's description.
    package static let schema = Schema.object([
        ("id", .required(.id)), ("name", .required(.words)), ("source", .required(.words, "The kind only.")),
        ("width", .required(.count, "Pixels that the camera is asked for; it may deliver others.")),
        ("height", .required(.count, "Pixels that the camera is asked for.")),
        ("fps", .required(.number(minimum: 0))), ("enabled", .required(.flag)),
        ("overridden", .required(.flag, "Switched by command, against the configuration.")),
        ("zones", .optional(.list(.id), "Named parts of its picture; absent without any.")),
    ])
}
