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
    /// For each pose, whether it was measured in this frame; otherwise it is that of the last look at a person who rests.
    public let isMeasured: [Bool]

    /// Creates a frame from its parts; without `isMeasured` all poses are measured.
    public init(
        index: Int, time: Double, image: Image?, widthPixels: Int, heightPixels: Int, poses: [Pose],
        isMeasured: [Bool]? = nil
    ) {
        self.index = index
        self.time = time
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.poses = poses
        self.isMeasured = isMeasured ?? Array(repeating: true, count: poses.count)
    }
}

/// One tracked person in one frame.
public struct Track: Sendable, Equatable {
    /// Counts people from 1 in the order in which they appear. Numbers are not reused within a run.
    public fileprivate(set) var id: Int
    /// The person's joints.
    public let pose: Pose
    /// Whether the pose was measured in this frame. A person who rests is looked at a few times a second; in between
    /// this is the pose of the last look.
    public let isMeasured: Bool
    /// The zone that the person is in; `nil` outside all zones.
    public var zone: String?
    /// The colours of the person's clothes; `nil` while they were not read.
    package var clothes: ClothingColours?

    /// Creates a track from its parts.
    public init(id: Int, pose: Pose, isMeasured: Bool = true, zone: String? = nil) {
        self.id = id
        self.pose = pose
        self.isMeasured = isMeasured
        self.zone = zone
    }

    /// The same track with another number.
    fileprivate func numbered(_ id: Int) -> Track {
        var track = self
        track.id = id
        return track
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
    /// The tracks that were measured in this frame; the others show the pose of their last look.
    public var measured: [Track] { tracks.filter(\.isMeasured) }
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

    /// The same frame with numbers of tracks that are higher by an offset. Numbers too large for that stay.
    public func renumbered(by offset: Int) -> TrackedFrame {
        guard offset != 0 else { return self }
        return numbered { id in
            let (sum, isTooLarge) = id.addingReportingOverflow(offset)
            return isTooLarge ? id : sum
        }
    }

    /// The same frame with other numbers of its tracks.
    package func numbered(_ number: (Int) -> Int) -> TrackedFrame {
        TrackedFrame(
            index: index, time: time, image: image, widthPixels: widthPixels, heightPixels: heightPixels,
            tracks: tracks.map { $0.numbered(number($0.id)) }, prominent: prominent.map(number))
    }

    /// Width divided by height, which turns fractions into comparable lengths.
    public var aspect: Float { Float(widthPixels) / Float(max(heightPixels, 1)) }
}
