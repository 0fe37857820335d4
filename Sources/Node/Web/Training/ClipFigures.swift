import Foundation
import Poses

/// How good a recorded clip is.
package struct ClipFigures: Encodable, Equatable, Sendable {
    /// The joints that matter: without the face, whose far side is always hidden.
    private static let joints = Joint.rightShoulder.rawValue...Joint.leftAnkle.rawValue
    /// Below this confidence the page draws no joint.
    private static let minimumConfidence: Float = 0.5
    /// A joint that is missing in more than this share of the frames is named.
    private static let namedShare = 0.2

    /// Its length.
    package var seconds: Double
    /// Share of the frames that show the person, 0…1.
    package var seen: Double
    /// Share of the joints in those frames that are outside the picture or not seen, 0…1.
    package var cutOff: Double
    /// The joints that are often missing.
    package var missing: [String]

    /// Measures a clip.
    package init(_ clip: LabelledClip) {
        seconds = clip.seconds.rounded(decimals: 1)
        seen = Double(clip.posedShare).rounded(decimals: 3)
        let frames = (0..<clip.frames).filter { KeypointFrame.hasPose(clip.keypoints, frame: $0) }
        let counts = Self.joints.map { joint in
            frames.count { Self.isMissing(clip.keypoints, $0 * KeypointFrame.count + 3 * joint) }
        }
        let all = Double(max(frames.count, 1))
        cutOff = (Double(counts.reduce(0, +)) / all / Double(counts.count)).rounded(decimals: 3)
        missing = zip(Self.joints, counts).filter { Double($0.1) / all > Self.namedShare }.map { Joint.names[$0.0] }
    }

    private static func isMissing(_ keypoints: [Float], _ index: Int) -> Bool {
        let (x, y) = (keypoints[index], keypoints[index + 1])
        return keypoints[index + 2] < minimumConfidence || !(0...1).contains(x) || !(0...1).contains(y)
    }

    enum CodingKeys: String, CodingKey {
        case seconds, seen, missing
        case cutOff = "cut_off"
    }
}

/// A recorded clip as the page lists it.
package struct Clip: Encodable, Sendable {
    /// Its id, and two parts of it.
    package let id, label, person: String
    /// When its file was written, milliseconds since 1970.
    package let time: Int64
    /// `nil` for a file that cannot be read.
    package let figures: ClipFigures?
}

/// How much more of a label is needed for a good model.
package struct LabelNeed: Encodable, Equatable, Sendable {
    /// With fewer clips a model learns the room and the day instead of the exercise.
    package static let clips = 10
    /// The clips of one person are held out to measure the model; with a single one the label is not measured.
    package static let persons = 2

    /// What the clips show.
    package let label: String
    /// How many there are, and of how many people.
    package let clips, persons: Int
    /// How many more it wants.
    package let wantsClips, wantsPersons: Int

    /// One row for each label, and one for everything else, which every model must know.
    package static func all(of names: [ClipName]) -> [LabelNeed] {
        let byLabel = Dictionary(grouping: names, by: \.label)
        let lacksOther = !names.isEmpty && byLabel["other"] == nil && byLabel["none"] == nil
        let labels = byLabel.keys.sorted() + (lacksOther ? ["other"] : [])
        return labels.map { label in
            let own = byLabel[label] ?? []
            let people = Set(own.map(\.person)).count
            return LabelNeed(
                label: label, clips: own.count, persons: people, wantsClips: max(clips - own.count, 0),
                wantsPersons: max(persons - people, 0))
        }
    }

    enum CodingKeys: String, CodingKey {
        case label, clips, persons
        case wantsClips = "wants_clips"
        case wantsPersons = "wants_persons"
    }
}
