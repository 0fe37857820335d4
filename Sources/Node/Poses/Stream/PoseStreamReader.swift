import Foundation

/// Reads a recorded pose stream frame by frame, as the output of tracking.
///
/// Tracks have the numbers from the file. The prominent person is determined again.
public final class PoseStreamReader {
    /// The largest time in seconds, about 31 years. Arithmetic on such times is still exact enough.
    private static let largestTime = 1e9
    /// The largest width and height in pixels.
    private static let largestSide = 65_536
    /// The largest rate in frames per second.
    private static let largestRate = 1000.0

    /// The first line of the file.
    public let header: PoseStreamHeader
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var line = 1
    private var lastTime = -Double.infinity
    private var frames = 0
    private var prominence = ProminentPerson()
    private let decoder = JSONDecoder()

    /// Opens a file and reads its header.
    ///
    /// - Throws: ``PoseStreamError`` when the file is missing or its first line is not a header of version 1.
    public init(_ url: URL) throws {
        path = url.path
        guard let file = fopen(url.path, "re") else {
            throw PoseStreamError.unreadable(path: url.path, reason: String(cString: strerror(errno)))
        }
        self.file = file
        do {
            header = try Self.readHeader(file, path: url.path)
        } catch {
            fclose(file)
            throw error
        }
    }

    deinit { fclose(file) }

    /// The next frame; `nil` at the end. Empty lines are skipped.
    ///
    /// - Throws: ``PoseStreamError/damagedLine(path:line:reason:)``. Reading can continue after that line.
    public func next() throws -> TrackedFrame? {
        while let text = Self.readLine(file) {
            line += 1
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            let frame = try parse(text)
            frames += 1
            return frame
        }
        return nil
    }

    private func parse(_ text: Data) throws -> TrackedFrame {
        let parsed: PoseStreamLine
        do {
            parsed = try decoder.decode(PoseStreamLine.self, from: text)
        } catch {
            throw damaged("not a frame of a pose stream")
        }
        guard abs(parsed.t) <= Self.largestTime else {
            throw damaged("its time is not between -\(Int(Self.largestTime)) and \(Int(Self.largestTime)) seconds")
        }
        guard parsed.t > lastTime else { throw damaged("its time does not come after the one before") }
        lastTime = parsed.t
        let tracks = try parsed.poses.map { person in
            guard person.keypoints.count == Joint.names.count else {
                throw damaged("\(person.keypoints.count) key points instead of \(Joint.names.count)")
            }
            return Track(id: person.track, pose: Pose(keypoints: try person.keypoints.map(keypoint)))
        }
        guard Set(tracks.map(\.id)).count == tracks.count else { throw damaged("a track appears twice") }
        return TrackedFrame(
            index: frames, time: parsed.t, image: nil, widthPixels: header.width, heightPixels: header.height,
            tracks: tracks, prominent: prominence.choose(among: tracks, time: parsed.t))
    }

    private func keypoint(_ numbers: [Float]) throws -> Keypoint {
        // Joints may be outside the picture, but not by a hundred times its size.
        guard numbers.count == 3, abs(numbers[0]) <= 100, abs(numbers[1]) <= 100, (0...1).contains(numbers[2]) else {
            throw damaged("a key point is not [x, y, confidence 0…1]")
        }
        return Keypoint(x: numbers[0], y: numbers[1], confidence: numbers[2])
    }

    private func damaged(_ reason: String) -> PoseStreamError {
        .damagedLine(path: path, line: line, reason: reason)
    }

    private static func readHeader(_ file: UnsafeMutablePointer<FILE>, path: String) throws -> PoseStreamHeader {
        guard let text = readLine(file) else { throw PoseStreamError.notAPoseStream(path: path, reason: "it is empty") }
        let header: PoseStreamHeader
        do { header = try JSONDecoder().decode(PoseStreamHeader.self, from: text) } catch {
            throw PoseStreamError.notAPoseStream(path: path, reason: flaw(of: error))
        }
        guard header.format == "spotter.poses" else {
            throw PoseStreamError.notAPoseStream(path: path, reason: "its first line is not a header")
        }
        guard header.version == 1 else {
            throw PoseStreamError.notAPoseStream(path: path, reason: "version \(header.version) is newer than 1")
        }
        guard header.joints == Joint.names else {
            throw PoseStreamError.notAPoseStream(path: path, reason: "its joints are not the 18 known ones in order")
        }
        guard (1...largestSide).contains(header.width), (1...largestSide).contains(header.height),
            header.rateHz > 0, header.rateHz <= largestRate
        else {
            throw PoseStreamError.notAPoseStream(
                path: path,
                reason: "its size is not 1 to \(largestSide) pixels, or its rate not up to \(Int(largestRate)) Hz")
        }
        return header
    }

    /// What is wrong with a header.
    private static func flaw(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "the header in its first line lacks \(key.stringValue)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.first.map { "the header in its first line has a wrong \($0.stringValue)" }
                ?? "its first line is not a header"
        default: "its first line is not a header"
        }
    }

    private static func readLine(_ file: UnsafeMutablePointer<FILE>) -> Data? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, file)
        guard count > 0, let buffer else { return nil }
        let data = Data(bytes: buffer, count: count)
        return data.last == 0x0A ? data.dropLast() : data
    }
}
