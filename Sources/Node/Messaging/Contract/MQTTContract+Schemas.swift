import Contract
import History
import Records

extension MQTTContract {
    /// The schema of every payload, in the order of ``messages``. Each payload's schema is beside its type.
    static var all: [(name: String, schema: Schema)] {
        [
            ("status", StatusPayload.schema), ("info", InfoPayload.schema), ("health", HealthPayload.schema),
            ("occupancy", OccupancyPayload.schema), ("alarm", AlarmPayload.schema), ("log", LogPayload.schema),
            ("cam_status", CameraStatusPayload.schema), ("cam_state", CameraState.schema),
            ("cam_workouts", CameraWorkouts.schema), ("cam_counts", CountsPayload.schema),
            ("cam_live", LivePrediction.schema),
            ("cam_event", CameraEvent.schema), ("cam_preview", .jpeg), ("cam_enabled", onOff),
            ("cam_enabled_set", onOff),
            (
                "rec_session",
                .oneOf([record("session", SessionBody.schema), record("session", SessionBody.tombstoneSchema)])
            ),
            ("rec_rollup", record("rollup", RollupBody.schema)), ("rec_workout", record("workout", WorkoutBody.schema)),
            ("rec_absence", record("absence", CameraAbsence.schema)), ("rec_gap", record("gap", GapBody.schema)),
            ("ack", acknowledgement), ("cmd", command), ("res", response),
        ]
    }

    private static let onOff = Schema.text(words: ["ON", "OFF"])
}

extension Schema.Field {
    /// `v`: the contract's version.
    static let contractVersion = required(.constant(1), "Version of the contract.")
    /// `sid`: the number of the connection.
    static let connectionNumber = required(.count, "The connection's number; only grows.")
}
