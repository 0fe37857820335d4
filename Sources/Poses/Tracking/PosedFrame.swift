import Capture

/// A frame once its people are found.
public struct PosedFrame: Sendable {
    public let index: Int
    /// Seconds on the source's clock.
    public let time: Double
    /// The picture, for whoever draws on it; nothing behind the chain keeps it.
    public let image: Image?
    public let widthPixels: Int
    public let heightPixels: Int
    public let poses: [Pose]

    public init(index: Int, time: Double, image: Image?, widthPixels: Int, heightPixels: Int, poses: [Pose]) {
        self.index = index
        self.time = time
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.poses = poses
    }
}

/// One followed person in one frame.
public struct Track: Sendable, Equatable {
    /// Counts people from 1 in the order they appeared; never used again within a run.
    public let id: Int
    public let pose: Pose

    public init(id: Int, pose: Pose) {
        self.id = id
        self.pose = pose
    }
}

/// A frame once it is known who is who.
public struct TrackedFrame: Sendable {
    public let index: Int
    /// Seconds on the source's clock.
    public let time: Double
    public let image: Image?
    public let widthPixels: Int
    public let heightPixels: Int
    /// Everyone in view.
    public let tracks: [Track]
    /// The track of the prominent person; they may be hidden in this very frame.
    public let prominent: Int?

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
