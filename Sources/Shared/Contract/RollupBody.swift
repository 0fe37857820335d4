import Records

/// The `body` of a rollup record: what was counted in five minutes.
public struct RollupBody: Sendable, Codable, Equatable {
    /// The camera's id.
    public var camera: String
    /// The beginning of the five minutes: RFC 3339, UTC.
    public var start: String
    /// The end of the five minutes: RFC 3339, UTC.
    public var end: String
    /// The model's name and the start of its digest.
    public var model: String
    /// The frame rate by which frames become seconds.
    public var fps: Double
    /// The sums, one entry per label.
    public var actions: [Action]

    /// A rollup of these values.
    package init(camera: String, start: String, end: String, model: String, fps: Double, actions: [Action]) {
        (self.camera, self.start, self.end) = (camera, start, end)
        (self.model, self.fps, self.actions) = (model, fps, actions)
    }

    /// The sums of one label.
    public struct Action: Sendable, Codable, Equatable {
        /// The model's label.
        public var label: String
        /// Frames credited to the label.
        public var frames: Int
        /// The same in seconds.
        public var seconds: Double

        /// Sums of these values.
        package init(label: String, frames: Int, seconds: Double) {
            (self.label, self.frames, self.seconds) = (label, frames, seconds)
        }
    }
}

extension RollupBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("model", .required(.model)), ("fps", .required(.rate)),
        (
            "actions",
            .required(
                .list(
                    .object([
                        ("label", .required(.word)), ("frames", .required(.tally)),
                        ("seconds", .required(.seconds)),
                    ])))
        ),
    ])
}
