import Foundation
import Poses

/// Who is where in each picture of a recording: the truth, or what a tracker found.
public struct IdentityStream: Sendable, Equatable {
    /// One person in one picture.
    public struct Person: Sendable, Equatable {
        /// The person's number, the same in every picture.
        public var identity: Int
        /// The 18 joints in the order of `Joint`, in units of the picture's height; `nil` where one is not known.
        public var joints: [SIMD2<Double>?]
        /// The share of the body that is inside the picture and not hidden, 0…1.
        public var visibleShare: Double
        /// Where the body is, of a person who was labelled by hand and has no joints.
        public var outline: Outline?

        /// Creates a person from their parts.
        public init(identity: Int, joints: [SIMD2<Double>?], visibleShare: Double = 1) {
            self.identity = identity
            self.joints = joints
            self.visibleShare = visibleShare
        }
    }

    /// Everybody at one moment.
    public struct Picture: Sendable, Equatable {
        /// Seconds since the beginning.
        public var time: Double
        /// The people. Identities are unique.
        public var people: [Person]

        /// Creates a picture from its parts.
        public init(time: Double, people: [Person]) {
            self.time = time
            self.people = people
        }
    }

    /// An exercise of one person without a rest.
    public struct Exercise: Sendable, Equatable {
        /// The person's number.
        public var identity: Int
        /// The exercise.
        public var label: String
        /// When it began, seconds since the beginning.
        public var start: Double
        /// When it ended, seconds since the beginning.
        public var end: Double
        /// From when to when each repetition lasted, seconds since the beginning; none where they were not counted.
        public var repetitions: [ClosedRange<Double>]

        /// Creates an exercise from its parts.
        public init(identity: Int, label: String, start: Double, end: Double, repetitions: [ClosedRange<Double>]) {
            (self.identity, self.label, self.start, self.end) = (identity, label, start, end)
            self.repetitions = repetitions
        }
    }

    /// The pictures in order of time.
    public var pictures: [Picture]
    /// Seconds between two pictures.
    public var intervalSeconds: Double
    /// The pictures' width divided by their height.
    public var aspect: Double
    /// What people did, where that is known.
    public var exercises: [Exercise] = []

    /// Creates a stream from its parts.
    public init(pictures: [Picture], intervalSeconds: Double, aspect: Double) {
        self.pictures = pictures
        self.intervalSeconds = intervalSeconds
        self.aspect = aspect
    }

    /// Reads a pose stream (`*.poses.jsonl`), labels by hand (`*.people.csv`), or the `.json` that the renderer writes
    /// beside a clip.
    ///
    /// - Throws: ``IdentityStreamError``, or `PoseStreamError` for a damaged line.
    public init(contentsOf url: URL) throws {
        if url.lastPathComponent.hasSuffix(".jsonl") {
            try self.init(poseStream: url)
        } else if PeopleLabels.isNamed(url.path) {
            try self.init(PeopleLabels(contentsOf: url))
        } else {
            try self.init(renderedTruth: url)
        }
        guard !pictures.isEmpty else { throw IdentityStreamError.empty(path: url.path) }
    }
}

extension IdentityStream.Picture {
    /// The tracks of a frame. Joints of a confidence of 0.1 or less are not known, as in tracking.
    package init(_ frame: TrackedFrame) {
        let aspect = Double(frame.aspect)
        let people = frame.tracks.map { track in
            IdentityStream.Person(
                identity: track.id,
                joints: track.pose.keypoints.map {
                    $0.confidence > 0.1 ? SIMD2(Double($0.x) * aspect, Double($0.y)) : nil
                })
        }
        self.init(time: frame.time, people: people)
    }
}

extension IdentityStream {
    /// Reads a pose stream. Joints of a confidence of 0.1 or less are not known, as in tracking.
    init(poseStream url: URL) throws {
        let reader = try PoseStreamReader(url)
        let aspect = Double(reader.header.width) / Double(reader.header.height)
        var pictures: [Picture] = []
        while let frame = try reader.next() {
            pictures.append(Picture(frame))
        }
        self.init(pictures: pictures, intervalSeconds: 1 / reader.header.rateHz, aspect: aspect)
    }
}
