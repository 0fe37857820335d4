import Capture
import Foundation
import NeuralNet
import Poses
import Records
import Synchronization

/// Finds the poses of recordings once and stores them, so that a second run starts at once and an interrupted one
/// resumes.
///
/// A stored stream is identified by a digest of the recording and the pose models, not by names or dates.
public struct PoseLibrary: Sendable {
    /// Holds one file per recording, each of which may be deleted at any time.
    public let folder: URL
    /// Whether the wanted folder cannot be written, so that the streams are only kept until ``removeTemporary()``.
    public let isTemporary: Bool
    private let settings: PoseSource.Settings
    private let models: String

    /// Raise this when the same recording would give different poses.
    private static let version = "2"

    /// - Parameters:
    ///   - folder: where the streams are stored; created when needed. Where that is not possible, a temporary folder.
    ///   - settings: how recordings are opened and poses found.
    /// - Throws: `ModelError` when the pose models are missing or cannot be read.
    public init(folder: URL = Self.usualFolder, settings: PoseSource.Settings) throws {
        isTemporary = !Self.canWrite(in: folder)
        self.folder =
            isTemporary
            ? FileManager.default.temporaryDirectory.appending(path: "spotter-poses-\(UUID().uuidString)") : folder
        self.settings = settings
        let hash = SHA256()
        hash.update("\(Self.version) \(settings.rateHz)\n".utf8)
        for name in ["pose_detection.tflite", "pose_landmark_full.tflite"] {
            let file = settings.poseModels.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { throw ModelError.missing(file: file.path) }
            do { hash.update(try Data(contentsOf: file)) } catch {
                throw ModelError.unreadable(file: file.path, reason: error.fileReason)
            }
        }
        models = hash.finish()
    }

    private static func canWrite(in folder: URL) -> Bool {
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            return false
        }
        return FileManager.default.isWritableFile(atPath: folder.path)
    }

    /// Removes the streams if they are in a temporary folder.
    public func removeTemporary() {
        guard isTemporary else { return }
        // A folder that was never made, or that was removed, is no loss.
        try? FileManager.default.removeItem(at: folder)
    }

    /// `$XDG_CACHE_HOME/spotter/poses`, or below `~/.cache`.
    public static var usualFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let caches =
            environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
        return caches.appending(path: "spotter/poses")
    }

    /// The progress of ``streams(of:progress:isCancelled:)``.
    public struct Progress: Sendable {
        /// From 0 to 1, weighted by the recordings' sizes.
        public let fraction: Double
        /// Recordings that are finished, failures included.
        public let done: Int
        /// All recordings.
        public let count: Int
    }

    /// The poses of one recording.
    public struct Found: Sendable {
        /// The pose stream.
        public let stream: URL
        /// Why the recording breaks off; the stream then holds what came before. `nil` for a whole one.
        public let breakOff: String?
    }

    /// The poses of every recording, or the error it failed with. Uses all cores.
    ///
    /// - Parameters:
    ///   - progress: called repeatedly, from any thread.
    ///   - isCancelled: asked between frames; recordings that are unfinished by then are left out.
    public func streams(
        of recordings: [URL], progress: @escaping @Sendable (Progress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
    ) async -> [URL: Result<Found, any Error>] {
        let sizes = recordings.map { Double(max(Self.size(of: $0), 1)) }
        let tally = Mutex((shares: [Double](repeating: 0, count: recordings.count), next: 0, done: 0))
        let total = sizes.reduce(0, +)
        let answers = Mutex<[URL: Result<Found, any Error>]>([:])
        let work: @Sendable () async -> Void = {
            while !isCancelled() {
                let index = tally.withLock { tally in
                    defer { tally.next += 1 }
                    return tally.next
                }
                guard index < recordings.count else { return }
                let report: @Sendable (Double, Bool) -> Void = { share, isDone in
                    let now = tally.withLock { tally in
                        tally.shares[index] = share
                        tally.done += isDone ? 1 : 0
                        return Progress(
                            fraction: zip(tally.shares, sizes).reduce(0) { $0 + $1.0 * $1.1 } / total,
                            done: tally.done, count: recordings.count)
                    }
                    progress(now)
                }
                do {
                    let stream = try await stream(of: recordings[index], isCancelled: isCancelled) { report($0, false) }
                    if let stream { answers.withLock { $0[recordings[index]] = .success(stream) } }
                } catch {
                    answers.withLock { $0[recordings[index]] = .failure(error) }
                }
                report(1, true)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for core in 0..<min(ProcessInfo.processInfo.activeProcessorCount, recordings.count) {
                group.addTask(executorPreference: SerialTaskExecutor(label: "poses \(core)")) { await work() }
            }
        }
        return answers.withLock { $0 }
    }

    /// - Returns: the stored stream; `nil` if it was cancelled.
    private func stream(
        of recording: URL, isCancelled: () -> Bool, progress: (Double) -> Void
    ) async throws -> Found? {
        try Pipes.refuse(recording.path)
        guard FileManager.default.fileExists(atPath: recording.path) else {
            throw CaptureError.fileNotFound(path: recording.path)
        }
        let hash = SHA256()
        hash.update("\(models)\n".utf8)
        try Self.read(recording) { hash.update($0) }
        let name = hash.finish()
        let kept = folder.appending(path: name + ".poses.jsonl")
        // Of what broke off, nobody knows whether it was the recording or the moment: it is read again.
        let broken = folder.appending(path: name + ".breaks-off")
        let isWhole = !FileManager.default.fileExists(atPath: broken.path)
        if isWhole, FileManager.default.fileExists(atPath: kept.path) { return Found(stream: kept, breakOff: nil) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = try PoseSource(opening: recording.path, settings: settings)
        let format = source.format
        let writer = try PoseStreamWriter(
            kept,
            header: PoseStreamHeader(
                rateHz: format.rateHz, width: format.widthPixels, height: format.heightPixels,
                source: recording.lastPathComponent))
        var (frames, breakOff): (Int, String?) = (0, nil)
        do {
            for try await frame in source.people {
                if isCancelled() {
                    source.stop()
                    writer.abandon()
                    return nil
                }
                try writer.write(frame)
                frames += 1
                if let seconds = format.durationSeconds, frame.index % 30 == 0 {
                    progress(min(frame.time / seconds, 1))
                }
            }
        } catch let error as CaptureError where frames > 0 {
            // What came before the break is as good as a whole recording. The mark is there before the poses, so that no
            // stream is taken for a whole one.
            breakOff = "\(error)"
            try Data().write(to: broken)
        } catch {
            writer.abandon()
            throw error
        }
        try writer.finish()
        if breakOff == nil, !isWhole { try FileManager.default.removeItem(at: broken) }
        return Found(stream: kept, breakOff: breakOff)
    }

    private static func size(of file: URL) -> Int {
        let values = try? file.resourceValues(forKeys: [.fileSizeKey])
        return values?.fileSize ?? 0
    }

    /// Reads in pieces of 1 MiB, because a day's recording does not fit into memory.
    private static func read(_ file: URL, _ take: (Data) -> Void) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { take(piece) }
    }
}
