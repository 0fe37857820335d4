import Actions
import Foundation
import HTTPServing
import Poses

/// The name of a recorded clip: what, who, when. Every part is checked, since names come from browsers and become
/// paths.
package struct ClipName: Hashable, Sendable {
    /// The end of the file's name.
    static let suffix = ".poses.jsonl"

    /// What, who, when.
    package let label, person, time: String

    /// A name from its parts.
    ///
    /// - Throws: ``WebFailure`` when a part is not allowed.
    package init(label: String, person: String, time: String) throws {
        guard label.wholeMatch(of: /[a-z0-9_]{1,24}/) != nil, PseudoLabel(rawValue: label) == nil else {
            throw WebFailure(
                .badRequest, "bad_label",
                "A label takes 1 to 24 lower-case letters, digits and underscores, such as kettlebell_swing.")
        }
        guard person.wholeMatch(of: /[A-Za-z0-9_-]{1,20}/) != nil else {
            throw WebFailure(
                .badRequest, "bad_person",
                "A person's name takes 1 to 20 letters of the English alphabet, digits, '-' and '_'.")
        }
        // The id must fit into one part of an address; see `Route`.
        guard time.wholeMatch(of: /[0-9][0-9T.-]{0,20}/) != nil, label.count + person.count + time.count <= 62 else {
            throw WebFailure(.badRequest, "bad_clip", "This is no clip's id: take one of the list.")
        }
        (self.label, self.person, self.time) = (label, person, time)
    }

    /// A name from its id, such as `squat.anna.20261122T101500123`.
    ///
    /// - Throws: ``WebFailure`` when it is no clip's id.
    package init(id: String) throws {
        let parts = id.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else {
            throw WebFailure(.badRequest, "bad_clip", "This is no clip's id: take one of the list.")
        }
        try self.init(label: parts[0], person: parts[1], time: parts[2])
    }

    /// A clip that is recorded now.
    init(label: String, person: String, at date: Date) throws {
        let text = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        try self.init(label: label, person: person, time: String(text.filter { $0.isNumber || $0 == "T" }))
    }

    /// The name in addresses: one path component.
    package var id: String { "\(label).\(person).\(time)" }

    /// Relative to the folder of clips.
    package var path: String { "\(label)/\(person)/\(time)\(Self.suffix)" }

    /// The same recording under another label.
    func relabelled(_ label: String) throws -> ClipName { try ClipName(label: label, person: person, time: time) }
}
