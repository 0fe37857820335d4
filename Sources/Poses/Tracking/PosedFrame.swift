import Capture

/// A frame with the poses found in it.
public struct PosedFrame: Sendable {
    /// The index of the frame in its source, from 0.
    public let index: Int
    /// Seconds on the source's clock.
    public let time: Double
    /// The picture, for drawing; `nil` for replayed poses. The recognition chain does not keep it.
    public let image: Image?
    /// Width of the picture.
    public let widthPixels: Int
    /// Height of the picture.
    public let heightPixels: Int
    /// Everyone in the picture.
    public let poses: [Pose]

    /// Creates a frame from its parts.
    public init(index: Int, time: Double, image: Image?, widthPixels: Int, heightPixels: Int, poses: [Pose]) {
        self.index = index
        self.time = time
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.poses = poses
    }
}

/// One tracked person in one frame.
public struct Track: Sendable, Equatable {
    /// Counts people from 1 in the order in which they appear. Numbers are not reused within a run.
    public let id: Int
    /// The person's joints.
    public let pose: Pose
    /// The zone that the person is in; `nil` outside all zones.
    public var zone: String?

    /// Creates a track from its parts.
    public init(id: Int, pose: Pose, zone: String? = nil) {
        self.id = id
        self.pose = pose
        self.zone = zone
    }
}

/// A frame whose poses are assigned to tracks.
public struct TrackedFrame: Sendable {
    /// The index of the frame in its source, from 0.
    public let index: Int
    /// Seconds on the source's clock.
    public let time: Double
    /// The picture, for drawing; `nil` for replayed poses.
    public let image: Image?
    /// Width of the picture.
    public let widthPixels: Int
    /// Height of the picture.
    public let heightPixels: Int
    /// Everyone in view.
    public let tracks: [Track]
    /// The track of the prominent person, who may be hidden in this frame; `nil` without one.
    public let prominent: Int?

    /// Creates a frame from its parts.
    public init(
        index: Int, time: Double, image: Image?, widthPixels: Int, heightPixels: Int, tracks: [Track], prominent: Int?
    ) {
        self.index = index
        self.time = time
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.tracks = tracks
        self.prominent = prominent
    }

    /// Width divided by height, which turns fractions into comparable lengths.
    public var aspect: Float { Float(widthPixels) / Float(max(heightPixels, 1)) }
}
