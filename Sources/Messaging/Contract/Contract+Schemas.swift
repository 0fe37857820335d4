import Actions
import Records

extension Contract {
    /// The schema of every payload, in the order of ``messages``.
    static var all: [(name: String, schema: Schema)] {
        [
            ("status", status), ("info", info), ("health", health), ("log", log), ("cam_status", cameraStatus),
            ("cam_state", cameraState), ("cam_counts", counts), ("cam_live", live), ("cam_event", event),
            ("cam_preview", .jpeg), ("cam_enabled", onOff), ("cam_enabled_set", onOff),
            ("rec_session", .oneOf([record("session", session), record("session", tombstone)])),
            ("rec_rollup", record("rollup", rollup)), ("rec_gap", record("gap", gap)), ("ack", acknowledgement),
            ("cmd", command), ("res", response),
        ]
    }

    private static let v = Schema.Field.required(.constant(1), "Version of the contract.")
    private static let onOff = Schema.text(words: ["ON", "OFF"])
    private static let sid = Schema.Field.required(.count, "The connection's number; only grows.")

    private static let status = Schema.object([
        ("v", v), ("state", .required(.text(words: ["starting", "online", "stopped", "offline"]))), ("sid", sid),
        ("boot", .optional(.words, "Start of the kernel's boot id. Absent in the will.")),
        ("run", .optional(.words, "Which run of the program says it. Absent in the will.")), ("ts", .optional(.moment)),
        ("clock", .optional(.text(words: ["synced", "unsynced"]))),
    ])

    private static let info = Schema.object([
        ("v", v), ("node", .required(.id)), ("site", .required(.id)), ("name", .required(.words)),
        ("sw", .required(.words, "Version of the program.")),
        ("contract", .required(.constant(1))), ("boot", .required(.words)), ("started", .required(.moment)),
        ("epoch", .required(.uuid, "Life of the history; positions begin again with a new one.")),
        ("seq", .required(.count, "The newest record's position.")), ("model", .required(model)),
        ("cameras", .required(.list(camera))),
        ("limits", .required(.object([("max_payload", .required(.count)), ("cmd_max", .required(.count))]))),
        ("commands", .required(.list(.text(words: CommandName.allCases.map(\.rawValue))))),
        (
            "privacy",
            .required(
                .object([("images", .required(.text(words: ["off", "skeleton"]))), ("biometrics", .required(.words))]))
        ),
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

    private static let model = Schema.object([
        ("id", .required(.words)), ("sha256", .required(.words)), ("labels", .required(.list(.words))),
        ("exercises", .required(.list(.words), "Labels that begin sessions and have totals.")),
        ("repetitions", .required(.list(.words), "Labels whose repetitions are counted.")),
        ("window", .required(.count, "Frames.")), ("stride", .required(.count, "Frames.")),
        ("fps", .required(.number(minimum: 0))), ("min_confidence", .required(.share)),
        ("min_pose_ratio", .required(.share)),
        ("overridden", .optional(.flag, "Chosen by command, against the configuration.")),
    ])

    private static let camera = Schema.object([
        ("id", .required(.id)), ("name", .required(.words)), ("source", .required(.words, "The kind only.")),
        ("width", .required(.count, "Pixels.")), ("height", .required(.count, "Pixels.")),
        ("fps", .required(.number(minimum: 0))), ("enabled", .required(.flag)),
        ("overridden", .required(.flag, "Switched by command, against the configuration.")),
    ])

    private static let log = Schema.object([
        ("v", v), ("level", .required(.text(words: ["warning", "error", "critical"]))), ("message", .required(.words)),
        ("ts", .required(.moment)),
    ])

    private static let problem = Schema.object([
        ("code", .required(.text(pattern: "^[a-z0-9_]+$"))), ("camera", .optional(.id)),
        ("since", .required(.moment)), ("message", .optional(.words, "Ends in what to do.")),
    ])

    private static let health = Schema.object([
        ("v", v), ("ts", .required(.moment)), ("uptime_s", .required(.count)),
        ("ok", .required(.flag, "Whether there is no problem.")), ("problems", .required(.list(problem))),
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
                    ("sid", sid), ("reconnects", .required(.count)), ("dropped_ephemeral", .required(.count)),
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
        ("cams", .required(.map(cameraHealth))),
    ])

    private static let cameraHealth = Schema.object([
        ("fps_in", .required(.number(minimum: 0))), ("fps_proc", .required(.number(minimum: 0))),
        ("stride", .required(.count, "Every so many-th frame is looked at.")),
        ("skipped", .required(.count, "Left out by choice.")), ("dropped", .required(.count, "Came too late.")),
        ("infer_ms_p50", .required(.number(minimum: 0))), ("infer_ms_p95", .required(.number(minimum: 0))),
        ("last_frame_s", .required(.number(minimum: 0))),
    ])

    private static let cameraStatus = Schema.object([
        ("v", v), ("state", .required(.text(words: ["online", "offline", "disabled"]))),
        ("reason", .optional(.words)), ("since", .required(.moment)), ("device", .optional(.words)),
        ("retry_in_s", .optional(.count)), ("sid", sid),
    ])

    private static let cameraState = Schema.object([
        ("v", v), ("action", .required(.words, "A label, or starting, no_person, low_confidence, none.")),
        ("confidence", .required(.share)), ("people", .required(.count)), ("session", .optional(.uuid)),
        ("since", .required(.moment)), ("reps", .optional(.count)), ("ts", .required(.moment)),
    ])

    private static let counts = Schema.object([
        ("v", v), ("day", .required(.text(pattern: #"^\d{4}-\d\d-\d\d$"#))),
        ("tz", .required(.words, "Whose midnights cut the days.")), ("sessions", .required(.count)),
        ("frames", .required(.map(.count))), ("seconds", .required(.map(.number(minimum: 0)))),
        ("reps", .required(.map(.integer()))), ("excluded_frames", .required(.map(.count))), ("rev", .required(.count)),
    ])

    private static let live = Schema.object([
        ("v", v), ("t", .required(.moment, "End of the window.")),
        ("f", .required(.list(.count, count: 2), "First and last frame.")),
        ("n", .required(.count, "Frames credited.")), ("a", .required(.words, "Label.")),
        ("c", .required(.share, "Confidence.")), ("p", .required(.share, "Share of frames with a pose.")),
        ("k", .optional(.count, "Person.")),
        (
            "keypoints",
            .optional(.list(.list(.number(), count: 3), count: 18), "Joints of the prominent person: x, y, confidence.")
        ),
    ])

    private static let event = Schema.object([
        ("v", v), ("event_type", .required(.text(words: CameraEvent.Kind.allCases.map(\.rawValue)))),
        ("id", .required(.uuid)), ("session", .optional(.uuid)), ("camera", .required(.id)),
        ("ts", .required(.moment)), ("action", .optional(.words)), ("top_action", .optional(.words)),
        ("seconds", .optional(.number(minimum: 0))), ("reps", .optional(.count)), ("reason", .optional(.words)),
    ])
}
