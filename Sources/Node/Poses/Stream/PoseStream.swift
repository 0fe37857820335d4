import Foundation

/// The header of a pose stream: one JSON object on the first line of `NAME.poses.jsonl`.
public struct PoseStreamHeader: Codable, Sendable, Equatable {
    /// The file format: `spotter.poses`.
    public let format: String
    /// The version of the format: 1.
    public let version: Int
    /// The joints' names in the order of the key points.
    public let joints: [String]
    /// Frames per second.
    public let rateHz: Double
    /// Width of the pictures in pixels. Coordinates are fractions of the size, so it gives the aspect ratio.
    public let width: Int
    /// Height of the pictures in pixels.
    public let height: Int
    /// Where the poses came from: a file, URL or device.
    public let source: String

    /// Creates a header of the current version.
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

/// Why a pose stream cannot be read or written. Every message ends with what to do next.
public enum PoseStreamError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be opened.
    case unreadable(path: String, reason: String)
    /// The file has no header of a known version.
    case notAPoseStream(path: String, reason: String)
    /// A line, counted from 1, does not hold a valid frame.
    case damagedLine(path: String, line: Int, reason: String)
    /// The stream cannot be written.
    case unwritable(path: String, reason: String)
    /// The process that read the stream from standard output has ended.
    case readerGone

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); check the path and its permissions"
        case .notAPoseStream(let path, let reason):
            "\(path) is not a pose stream: \(reason); create one with: spotter poses clip.mp4 -o clip.poses.jsonl"
        case .damagedLine(let path, let line, let reason):
            "\(path), line \(line): \(reason); delete the line, or create the stream again with: spotter poses"
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
