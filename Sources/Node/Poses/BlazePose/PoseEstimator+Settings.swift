extension PoseEstimator {
    /// Limits, intervals and threads.
    public struct Settings: Sendable {
        /// The most people tracked at once; others are ignored.
        public var maximumPeople: Int
        /// Seconds between searches for newcomers while there is motion around the tracked people.
        public var detectionIntervalSeconds: Double
        /// The presence, 0…1, that the landmark network must exceed for a person to be in the region.
        public var minimumPresence: Float
        /// Threads that share the work of a frame.
        public var threads: Int
        /// Where nobody is looked for: people whose trunk is there are ignored.
        public var masks: [PictureArea]
        /// Mirrors: a person who is wholly inside one, feet included, is a reflection and is ignored.
        public var mirrors: [PictureArea]

        /// Creates settings.
        public init(
            maximumPeople: Int = 12, detectionIntervalSeconds: Double = 0.5, minimumPresence: Float = 0.5,
            threads: Int = 1, masks: [PictureArea] = [], mirrors: [PictureArea] = []
        ) {
            self.maximumPeople = maximumPeople
            self.detectionIntervalSeconds = detectionIntervalSeconds
            self.minimumPresence = minimumPresence
            self.threads = threads
            self.masks = masks
            self.mirrors = mirrors
        }
    }
}
