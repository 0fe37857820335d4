import Actions
import Capture
import Foundation

/// Everything that can be set, with its default. The shipped `config.toml` says the same, and a test holds them equal.
public struct Configuration: Sendable, Equatable {
    public var node = Node()
    public var cameras = [Camera()]
    public var recognition = Recognition()
    public var history = History()
    public var mqtt = MQTT()
    public var commands = Commands()
    public var metrics = Metrics()
    public var logLevel = "info"

    public init() {}

    public struct Node: Sendable, Equatable {
        public var site = "gym"
        public var id = ""
        public var name = ""
        public var timeZone = ""
    }

    public struct Camera: Sendable, Equatable {
        public var id = "camera1"
        public var name = "Camera 1"
        public var source = "/dev/video0"
        public var widthPixels = 640
        public var heightPixels = 480
        public var enabled = true
        public var mirror = false
        /// Clockwise, degrees.
        public var rotate = 0
        public var exposureMilliseconds = CameraControls.Adjustment.keep
        public var gain = CameraControls.Adjustment.keep
        public var whiteBalanceKelvin = CameraControls.Adjustment.keep
        public var powerLine = CameraControls.PowerLine.keep.rawValue
        public var stabilise = false

        public init() {}
    }

    public struct Recognition: Sendable, Equatable {
        public var model = "Models/exercises.safetensors"
        public var poseModels = "Models"
        /// Empty for none.
        public var references = ""
        public var subjects = WindowGatherer.Subjects.prominent.rawValue
        public var maximumPeople = 4
        public var detectionIntervalSeconds = 0.5
        /// 1 is one core.
        public var maximumLoad = 0.85
        /// 0 stands for the model's own.
        public var minimumConfidence = 0.0
        public var sessionIdleSeconds = 30.0
        /// For each camera; 0 stands for what suits the machine.
        public var threads = 0
    }

    public struct History: Sendable, Equatable {
        public var path = "state/spotter.db"
        public var predictionDays = 14
        public var recordDays = 90
        public var sessionDays = 0
        public var maximumMegabytes = 512
    }

    public struct MQTT: Sendable, Equatable {
        public var enabled = true
        public var host = "localhost"
        public var port = 1883
        public var prefix = "spotter"
        public var user = ""
        public var passwordFile = ""
        public var caFile = ""
        public var certificateFile = ""
        public var keyFile = ""
        public var tlsServerName = ""
        public var keepaliveSeconds = 20
        public var live = true
        public var keypoints = false
        public var log = false
        public var consumers: [String] = []
        public var discovery = true
    }

    public struct Commands: Sendable, Equatable {
        public var remoteControl = true
        /// Names of commands; ``usual`` stands for those that suit the connection.
        public var allow = [Self.usual]

        package static let usual = "default"
    }

    public struct Metrics: Sendable, Equatable {
        public var enabled = false
        public var port = 9469
    }
}
