import Actions
import Foundation
import NeuralNet

/// Clips to learn from, and those that could not be used.
public struct Dataset: Sendable {
    public var clips: [LabelledClip]
    public var rejected: [RejectedClip]

    /// How a file of poses is called.
    public static let fileSuffix = ".poses.jsonl"
    /// How recordings are called whose poses are still to be found.
    public static let videoSuffixes: Set<String> = [
        "mp4", "m4v", "mov", "avi", "mkv", "webm", "mpg", "mpeg", "wmv", "flv", "3gp", "ts", "gif",
    ]

    /// Whether a file is a clip by its name: a pose stream or a video.
    static func isClip(_ url: URL) -> Bool {
        url.lastPathComponent.hasSuffix(fileSuffix) || isVideo(url)
    }

    private static func isVideo(_ url: URL) -> Bool { videoSuffixes.contains(url.pathExtension.lowercased()) }

    /// The videos that ``load(_:isStrict:read:)`` would read, whose poses must be found first.
    ///
    /// - Throws: ``TrainingError``
    public static func videos(in url: URL) throws(TrainingError) -> [URL] {
        guard isFolder(url) else {
            let names = Set(try Annotation.read(url).map(\.fileName))
            return names.sorted().map { url.deletingLastPathComponent().appending(path: $0) }.filter(isVideo)
        }
        var videos: [URL] = []
        for label in try contents(of: url) where isFolder(label) { videos += try files(below: label, depth: 0) }
        return videos.filter(isVideo)
    }

    public init(clips: [LabelledClip], rejected: [RejectedClip] = []) {
        self.clips = clips
        self.rejected = rejected
    }

    /// Reads a folder of labelled clips, or an annotation file with its recordings.
    ///
    /// - Throws: ``TrainingError``
    public static func load(
        _ url: URL, isStrict: Bool = false, read: (URL) throws -> LabelledClip?
    ) throws(TrainingError) -> Dataset {
        isFolder(url)
            ? try load(folder: url, isStrict: isStrict, read: read)
            : try load(annotations: url, isStrict: isStrict, read: read)
    }

    /// Reads a folder that holds one folder per label, each with videos or pose streams, up to eight folders deep.
    ///
    /// A folder within a label's is a person (`squat/anna/…`, `lunge/anna/…`): all of a person's clips are one group,
    /// over all labels. A clip that lies in the label's folder itself is its own group.
    ///
    /// - Parameters:
    ///   - isStrict: whether a single clip that cannot be used is an error.
    ///   - read: gives a file's clip, or `nil` if nobody is in it. The path within `folder` becomes the
    ///     clip's name and label; a group of its own comes before the folder's.
    /// - Throws: ``TrainingError``
    public static func load(
        folder: URL, isStrict: Bool = false, read: (URL) throws -> LabelledClip?
    ) throws(TrainingError) -> Dataset {
        var dataset = Dataset(clips: [])
        for label in try contents(of: folder) where isFolder(label) {
            try check(label: label.lastPathComponent)
            let files = try files(below: label, depth: 0)
            if files.isEmpty {
                let reason = "the folder holds no video and no \(fileSuffix)"
                dataset.rejected.append(RejectedClip(name: label.lastPathComponent, reason: reason))
            }
            for file in files {
                let name = label.lastPathComponent + file.path.dropFirst(label.path.count)
                do {
                    guard let clip = try read(file) else { throw Unusable(reason: "it shows nobody") }
                    let folders = name.split(separator: "/").dropFirst().dropLast()
                    let group = clip.group.isEmpty ? folders.first.map(String.init) ?? name : clip.group
                    dataset.clips.append(clip.with(name: name, label: label.lastPathComponent, group: group))
                } catch {
                    dataset.rejected.append(RejectedClip(name: name, reason: "\(error)"))
                }
            }
        }
        guard !isStrict || dataset.rejected.isEmpty else { throw .badClips(dataset.rejected) }
        guard !dataset.clips.isEmpty else { throw .noClips(source: folder.path) }
        return dataset
    }

    /// The clips at the wanted rate, without those that are too short, mostly empty or not finite.
    package func prepared(rate: Double, windowFrames: Int) -> Dataset {
        var prepared = Dataset(clips: [], rejected: rejected)
        for clip in clips {
            if let reason = Self.flaw(of: clip) {
                prepared.rejected.append(RejectedClip(name: clip.name, reason: reason))
                continue
            }
            let resampled = clip.resampled(to: rate)
            // As recognition asks: a window must be posed in 60 % of its frames.
            let needed = Int((0.6 * Double(windowFrames)).rounded(.up))
            if resampled.frames < needed {
                let reason = "it has \(resampled.frames) frames at \(rate) per second, expected at least \(needed)"
                prepared.rejected.append(RejectedClip(name: clip.name, reason: reason))
            } else {
                prepared.clips.append(resampled)
            }
        }
        return prepared
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

    /// SHA-256 over everything in the clips, whatever their order.
    package static func digest(of clips: [LabelledClip]) -> String {
        let digests = clips.map { clip in
            var hash = SHA256()
            hash.update("\(clip.name)\n\(clip.label)\n\(clip.group)\n\(clip.rate)\n\(clip.aspect)\n".utf8)
            clip.keypoints.withUnsafeBytes { hash.update($0) }
            return hash.finish()
        }
        return SHA256.hex(of: digests.sorted().joined().utf8)
    }

    /// - Throws: ``TrainingError/labelReserved(label:)``, ``TrainingError/labelMalformed(label:suggestion:)``
    package static func check(label: String) throws(TrainingError) {
        guard PseudoLabel(rawValue: label) == nil else { throw .labelReserved(label: label) }
        let suggestion = String(label.lowercased().map { allowed.contains($0) ? $0 : "_" })
        guard !label.isEmpty, label == suggestion else { throw .labelMalformed(label: label, suggestion: suggestion) }
    }

    private static let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_")

    private struct Unusable: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func contents(of folder: URL) throws(TrainingError) -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { !$0.hasPrefix(".") }
                .sorted()
                .map { folder.appending(path: $0) }
        } catch {
            throw .unreadable(path: folder.path, reason: error.fileReason)
        }
    }

    /// Follows links, as folders of recordings are often on another disk; the depth ends a circle of links.
    private static func files(below folder: URL, depth: Int) throws(TrainingError) -> [URL] {
        guard depth < 8 else { return [] }
        var found: [URL] = []
        for entry in try contents(of: folder) {
            if isFolder(entry) {
                found += try files(below: entry, depth: depth + 1)
            } else if isClip(entry) {
                found.append(entry)
            }
        }
        return found
    }
}
