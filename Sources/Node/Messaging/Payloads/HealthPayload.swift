import Foundation
import History
import Records

/// `health`: the heartbeat. Values a machine cannot measure are absent.
public struct HealthPayload: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// When the heartbeat was made.
    public var ts: Date
    /// Time since the process started, seconds.
    public var uptimeSeconds: Int
    /// Whether ``problems`` is empty.
    public var ok: Bool
    /// All current problems.
    public var problems: [Problem]
    /// CPU use of the process in percent of one core.
    public var cpuPercent: Double?
    /// Memory use of the process, MB.
    public var memoryMB: Int?
    /// The machine's load average over one minute.
    public var load1: Double?
    /// The CPU's temperature, °C.
    public var temperatureCelsius: Double?
    /// Whether the CPU is throttled.
    public var throttled: Bool?
    /// Free space on the database's disk, MB.
    public var diskFreeMB: Int?
    /// Size of the database file, MB.
    public var databaseMB: Double?
    /// Size of the write-ahead log, MB.
    public var walMB: Double?
    /// Transactions committed since the start.
    public var commits: Int?
    /// Data the process wrote to disk since the start, MB.
    public var writtenMB: Double?
    /// The records not yet acknowledged; `nil` without a broker.
    public var outbox: Outbox?
    /// The MQTT connection; `nil` without a broker.
    public var mqtt: Connection?
    /// The machine's clock.
    public var clock: Clock?
    /// How often the node is right, by the answers of the last five weeks; `nil` where it asks nothing, and with too few answers.
    public var accuracy: Accuracy?
    /// The same for each camera; `nil` where ``accuracy`` is.
    public var accuracyByCamera: [Accuracy]?
    /// The cameras, by id.
    public var cams: [String: Camera]

    /// A heartbeat without measurements; ``ok`` follows from `problems`.
    public init(ts: Date, uptimeSeconds: Int, problems: [Problem], cams: [String: Camera]) {
        self.ts = ts
        self.uptimeSeconds = uptimeSeconds
        ok = problems.isEmpty
        self.problems = problems
        self.cams = cams
    }

    enum CodingKeys: String, CodingKey {
        case v, ts, ok, problems, load1, throttled, outbox, mqtt, clock, cams, commits, accuracy
        case accuracyByCamera = "accuracy_by_camera"
        case writtenMB = "written_mb"
        case uptimeSeconds = "uptime_s"
        case cpuPercent = "cpu_pct"
        case memoryMB = "mem_mb"
        case temperatureCelsius = "temp_c"
        case diskFreeMB = "disk_free_mb"
        case databaseMB = "db_mb"
        case walMB = "wal_mb"
    }
}

/// A problem the operator should know of, under a fixed code.
public struct Problem: Sendable, Codable, Equatable {
    /// The problem's code: lower-case words joined by `_`.
    public var code: String
    /// The camera it concerns; `nil` for the whole node.
    public var camera: String?
    /// Since when the problem has existed.
    public var since: Date
    /// One sentence that ends with what to do.
    public var message: String?

    /// A problem with these values.
    public init(code: String, camera: String? = nil, since: Date, message: String? = nil) {
        self.code = code
        self.camera = camera
        self.since = since
        self.message = message
    }
}

extension HealthPayload {
    /// The records that wait for acknowledgement.
    public struct Outbox: Sendable, Codable, Equatable {
        /// Records not yet acknowledged.
        public var pending: Int
        /// The age of the oldest of them, seconds.
        public var oldestSeconds: Int
        /// For each receiver: the position up to which it has everything.
        public var acked: [String: Int64]

        enum CodingKeys: String, CodingKey {
            case pending, acked
            case oldestSeconds = "oldest_s"
        }
    }

    /// The MQTT connection.
    public struct Connection: Sendable, Codable, Equatable {
        /// Whether the broker is connected.
        public var online: Bool
        /// The connection's number.
        public var sid: Int64
        /// How often the node has connected again.
        public var reconnects: Int
        /// Events, predictions, previews, log lines and heartbeats that were dropped.
        public var droppedEphemeral: Int
        /// Commands refused because they were retained messages.
        public var refusedRetained: Int
        /// Switch requests that a newer one replaced before they were carried out.
        public var replacedSwitches: Int

        enum CodingKeys: String, CodingKey {
            case online, sid, reconnects
            case droppedEphemeral = "dropped_ephemeral"
            case refusedRetained = "refused_retained"
            case replacedSwitches = "replaced_switches"
        }
    }

    /// The machine's clock.
    public struct Clock: Sendable, Codable, Equatable {
        /// `synced` or `unsynced`.
        public var state: String
        /// How far the clock is off, as far as the kernel knows, milliseconds.
        public var offsetMilliseconds: Int?

        /// A clock with these values.
        public init(state: String, offsetMilliseconds: Int? = nil) {
            self.state = state
            self.offsetMilliseconds = offsetMilliseconds
        }

        enum CodingKeys: String, CodingKey {
            case state
            case offsetMilliseconds = "offset_ms"
        }
    }

    /// One camera's pipeline.
    public struct Camera: Sendable, Codable, Equatable {
        /// Frames per second from the camera.
        public var fpsIn: Double
        /// Frames per second in which poses were estimated.
        public var fpsProcessed: Double
        /// For each person in view, by track: frames per second in which they were looked at. A person who rests is looked at a
        /// few times a second.
        public var peopleFPS: [String: Double]
        /// Every `stride`-th frame is processed; 1 when there is time for all.
        public var stride: Int
        /// Frames skipped because of ``stride``.
        public var skipped: Int
        /// Frames lost: replaced by a newer one, missed by the driver, damaged, frozen or black.
        public var dropped: Int
        /// Median inference time per frame, milliseconds.
        public var inferMillisecondsP50: Double
        /// 95th percentile of the inference time per frame, milliseconds.
        public var inferMillisecondsP95: Double
        /// Seconds since the last frame; `nil` before the first one.
        public var lastFrameSeconds: Double?

        /// A camera with these values.
        public init(
            fpsIn: Double, fpsProcessed: Double, stride: Int, skipped: Int, dropped: Int,
            peopleFPS: [String: Double] = [:], inferMillisecondsP50: Double, inferMillisecondsP95: Double,
            lastFrameSeconds: Double?
        ) {
            self.fpsIn = fpsIn
            self.fpsProcessed = fpsProcessed
            self.stride = stride
            self.skipped = skipped
            self.dropped = dropped
            self.peopleFPS = peopleFPS
            self.inferMillisecondsP50 = inferMillisecondsP50
            self.inferMillisecondsP95 = inferMillisecondsP95
            self.lastFrameSeconds = lastFrameSeconds
        }

        enum CodingKeys: String, CodingKey {
            case stride, skipped, dropped
            case fpsIn = "fps_in"
            case fpsProcessed = "fps_proc"
            case peopleFPS = "people_fps"
            case inferMillisecondsP50 = "infer_ms_p50"
            case inferMillisecondsP95 = "infer_ms_p95"
            case lastFrameSeconds = "last_frame_s"
        }
    }
}

extension HealthPayload {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion), ("ts", .required(.moment)), ("uptime_s", .required(.count)),
        ("ok", .required(.flag, "Whether there is no problem.")), ("problems", .required(.list(Problem.schema))),
        ("cpu_pct", .optional(.number(minimum: 0), "Of one core.")), ("mem_mb", .optional(.count)),
        ("load1", .optional(.number(minimum: 0))), ("temp_c", .optional(.number())), ("throttled", .optional(.flag)),
        ("disk_free_mb", .optional(.count)), ("db_mb", .optional(.number(minimum: 0))),
        ("wal_mb", .optional(.number(minimum: 0))),
        ("commits", .optional(.count, "Transactions since the start.")),
        ("written_mb", .optional(.number(minimum: 0), "Written to disk since the start.")),
        (
            "outbox",
            .optional(
                .object([
                    ("pending", .required(.count, "Records not everybody has.")),
                    ("oldest_s", .required(.count, "Age of the oldest of them.")),
                    ("acked", .required(.map(.count), "By receiver: position up to which it has everything.")),
                ]))
        ),
        (
            "mqtt",
            .optional(
                .object([
                    ("online", .required(.flag, "Whether the broker is connected. Always true in a message.")),
                    ("sid", .connectionNumber), ("reconnects", .required(.count)),
                    ("dropped_ephemeral", .required(.count)),
                    ("refused_retained", .required(.count)),
                    ("replaced_switches", .required(.count, "Replaced by a newer wish before they were carried out.")),
                ]))
        ),
        (
            "clock",
            .optional(
                .object([
                    ("state", .required(.text(words: ["synced", "unsynced"]))), ("offset_ms", .optional(.integer())),
                ]))
        ),
        ("accuracy", .optional(Accuracy.schema, "By the answers of the last five weeks.")),
        ("accuracy_by_camera", .optional(.list(Accuracy.schema), "The same for each camera.")),
        ("cams", .required(.map(Camera.schema))),
    ])
}

extension HealthPayload.Camera {
    /// The schema of a camera's figures.
    package static let schema = Schema.object([
        ("fps_in", .required(.number(minimum: 0))), ("fps_proc", .required(.number(minimum: 0))),
        (
            "people_fps",
            .optional(.map(.number(minimum: 0)), "By track: frames a second in which the person is looked at.")
        ),
        ("stride", .required(.count, "Every so many-th frame is looked at.")),
        ("skipped", .required(.count, "Left out by choice.")),
        ("dropped", .required(.count, "Lost: late, missed, damaged, frozen or black.")),
        ("infer_ms_p50", .required(.number(minimum: 0))), ("infer_ms_p95", .required(.number(minimum: 0))),
        ("last_frame_s", .optional(.number(minimum: 0), "Seconds since the last frame; absent before the first one.")),
    ])
}

extension Problem {
    /// The schema of a problem.
    package static let schema = Schema.object([
        ("code", .required(.text(pattern: "^[a-z0-9_]+$"))), ("camera", .optional(.id)),
        ("since", .required(.moment)), ("message", .optional(.words, "Ends in what to do.")),
    ])
}
