import Foundation

/// `health`: the heartbeat. What a machine cannot measure is absent.
public struct HealthPayload: Sendable, Codable, Equatable {
    public var v = 1
    public var ts: Date
    public var uptimeSeconds: Int
    /// Whether ``problems`` is empty.
    public var ok: Bool
    public var problems: [Problem]
    public var cpuPercent: Double?
    public var memoryMB: Int?
    public var load1: Double?
    public var temperatureCelsius: Double?
    public var throttled: Bool?
    public var diskFreeMB: Int?
    public var databaseMB: Double?
    public var walMB: Double?
    /// Transactions since the start, and what the process wrote to disk meanwhile.
    public var commits: Int?
    public var writtenMB: Double?
    /// Filled in when it is sent.
    public var outbox: Outbox?
    public var mqtt: Connection?
    public var clock: Clock?
    public var cams: [String: Camera]

    public init(ts: Date, uptimeSeconds: Int, problems: [Problem], cams: [String: Camera]) {
        self.ts = ts
        self.uptimeSeconds = uptimeSeconds
        ok = problems.isEmpty
        self.problems = problems
        self.cams = cams
    }

    enum CodingKeys: String, CodingKey {
        case v, ts, ok, problems, load1, throttled, outbox, mqtt, clock, cams, commits
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

/// Something an operator should know of, under a fixed code.
public struct Problem: Sendable, Codable, Equatable {
    public var code: String
    public var camera: String?
    public var since: Date
    /// One sentence that ends in what to do.
    public var message: String?

    public init(code: String, camera: String? = nil, since: Date, message: String? = nil) {
        self.code = code
        self.camera = camera
        self.since = since
        self.message = message
    }
}

extension HealthPayload {
    public struct Outbox: Sendable, Codable, Equatable {
        /// Records not yet acknowledged.
        public var pending: Int
        /// Age of the oldest of them, seconds.
        public var oldestSeconds: Int
        /// By receiver: the position up to which it has everything.
        public var acked: [String: Int64]

        enum CodingKeys: String, CodingKey {
            case pending, acked
            case oldestSeconds = "oldest_s"
        }
    }

    public struct Connection: Sendable, Codable, Equatable {
        public var sid: Int64
        public var reconnects: Int
        public var droppedEphemeral: Int
        /// Commands that were refused because the broker had kept them.
        public var refusedRetained: Int
        /// Wishes to switch a camera that a newer one replaced before they were carried out.
        public var replacedSwitches: Int

        enum CodingKeys: String, CodingKey {
            case sid, reconnects
            case droppedEphemeral = "dropped_ephemeral"
            case refusedRetained = "refused_retained"
            case replacedSwitches = "replaced_switches"
        }
    }

    public struct Clock: Sendable, Codable, Equatable {
        public var state: String
        public var offsetMilliseconds: Int?

        public init(state: String, offsetMilliseconds: Int? = nil) {
            self.state = state
            self.offsetMilliseconds = offsetMilliseconds
        }

        enum CodingKeys: String, CodingKey {
            case state
            case offsetMilliseconds = "offset_ms"
        }
    }

    public struct Camera: Sendable, Codable, Equatable {
        public var fpsIn: Double
        public var fpsProcessed: Double
        /// Every so many-th frame is looked at; 1 where there is time for all.
        public var stride: Int
        /// Frames left out for the stride's sake.
        public var skipped: Int
        /// Frames lost because they came too fast all the same.
        public var dropped: Int
        public var inferMillisecondsP50: Double
        public var inferMillisecondsP95: Double
        /// Seconds since the last frame.
        public var lastFrameSeconds: Double

        public init(
            fpsIn: Double, fpsProcessed: Double, stride: Int, skipped: Int, dropped: Int,
            inferMillisecondsP50: Double, inferMillisecondsP95: Double, lastFrameSeconds: Double
        ) {
            self.fpsIn = fpsIn
            self.fpsProcessed = fpsProcessed
            self.stride = stride
            self.skipped = skipped
            self.dropped = dropped
            self.inferMillisecondsP50 = inferMillisecondsP50
            self.inferMillisecondsP95 = inferMillisecondsP95
            self.lastFrameSeconds = lastFrameSeconds
        }

        enum CodingKeys: String, CodingKey {
            case stride, skipped, dropped
            case fpsIn = "fps_in"
            case fpsProcessed = "fps_proc"
            case inferMillisecondsP50 = "infer_ms_p50"
            case inferMillisecondsP95 = "infer_ms_p95"
            case lastFrameSeconds = "last_frame_s"
        }
    }
}
