import Foundation
import HTTPServing
import Messaging
import Poses
import Records
import Synchronization

/// The labelled clips that were recorded on this node, as `spotter train` reads them: `LABEL/PERSON/TIME.poses.jsonl`.
///
/// Files with other names are neither shown nor touched.
package final class ClipLibrary: Sendable {
    /// The most clips, and the most bytes of all of them.
    static let maximumClips = 1000, maximumBytes = 512 << 20
    /// The longest part of a clip that is replayed, in frames: two minutes.
    private static let maximumReplay = 3600

    /// The folder, which need not exist yet.
    package let folder: URL
    /// Measured once: reading a clip takes some tens of milliseconds.
    private let measured = Mutex<[ClipName: (mark: FileFingerprint, figures: ClipFigures?)]>([:])
    /// Held while files are moved, so that no clip replaces another one.
    private let moving = Mutex(())

    /// The clips of a folder.
    package init(folder: URL) { self.folder = folder }

    // MARK: - What there is

    /// The names of all clips, newest first.
    package func names() -> [ClipName] {
        // A folder that cannot be read holds nothing that could be shown; a clip's own file tells what is wrong.
        func contents(_ path: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + path)) ?? []
        }
        let names = contents("").flatMap { label in
            contents(label).flatMap { person in
                contents("\(label)/\(person)").filter { $0.hasSuffix(ClipName.suffix) }.compactMap { file in
                    try? ClipName(
                        label: label, person: person, time: String(file.dropLast(ClipName.suffix.count)))
                }
            }
        }
        return names.sorted { ($0.time, $0.id) > ($1.time, $1.id) }
    }

    /// All clips with their figures, newest first. Takes seconds the first time.
    ///
    /// - Throws: `CancellationError` when it is to stop.
    package func clips(_ stop: WorkStop? = nil) throws -> [Clip] {
        let names = names()
        measured.withLock { [known = Set(names)] measured in measured = measured.filter { known.contains($0.key) } }
        return try names.map { name in
            try stop?.check()
            let attributes = try? FileManager.default.attributesOfItem(atPath: url(name).path)
            return Clip(
                id: name.id, label: name.label, person: name.person,
                time: Timestamp.milliseconds(attributes?[.modificationDate] as? Date ?? Date()),
                figures: figures(of: name))
        }
    }

    private func figures(of name: ClipName) -> ClipFigures? {
        let mark = FileFingerprint(url(name).path)
        if let known = measured.withLock({ $0[name] }), known.mark == mark { return known.figures }
        let figures = (try? LabelledClip.read(poseStream: url(name))).flatMap { $0 }.map { ClipFigures($0) }
        measured.withLock { $0[name] = (mark, figures) }
        return figures
    }

    /// Whether there is room for another clip.
    ///
    /// - Throws: ``WebFailure`` when there is none.
    func checkRoom() throws {
        let names = names()
        let sizes = names.map { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url(name).path)
            return attributes?[.size] as? Int ?? 0
        }
        guard names.count < Self.maximumClips, sizes.reduce(0, +) < Self.maximumBytes else {
            throw WebFailure(
                .conflict, "clips_full",
                "There are \(names.count.counted("clip")), as many as a node keeps: delete some, or move them away.")
        }
    }

    /// The joints of a clip, for drawing.
    ///
    /// - Throws: ``WebFailure`` when there is no such clip.
    package func replay(_ name: ClipName) throws -> Replay {
        try check(name)
        guard let clip = try LabelledClip.read(poseStream: url(name)) else {
            throw WebFailure(.conflict, "empty_clip", "This clip shows nobody: delete it.")
        }
        return Replay(clip, frames: Self.maximumReplay)
    }

    // MARK: - Changes

    /// Keeps a clip.
    ///
    /// - Throws: `PoseStreamError`, or the file system's error.
    package func save(_ clip: LabelledClip, as name: ClipName) throws {
        try moving.withLock { _ in try write(clip, as: name) }
    }

    private func write(_ clip: LabelledClip, as name: ClipName) throws {
        try makeFolder(of: name)
        try clip.with(name: name.id).write(poseStream: url(name))
    }

    /// Keeps a clip that was made from a set.
    ///
    /// - Throws: ``WebFailure`` when there is no room, or the same clip; `PoseStreamError`, or the file system's error.
    func add(_ clip: LabelledClip, as name: ClipName) throws {
        try checkRoom()
        // No other clip may take the name meanwhile.
        try moving.withLock { _ in
            guard !FileManager.default.fileExists(atPath: url(name).path) else {
                throw WebFailure(
                    .conflict, "clip_exists", "This set is a clip of \(name.person) already: delete that one first.")
            }
            try write(clip.with(label: name.label, group: name.person), as: name)
        }
    }

    /// Moves a clip to another label.
    ///
    /// - Returns: its new name.
    /// - Throws: ``WebFailure``, or the file system's error.
    package func relabel(_ name: ClipName, as label: String) throws -> ClipName {
        let new = try name.relabelled(label)
        return try moving.withLock { _ in
            try check(name)
            guard new != name else { return name }
            guard !FileManager.default.fileExists(atPath: url(new).path) else {
                throw WebFailure(
                    .conflict, "clip_exists", "'\(label)' already has a clip of this person and moment: delete one.")
            }
            try makeFolder(of: new)
            try FileManager.default.moveItem(at: url(name), to: url(new))
            removeEmptyFolders(of: name)
            return new
        }
    }

    /// Deletes a clip for good.
    ///
    /// - Throws: ``WebFailure``, or the file system's error.
    package func delete(_ name: ClipName) throws {
        try moving.withLock { _ in
            try check(name)
            try FileManager.default.removeItem(at: url(name))
            removeEmptyFolders(of: name)
        }
    }

    private func url(_ name: ClipName) -> URL { folder.appending(path: name.path) }

    private func check(_ name: ClipName) throws {
        guard FileManager.default.fileExists(atPath: url(name).path) else {
            throw WebFailure(.notFound, "unknown_clip", "There is no clip '\(name.id)': it may have been deleted.")
        }
    }

    /// Clips tell who trains here, so nobody else on the machine may read them.
    private func makeFolder(of name: ClipName) throws {
        try FileManager.default.createDirectory(
            at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// An empty folder would be reported as a label without clips. `rmdir` refuses one that is not empty.
    private func removeEmptyFolders(of name: ClipName) {
        for path in ["\(name.label)/\(name.person)", name.label] { rmdir(folder.appending(path: path).path) }
    }
}
