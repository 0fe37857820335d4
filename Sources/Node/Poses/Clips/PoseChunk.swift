/// Some seconds of one person's joints, and their packed form for storage.
///
/// The bytes, numbers little-endian: version 1 (1 byte), width and height of the picture in pixels (2 each), number of
/// frames (2). Then each frame: milliseconds since the chunk's beginning (2), and x, y (2 each) and confidence (1) of
/// the 18 joints in the order of ``Joint``. That is 92 bytes a frame. At 30 frames/s one person takes 2.8 kB a second
/// and 9.9 MB an hour.
///
/// 0…65,535 stands for -1…2 picture widths or heights, in steps of 0.00005. Joints further outside move to the limit.
package struct PoseChunk: Sendable, Equatable {
    /// One frame of a chunk.
    package struct Frame: Sendable, Equatable {
        /// Since the chunk's beginning, 0…65,535.
        package let milliseconds: Int
        /// The person's joints.
        package let pose: Pose

        /// A frame from its parts.
        package init(milliseconds: Int, pose: Pose) {
            self.milliseconds = milliseconds
            self.pose = pose
        }
    }

    private static let version: UInt8 = 1
    private static let headerBytes = 7
    private static let jointBytes = 5
    private static let frameBytes = 2 + jointBytes * KeypointFrame.joints
    private static let largest = 65_535

    /// The size of the pictures, 1…65,535 pixels.
    package let widthPixels, heightPixels: Int
    /// The frames, each later than the one before it.
    package let frames: [Frame]

    /// A chunk from its parts.
    package init(widthPixels: Int, heightPixels: Int, frames: [Frame]) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.frames = frames
    }

    /// The joints of one person at these times, in order; `nil` for none.
    package init?(_ sightings: [PoseSighting], widthPixels: Int, heightPixels: Int) {
        guard let first = sightings.first else { return nil }
        self.init(
            widthPixels: widthPixels, heightPixels: heightPixels,
            frames: sightings.map {
                Frame(milliseconds: Int((($0.time - first.time) * 1000).rounded()), pose: $0.pose)
            })
    }

    /// Width divided by height of the pictures.
    package var aspect: Float { Float(widthPixels) / Float(max(heightPixels, 1)) }

    // MARK: - Packing

    /// The packed form. Numbers beyond their range move to its limit; a joint that is not finite counts as not seen.
    package var packed: [UInt8] {
        let kept = frames.prefix(Self.largest)
        var bytes: [UInt8] = [Self.version]
        bytes.reserveCapacity(Self.headerBytes + kept.count * Self.frameBytes)
        func append(_ number: Int) {
            let number = min(max(number, 0), Self.largest)
            bytes.append(UInt8(number & 0xFF))
            bytes.append(UInt8(number >> 8))
        }
        for number in [widthPixels, heightPixels, kept.count] { append(number) }
        for frame in kept {
            append(frame.milliseconds)
            for joint in frame.pose.keypoints {
                let isSeen = joint.confidence > 0 && joint.x.isFinite && joint.y.isFinite
                append(isSeen ? Self.steps(joint.x) : 0)
                append(isSeen ? Self.steps(joint.y) : 0)
                // A joint that was hardly seen stays a joint that was seen.
                bytes.append(isSeen ? UInt8(max(1, (min(joint.confidence, 1) * 255).rounded())) : 0)
            }
        }
        return bytes
    }

    /// Reads the packed form; `nil` for anything else, such as bytes that end early.
    package init?(packed bytes: [UInt8]) {
        guard bytes.count > Self.headerBytes, bytes[0] == Self.version else { return nil }
        func number(at index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
        let (width, height, count) = (number(at: 1), number(at: 3), number(at: 5))
        guard width > 0, height > 0, count > 0, bytes.count == Self.headerBytes + count * Self.frameBytes else {
            return nil
        }
        var frames: [Frame] = []
        frames.reserveCapacity(count)
        for first in stride(from: Self.headerBytes, to: bytes.count, by: Self.frameBytes) {
            let milliseconds = number(at: first)
            if let last = frames.last, milliseconds <= last.milliseconds { return nil }
            let keypoints = (0..<KeypointFrame.joints).map { joint -> Keypoint in
                let place = first + 2 + joint * Self.jointBytes
                guard bytes[place + 4] > 0 else { return .missing }
                return Keypoint(
                    x: Self.position(number(at: place)), y: Self.position(number(at: place + 2)),
                    confidence: Float(bytes[place + 4]) / 255)
            }
            frames.append(Frame(milliseconds: milliseconds, pose: Pose(keypoints: keypoints)))
        }
        self.init(widthPixels: width, heightPixels: height, frames: frames)
    }

    private static func steps(_ position: Float) -> Int {
        Int(((min(max(position, -1), 2) + 1) / 3 * Float(largest)).rounded())
    }

    private static func position(_ steps: Int) -> Float { Float(steps) / Float(largest) * 3 - 1 }
}

/// The joints of one person at one time.
package struct PoseSighting: Sendable {
    /// Seconds on the source's clock.
    package let time: Double
    /// The joints.
    package let pose: Pose

    /// A sighting from its parts.
    package init(time: Double, pose: Pose) { (self.time, self.pose) = (time, pose) }
}
