import Foundation
import NeuralNet

extension Dataset {
    /// Suffix of pose stream files.
    public static let fileSuffix = ".poses.jsonl"
    /// Suffixes that a recording is sure to have. A file with another one may be a recording, too.
    private static let videoSuffixes: Set<String> = [
        "mp4", "m4v", "mov", "avi", "mkv", "webm", "mpg", "mpeg", "wmv", "flv", "3gp", "ts", "mts", "m2ts", "gif",
    ]
    /// Names of folders that hold parts of a data set, as they are usually published.
    private static let partNames: Set<String> = [
        "train", "training", "test", "testing", "val", "valid", "validation", "dev", "eval", "evaluation",
    ]

    /// Whether a file is a pose stream: by its name, as everywhere.
    static func isPoseStream(_ url: URL) -> Bool { url.lastPathComponent.lowercased().hasSuffix(".jsonl") }

    /// Whether a file of a label's folder is taken for a clip: everything but text. ffmpeg says whether it is a video when
    /// it is read, and what it is not is listed with the reason.
    static func isClip(_ url: URL) -> Bool {
        isPoseStream(url) || videoSuffixes.contains(url.pathExtension.lowercased()) || !isText(url)
    }

    private static func isText(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 4096), !start.isEmpty else { return false }
        let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        return isWide || !start.contains(0)
    }

    /// The recordings that ``load(_:isStrict:read:)`` would read and whose poses must be found first.
    ///
    /// - Throws: ``TrainingError``.
    public static func videos(in url: URL) throws(TrainingError) -> [URL] {
        try files(in: url).filter { !isPoseStream($0) }
    }

    /// The files that ``load(_:isStrict:read:)`` would read.
    ///
    /// - Throws: ``TrainingError``.
    public static func files(in url: URL) throws(TrainingError) -> [URL] {
        guard isFolder(url) else {
            let names = Set(try Annotation.read(url).map(\.fileName))
            return names.sorted().map { place(of: $0, in: url.deletingLastPathComponent()) }
        }
        var all: [URL] = []
        for label in try contents(of: url) where isFolder(label) { all += try files(below: label) }
        return all
    }

    /// A file below a folder. Where its name is written with other signs for the same letters (`é` as one sign or as
    /// two), the file that is there is taken.
    package static func place(of name: String, in folder: URL) -> URL {
        let exact = folder.appending(path: name)
        guard !FileManager.default.fileExists(atPath: exact.path) else { return exact }
        var place = folder
        for part in name.split(separator: "/") where part != "." {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            // Strings are equal when they look equal.
            guard part == ".." || names.contains(String(part)) else { return exact }
            place.append(path: names.first { $0 == part } ?? String(part))
        }
        return place
    }

    static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    static func contents(of folder: URL) throws(TrainingError) -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { !$0.hasPrefix(".") }
                .sorted()
                .map { folder.appending(path: $0) }
        } catch {
            throw .unreadable(path: folder.path, reason: error.fileReason)
        }
    }

    /// The clips below a folder. Follows links, because folders of recordings are often on another disk. The depth limit
    /// ends a cycle of links.
    static func files(below folder: URL, depth: Int = 0) throws(TrainingError) -> [URL] {
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

    /// Refuses a folder whose folders are parts of a data set, and no labels.
    ///
    /// - Throws: ``TrainingError/parts(folder:names:)``.
    static func refuseParts(of folder: URL, _ labels: [URL]) throws(TrainingError) {
        guard !labels.isEmpty, labels.allSatisfy({ partNames.contains($0.lastPathComponent.lowercased()) }) else {
            return
        }
        for part in labels {
            let inside = try contents(of: part)
            guard inside.contains(where: isFolder), !inside.contains(where: { !isFolder($0) && isClip($0) }) else {
                return
            }
        }
        throw .parts(folder: folder.path, names: labels.map(\.lastPathComponent))
    }
}
