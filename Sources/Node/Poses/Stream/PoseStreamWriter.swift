import Foundation
import NeuralNet
import Records

/// Writes tracked frames as a pose stream: a header line, then one line per frame.
///
/// A file is written under a temporary name and renamed by ``finish()``, so that no incomplete stream is ever read. A
/// device or a pipe is written into.
public final class PoseStreamWriter {
    /// The file to replace at the end, and what it is written as; `nil` where the stream goes out at once.
    private let replacement: (file: URL, part: URL)?
    private let handle: FileHandle
    private let path: String

    /// Starts a stream in the file at `url`, or on standard output when it is `nil`.
    ///
    /// - Throws: ``PoseStreamError/unwritable(path:reason:)``.
    public init(_ url: URL?, header: PoseStreamHeader) throws {
        path = url?.path ?? "standard output"
        switch url.map({ FilePlace($0) }) {
        case .file(let file):
            let part = file.appendingPathExtension("part")
            guard FileManager.default.createFile(atPath: part.path, contents: nil),
                let handle = FileHandle(forWritingAtPath: part.path)
            else { throw PoseStreamError.unwritable(path: path, reason: String(cString: strerror(errno))) }
            replacement = (file, part)
            self.handle = handle
        case .other(let place):
            guard let handle = FileHandle(forWritingAtPath: place.path) else {
                throw PoseStreamError.unwritable(path: path, reason: String(cString: strerror(errno)))
            }
            replacement = nil
            self.handle = handle
        case nil:
            replacement = nil
            handle = .standardOutput
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Written by hand, because the encoder's key order changes with every run.
        let joints = header.joints.map { "\"\($0)\"" }.joined(separator: ",")
        let source = String(decoding: try encoder.encode(header.source), as: UTF8.self)
        try put(
            "{\"format\":\"\(header.format)\",\"version\":\(header.version),\"joints\":[\(joints)],"
                + "\"rate_hz\":\(header.rateHz),\"width\":\(header.width),\"height\":\(header.height),"
                + "\"source\":\(source)}\n")
    }

    /// Appends one frame. Coordinates are rounded to five decimals, about a hundredth of a pixel.
    ///
    /// - Throws: ``PoseStreamError/unwritable(path:reason:)``, or ``PoseStreamError/readerGone`` on a pipe.
    public func write(_ frame: TrackedFrame) throws {
        var line = "{\"t\":\(Self.text(frame.time, 4)),\"poses\":["
        for (index, track) in frame.measured.enumerated() {
            if index > 0 { line += "," }
            line += "{\"track\":\(track.id),\"keypoints\":["
            line += track.pose.keypoints.map { point in
                point.confidence > 0
                    ? "[\(Self.text(Double(point.x), 5)),\(Self.text(Double(point.y), 5)),"
                        + "\(Self.text(Double(point.confidence), 3))]"
                    : "[0,0,0]"
            }.joined(separator: ",")
            line += "]}"
        }
        try put(line + "]}\n")
    }

    /// Renames the complete file to its final name.
    ///
    /// - Throws: ``PoseStreamError/unwritable(path:reason:)``
    public func finish() throws {
        guard let replacement else { return }
        try? handle.close()
        guard rename(replacement.part.path, replacement.file.path) == 0 else {
            throw PoseStreamError.unwritable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Deletes the incomplete file.
    public func abandon() {
        guard let replacement else { return }
        try? handle.close()
        try? FileManager.default.removeItem(at: replacement.part)
    }

    private func put(_ text: String) throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch  where replacement == nil && error.isBrokenPipe {
            throw PoseStreamError.readerGone
        } catch {
            throw PoseStreamError.unwritable(path: path, reason: error.fileReason)
        }
    }

    /// A decimal number without trailing zeros.
    private static func text(_ value: Double, _ decimals: Int) -> String {
        let scale = [1, 10, 100, 1000, 10_000, 100_000][decimals]
        let rounded = Int((value * Double(scale)).rounded())
        let (whole, rest) = abs(rounded).quotientAndRemainder(dividingBy: scale)
        let sign = rounded < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: decimals - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}

extension Error {
    /// Whether a write failed because the other end of the pipe is closed (EPIPE).
    fileprivate var isBrokenPipe: Bool { systemError == EPIPE }
}
