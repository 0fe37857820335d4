import Actions
import Foundation
import NeuralNet
import Poses
import Records

/// Labelled clips, and those that could not be used.
public struct Dataset: Sendable {
    /// The usable clips.
    public var clips: [LabelledClip]
    /// The unusable clips with reasons.
    public var rejected: [RejectedClip]
    /// What a person should know about clips that are used.
    public var remarks: [String] = []

    /// A dataset of clips that have already been read.
    public init(clips: [LabelledClip], rejected: [RejectedClip] = []) {
        self.clips = clips
        self.rejected = rejected
    }

    /// Reads a folder of labelled clips, or an annotation file with its recordings.
    ///
    /// - Throws: ``TrainingError``.
    public static func load(
        _ url: URL, isStrict: Bool = false, read: (URL) throws -> LabelledClip?
    ) throws(TrainingError) -> Dataset {
        isFolder(url)
            ? try load(folder: url, isStrict: isStrict, read: read)
            : try load(annotations: url, isStrict: isStrict, read: read)
    }

    /// Reads a folder that contains one folder per label, each with recordings or pose streams, at most eight levels deep.
    ///
    /// A folder within a label's folder stands for a person (`squat/anna/…`, `lunge/anna/…`). All clips of a person
    /// form one group, across labels, however the name is written. A clip directly in the label's folder is its own group.
    ///
    /// - Parameters:
    ///   - isStrict: whether a single unusable clip is an error.
    ///   - read: returns a file's clip, or `nil` if it shows nobody. The path within `folder` becomes the clip's name
    ///     and label. A group that the clip already has takes precedence over the folder's.
    /// - Throws: ``TrainingError``.
    public static func load(
        folder: URL, isStrict: Bool = false, read: (URL) throws -> LabelledClip?
    ) throws(TrainingError) -> Dataset {
        var dataset = Dataset(clips: [])
        let labels = try contents(of: folder).filter(isFolder)
        try refuseParts(of: folder, labels)
        for label in labels {
            try check(label: label.lastPathComponent)
            let files = try files(below: label)
            if files.isEmpty {
                let reason = "the folder holds no video and no \(fileSuffix)"
                dataset.rejected.append(RejectedClip(name: label.lastPathComponent, reason: reason))
            }
            for file in files {
                let name = label.lastPathComponent + file.path.dropFirst(label.path.count)
                do {
                    guard let clip = try read(file) else { throw Unusable(reason: "it shows nobody") }
                    let folders = name.split(separator: "/").dropFirst().dropLast()
                    let group = clip.group.isEmpty ? folders.first.map { String($0).foldedName } ?? name : clip.group
                    dataset.clips.append(clip.with(name: name, label: label.lastPathComponent, group: group))
                } catch {
                    dataset.rejected.append(RejectedClip(name: name, reason: "\(error)"))
                }
            }
        }
        guard !isStrict || dataset.rejected.isEmpty else { throw .badClips(dataset.rejected) }
        guard !dataset.clips.isEmpty else {
            let loose = try contents(of: folder).filter { !isFolder($0) && isClip($0) }.map {
                RejectedClip(name: $0.lastPathComponent, reason: "it lies in no label's folder")
            }
            throw .noClips(source: folder.path, rejected: dataset.rejected + loose)
        }
        return dataset
    }

    /// The clips at a new rate, without those that are mostly empty or not finite. A clip that is shorter than a window
    /// runs back and forth, like a short recording in recognition; one that is much shorter is left out.
    package func prepared(rate: Double, windowFrames: Int) -> Dataset {
        var prepared = Dataset(clips: [], rejected: rejected)
        for clip in clips {
            if let reason = Self.flaw(of: clip) {
                prepared.rejected.append(RejectedClip(name: clip.name, reason: reason))
                continue
            }
            let resampled = clip.resampled(to: rate)
            let needed = Int((ModelDescription.minimumWindowShare * Double(windowFrames)).rounded(.up))
            if resampled.frames < needed {
                let reason = "it has \(resampled.frames) frames at \(rate) per second, expected at least \(needed)"
                prepared.rejected.append(RejectedClip(name: clip.name, reason: reason))
            } else {
                prepared.clips.append(resampled.lengthened(to: windowFrames))
            }
        }
        return prepared
    }

    /// Leaves out clips that are the same as one before them.
    public mutating func rejectDoubles() {
        var names: [[Float]: String] = [:]
        var kept: [LabelledClip] = []
        for clip in clips {
            if let first = names[clip.keypoints] {
                rejected.append(RejectedClip(name: clip.name, reason: "it is the same recording as \(first)"))
            } else {
                names[clip.keypoints] = clip.name
                kept.append(clip)
            }
        }
        clips = kept
    }

    private static func flaw(of clip: LabelledClip) -> String? {
        let isWhole = clip.keypoints.count % KeypointFrame.count == 0 && clip.frames > 0
        if !isWhole { return "its key points are not [frames, 18, 3]" }
        if !(clip.rate.isFinite && clip.rate > 0) { return "its rate is \(clip.rate)" }
        if !(clip.aspect.isFinite && clip.aspect > 0) { return "its aspect is \(clip.aspect)" }
        if !clip.keypoints.allSatisfy(\.isFinite) { return "it holds numbers that are not finite" }
        if clip.posedShare < 0.5 { return "only \(Int(100 * clip.posedShare)) % of its frames show a person" }
        return nil
    }

    /// SHA-256 over the contents of all clips, independent of their order.
    package static func digest(of clips: [LabelledClip]) -> String {
        let digests = clips.map { clip in
            let hash = SHA256()
            hash.update("\(clip.name)\n\(clip.label)\n\(clip.group)\n\(clip.rate)\n\(clip.aspect)\n".utf8)
            clip.keypoints.withUnsafeBytes { hash.update($0) }
            return hash.finish()
        }
        return SHA256.hex(of: digests.sorted().joined().utf8)
    }

    /// Checks that a label is allowed.
    ///
    /// - Throws: ``TrainingError/labelReserved(label:)`` or ``TrainingError/labelMalformed(label:suggestion:)``.
    package static func check(label: String) throws(TrainingError) {
        guard PseudoLabel(rawValue: label) == nil else { throw .labelReserved(label: label) }
        guard isWellFormed(label) else { throw .labelMalformed(label: label, suggestion: suggestion(for: label)) }
    }

    /// Why a label of an annotation file is not allowed, and what to write instead; `nil` if it is.
    static func flaw(ofLabel label: String) -> String? {
        if PseudoLabel(rawValue: label) != nil {
            return "the label '\(label)' is reserved for windows without an answer; write another, such as 'none'"
        }
        guard !isWellFormed(label) else { return nil }
        return "the label '\(label)' must consist of lower-case letters, digits and underscores; "
            + "write '\(suggestion(for: label))'"
    }

    private static func isWellFormed(_ label: String) -> Bool { !label.isEmpty && label == suggestion(for: label) }

    private static func suggestion(for label: String) -> String {
        String(label.lowercased().map { allowed.contains($0) ? $0 : "_" })
    }

    private static let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_")

    private struct Unusable: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }
}
