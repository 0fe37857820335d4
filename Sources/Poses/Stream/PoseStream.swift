import Foundation

/// The first line of a pose stream, `NAME.poses.jsonl`: one JSON object that says what follows.
public struct PoseStreamHeader: Codable, Sendable, Equatable {
    public let format: String
    public let version: Int
    /// The joints' names in the order of the key points.
    public let joints: [String]
    /// Frames per second.
    public let rateHz: Double
    /// The picture's size in pixels, from which fractions get their aspect.
    public let width: Int
    public let height: Int
    /// Where the poses came from: a file, URL or device.
    public let source: String

    public init(rateHz: Double, width: Int, height: Int, source: String) {
        format = "spotter.poses"
        version = 1
        joints = Joint.names
        self.rateHz = rateHz
        self.width = width
        self.height = height
        self.source = source
    }

    enum CodingKeys: String, CodingKey {
        case format, version, joints
        case rateHz = "rate_hz"
        case width, height, source
    }
}

/// Why a pose stream cannot be read. Every message ends in what to do next.
public enum PoseStreamError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case notAPoseStream(path: String, reason: String)
    case damagedLine(path: String, line: Int, reason: String)
    case unwritable(path: String, reason: String)
    /// Whoever read the stream from standard output has gone.
    case readerGone

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); check the path and its permissions"
        case .notAPoseStream(let path, let reason):
            "\(path) is not a pose stream: \(reason); make one with: spotter poses clip.mp4 -o clip.poses.jsonl"
        case .damagedLine(let path, let line, let reason):
            "\(path), line \(line): \(reason); delete the line, or make the stream anew with: spotter poses"
        case .unwritable(let path, let reason):
            "cannot write \(path): \(reason); choose another place with -o"
        case .readerGone: "nobody reads the pose stream any more"
        }
    }
}

/// One frame's line of a pose stream.
struct PoseStreamLine: Codable {
    let t: Double
    let poses: [Person]

    struct Person: Codable {
        let track: Int
        let keypoints: [[Float]]
    }
}
