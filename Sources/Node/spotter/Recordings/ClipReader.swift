import CommandLineProgram
import Agent
import ArgumentParser
import Capture
import Foundation
import Poses
import Synchronization
import Training

/// The options of every command that reads labelled clips.
struct ClipOptions: ParsableArguments {
    @OptionGroup var poses: PoseOptions

    @Option(
        help: ArgumentHelp(
            "Keep the poses found in videos here (default: ~/.cache/spotter/poses).", valueName: "folder"))
    var cache: String?

    @Flag(help: "Refuse to go on when a single clip cannot be used or breaks off.")
    var strict = false
}

/// Reads labelled clips: pose streams directly, videos after finding their poses.
struct ClipReader {
    let options: ClipOptions
    /// Polled while poses are found.
    let isCancelled: @Sendable () -> Bool
    /// Receives the clips that cannot be used.
    var rejected: @Sendable ([RejectedClip]) -> Void = { Rejections.print($0) }
    /// Called after each file with the number of files that have been read, and the number of all.
    var reading: @Sendable (_ done: Int, _ files: Int) -> Void = { _, _ in }

    /// Reads the clips of a folder or an annotation file.
    ///
    /// - Throws: `TrainingError`; `CancellationError` if it was stopped while finding poses.
    func read(_ path: String) async throws -> Dataset {
        let url = URL(filePath: path)
        let videos = try Dataset.videos(in: url)
        let library = try videos.isEmpty ? nil : library()
        defer { library?.removeTemporary() }
        let streams =
            if let library {
                try await findPoses(in: videos, library)
            } else {
                [URL: Result<PoseLibrary.Found, any Error>]()
            }
        let count = try Dataset.files(in: url).count
        var (done, breaks) = (0, [String]())
        var data = try Dataset.load(url, isStrict: options.strict) { file in
            defer {
                done += 1
                reading(done, count)
            }
            let found = try streams[file]?.get()
            if let breakOff = try whatBreaks(found) { breaks.append(breakOff) }
            return try LabelledClip.read(poseStream: found?.stream ?? file)
        }
        data.remarks += breaks
        data.rejectDoubles()
        rejected(data.rejected)
        for remark in data.remarks { Terminal.print(remark) }
        return data
    }

    /// Reads one recording.
    ///
    /// - Returns: `nil` when it shows nobody.
    /// - Throws: what reading a video or pose stream throws; `CancellationError` if it was stopped.
    func recording(_ path: String) async throws -> LabelledClip? {
        try await withPoses(of: path) { try LabelledClip.read(poseStream: $0) }
    }

    /// Gives the pose stream of one recording to a closure: the recording itself, or what is found in a video.
    ///
    /// - Throws: what finding poses or the closure throws; `CancellationError` if it was stopped.
    func withPoses<Answer>(of path: String, _ use: (URL) async throws -> Answer) async throws -> Answer {
        let url = URL(filePath: path)
        guard !path.hasSuffix(".jsonl") else { return try await use(url) }
        try Pipes.refuse(path)
        guard FileManager.default.fileExists(atPath: path) else { throw CaptureError.fileNotFound(path: path) }
        let library = try library()
        defer { library.removeTemporary() }
        let found = try await findPoses(in: [url], library)[url]?.get()
        if let breakOff = try whatBreaks(found) { Terminal.print(breakOff) }
        return try await use(found?.stream ?? url)
    }

    /// What to say of a recording that breaks off; `nil` for a whole one.
    ///
    /// - Throws: ``BreaksOff`` where that is refused.
    private func whatBreaks(_ found: PoseLibrary.Found?) throws -> String? {
        guard let reason = found?.breakOff else { return nil }
        guard !options.strict else { throw BreaksOff(description: reason) }
        return "\(reason)\n  What came before is used."
    }

    /// A recording that breaks off, with `--strict`.
    private struct BreaksOff: Error, CustomStringConvertible { let description: String }

    /// The poses that were found before.
    private func library() throws -> PoseLibrary {
        let configuration = try options.poses.configuration()
        let folder = options.cache.map { URL(filePath: $0) } ?? PoseLibrary.usualFolder
        let library = try PoseLibrary(folder: folder, settings: configuration.sourceSettings(rateHz: 30))
        if library.isTemporary {
            Terminal.print("\(folder.path) cannot be written, so the poses are not kept; choose a folder with --cache.")
        }
        return library
    }

    private func findPoses(
        in videos: [URL], _ library: PoseLibrary
    ) async throws -> [URL: Result<PoseLibrary.Found, any Error>] {
        let bar = Mutex(Progress("Finding poses"))
        let streams = await library.streams(
            of: videos,
            progress: { now in bar.withLock { $0.show(now.fraction, "\(now.done) of \(now.count) videos") } },
            isCancelled: isCancelled)
        bar.withLock { $0.finish() }
        guard !isCancelled() else {
            Terminal.print("Stopped; \(streams.count) of \(videos.count) videos are done and need not be read again.")
            throw CancellationError()
        }
        return streams
    }
}
