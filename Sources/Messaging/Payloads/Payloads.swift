import Foundation
import History

/// `status`: whether the node is there.
struct StatusPayload: Codable, Equatable {
    enum State: String, Codable { case starting, online, stopped, offline }

    var v = 1
    var state: State
    /// The connection's number; a death with a lower number than the last birth's is old news.
    var sid: Int64
    /// Absent in the last will, which is written before anybody knows when it will be needed.
    var boot: String?
    /// Which run of the program says it: another one under the same id is another node.
    var run: String?
    var ts: Date?
    var clock: ClockState?
}

/// `info`: the birth document. Never holds a secret, a user name, a stream's address or a path under /home.
public struct InfoPayload: Sendable, Codable, Equatable {
    public var v = 1
    public var node: String
    public var site: String
    public var name: String
    /// The program's version.
    public var sw: String
    public var contract = 1
    /// Eight digits of the kernel's boot id.
    public var boot: String
    public var started: Date
    /// Filled in when it is sent.
    public var epoch = ""
    public var seq: Int64 = 0
    public var model: Model
    public var cameras: [Camera]
    public var limits = Limits()
    public var commands: [String]
    public var privacy = Privacy()
    public var configSha256: String
    public var host: Host

    public init(
        node: String, site: String, name: String, sw: String, boot: String, started: Date,
        model: Model, cameras: [Camera], commands: [String] = [], configSha256: String, host: Host
    ) {
        self.node = node
        self.site = site
        self.name = name
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
        case v, node, site, name, sw, contract, boot, started, epoch, seq, model, cameras, limits, commands
        case privacy, host
        case configSha256 = "config_sha256"
    }
}

extension InfoPayload {
    public struct Model: Sendable, Codable, Equatable {
        public var id: String
        /// The start of the model file's digest.
        public var sha256: String
        public var labels: [String]
        /// Frames.
        public var window: Int
        public var stride: Int
        public var fps: Double
        public var minConfidence: Double
        public var minPoseRatio: Double
        /// Those of the labels that are exercise: they begin sessions and have totals.
        public var exercises: [String]
        /// Those whose repetitions are counted.
        public var repetitions: [String]
        /// Whether a command chose it against the configuration.
        public var overridden: Bool

        public init(
            id: String, sha256: String, labels: [String], window: Int, stride: Int, fps: Double,
            minConfidence: Double, minPoseRatio: Double, exercises: [String], repetitions: [String] = [],
            overridden: Bool = false
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
            self.overridden = overridden
        }

        enum CodingKeys: String, CodingKey {
            case id, sha256, labels, window, stride, fps, exercises, repetitions, overridden
            case minConfidence = "min_confidence"
            case minPoseRatio = "min_pose_ratio"
        }
    }

    public struct Camera: Sendable, Codable, Equatable {
        public var id: String
        public var name: String
        /// `usb`, `csi`, `file`, …: the kind only.
        public var source: String
        /// Pixels.
        public var width: Int
        public var height: Int
        public var fps: Double
        /// Whether it is switched on, and whether a command said so against the configuration.
        public var enabled: Bool
        public var overridden: Bool

        public init(
            id: String, name: String, source: String, width: Int, height: Int, fps: Double, enabled: Bool = true,
            overridden: Bool = false
        ) {
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

    /// Bytes.
    public struct Limits: Sendable, Codable, Equatable {
        public var maxPayload = 65_536
        public var cmdMax = 16_384

        public init() {}

        enum CodingKeys: String, CodingKey {
            case maxPayload = "max_payload"
            case cmdMax = "cmd_max"
        }
    }

    public struct Privacy: Sendable, Codable, Equatable {
        public var images = "off"
        public var biometrics = "none"

        public init() {}
    }

    public struct Host: Sendable, Codable, Equatable {
        public var model: String
        public var os: String
        public var arch: String
        /// Whether the machine can say how warm it is.
        public var temperature: Bool

        public init(model: String, os: String, arch: String, temperature: Bool) {
            self.model = model
            self.os = os
            self.arch = arch
            self.temperature = temperature
        }
    }
}

/// `log`: a warning or an error of the node.
public struct LogPayload: Sendable, Codable, Equatable {
    /// What the command `log_level` takes, the most talkative first.
    public static let levels = ["trace", "debug", "info", "notice", "warning", "error"]

    public var v = 1
    /// `warning`, `error` or `critical`.
    public var level: String
    public var message: String
    public var ts: Date

    /// At most 1,000 characters of the message, without user and password of any address in it.
    public init(level: String, message: String, ts: Date) {
        self.level = level
        self.message = String(message.prefix(1000)).replacing(/:\/\/[^\/\s@]*@/, with: "://…@")
        self.ts = ts
    }
}
