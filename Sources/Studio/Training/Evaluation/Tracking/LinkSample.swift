import Actions
import Foundation
import Records

/// A comparison of two tracks with the truth about them: what a scorer of links learns from.
public struct LinkSample: Sendable, Equatable {
    /// The recording.
    public let clip: String
    /// The numbers by which the two were compared.
    public let features: [Float]
    /// Whether they were one person.
    public let isSame: Bool

    /// Writes samples as CSV: the clip, whether they were one person (0 or 1), and the numbers.
    public static func write(_ samples: [LinkSample], to path: String) throws {
        let lines = samples.map { sample in
            ([sample.clip, sample.isSame ? "1" : "0"] + sample.features.map { "\($0)" }).joined(separator: ",")
        }
        let header = (["clip", "same"] + LinkEvidence.featureNames).joined(separator: ",")
        let text = ([header] + lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(toPlace: URL(filePath: path))
    }
}

extension LinkSample {
    /// A track shows somebody who is on it in at least this share of its pictures.
    private static let minimumPurity = 0.8

    /// The comparisons of a recording whose tracks each show one person.
    ///
    /// - Parameter owners: who was on which track, picture by picture.
    static func all(_ comparisons: [LinkComparison], of clip: String, owners: [RightMinutes.Owners]) -> [LinkSample] {
        comparisons.compactMap { comparison in
            guard let earlier = owner(of: comparison.earlier, until: comparison.time, in: owners),
                let later = owner(of: comparison.later, until: comparison.time, in: owners)
            else { return nil }
            return LinkSample(clip: clip, features: comparison.evidence.features, isSame: earlier == later)
        }
    }

    private static func owner(of track: Int, until time: Double, in owners: [RightMinutes.Owners]) -> Int? {
        let people = owners.lazy.filter { $0.time <= time }.compactMap { $0.people[track] }
        let counts = people.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let sum = counts.values.reduce(0, +)
        return counts.first { Double($0.value) >= minimumPurity * Double(sum) }?.key
    }
}
