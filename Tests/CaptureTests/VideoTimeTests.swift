import Capture
import Foundation
import TestSupport
import Testing

/// Tests that the times of pictures are measured: those of files by their time stamps, others by arrival.
@Suite struct VideoTimeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func video(_ name: String, _ filter: String, _ output: String...) throws -> URL {
        let file = folder.file(name)
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc=duration=4:size=320x240:rate=30", "-vf", filter, "-fps_mode", "passthrough"]
                + output + [file.path])
        return file
    }

    /// The first half of the pictures, a pause of two minutes, the other half.
    private static let pause = "setpts='if(lt(N,60),N/30/TB,(N/30+120)/TB)'"

    @Test(arguments: ["mp4", "mkv", "mov", "ts", "nut", "avi"])
    func `a pause in a recording costs no picture, and lasts as long as it did`(suffix: String) throws {
        let file = try video("pause.\(suffix)", Self.pause, "-c:v", "mpeg4", "-q:v", "3")
        let recording = try VideoRecording(file.path)
        let (frames, failure) = drain(recording)
        #expect(failure == nil, "\(failure ?? "")")
        // AVI has no pauses: it repeats a picture.
        if suffix != "avi" { #expect(frames.count == 120, "\(frames.count)") }
        #expect(abs((frames.last?.time ?? 0) - 123.967) < 0.05, "\(frames.last?.time ?? 0)")
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
        if suffix == "mp4" { #expect(recording.format.rateHz == 30) }
    }

    @Test func `pictures that come more and less often keep their times`() throws {
        // 2 s at 5 Hz, then 30 Hz.
        let file = try video("uneven.mp4", "select='not(mod(n,6))+gte(n,60)'", "-c:v", "libx264", "-bf", "0")
        let frames = drain(try VideoRecording(file.path)).frames
        #expect(frames.count == 70, "\(frames.count)")
        #expect(abs((frames.last?.time ?? 0) - 119.0 / 30) < 1e-6)
        #expect(abs(frames[1].time - 0.2) < 1e-6 && abs(frames[40].time - 90.0 / 30) < 1e-6)
        let slower = drain(try VideoRecording(file.path, settings: .init(rateHz: 10))).frames
        #expect(abs(slower.count - 30) <= 1, "\(slower.count)")
    }

    @Test func `a file without time stamps says that its rate is assumed`() throws {
        let file = try video("film.h264", "null", "-c:v", "libx264", "-bf", "2")
        let recording = try VideoRecording(file.path)
        #expect(recording.format.timing == .assumed && recording.format.words.contains("assumed"))
        let frames = drain(recording).frames
        #expect((118...120).contains(frames.count), "\(frames.count)")
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
        let slower = drain(try VideoRecording(file.path, settings: .init(rateHz: 10))).frames
        #expect(abs((slower.last?.time ?? 0) - (frames.last?.time ?? 0)) < 0.2, "\(slower.last?.time ?? 0)")
    }

    @Test func `a damaged place and a pause are no break`() throws {
        let file = try video("damaged.mp4", Self.pause, "-c:v", "libx264", "-g", "10")
        var bytes = try Data(contentsOf: file)
        let data = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        let middle = data + (bytes.count - data) / 2
        bytes.replaceSubrange(middle..<middle + 1500, with: Data(repeating: 0, count: 1500))
        try bytes.write(to: file)
        let (frames, failure) = drain(try VideoRecording(file.path))
        #expect(failure == nil, "\(failure ?? "")")
        #expect(frames.count > 90 && abs((frames.last?.time ?? 0) - 123.967) < 0.05)
    }

    /// A stream without time stamps, ten pictures a second.
    private func stream(_ kind: String) throws -> HTTPCamera {
        if kind == "h264" {
            let file = folder.file("film.h264")
            try ffmpeg(
                "-f", "lavfi", "-i", "testsrc=duration=3:size=160x120:rate=10", "-c:v", "libx264", "-tune",
                "zerolatency",
                "-x264-params", "aud=1:keyint=10", file.path)
            // Every picture begins with an access unit delimiter.
            let bytes = try Data(contentsOf: file)
            let mark = Data([0, 0, 0, 1, 9])
            var (parts, start) = ([Data](), bytes.startIndex)
            while let next = bytes.range(of: mark, in: start + 1..<bytes.endIndex)?.lowerBound {
                parts.append(bytes[start..<next])
                start = next
            }
            return try HTTPCamera(.parts(parts + [bytes[start...]], type: "video/h264", everySeconds: 0.1))
        }
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=duration=3:size=160x120:rate=10", "-q:v", "5", folder.file("%02d.jpg").path)
        let parts = try (1...30).map { index in
            let picture = try Data(contentsOf: folder.file(String(format: "%02d.jpg", index)))
            let head = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n\r\n"
            return Data(head.utf8) + picture + Data("\r\n".utf8)
        }
        return try HTTPCamera(
            .parts(parts, type: "multipart/x-mixed-replace; boundary=frame", everySeconds: 0.1))
    }

    @Test(arguments: ["mjpeg", "h264"], ["live", "live?token=secret"])
    func `a stream without time stamps has the times of arrival`(kind: String, path: String) async throws {
        let camera = try stream(kind)
        defer { camera.stop() }
        let (frames, timing, seconds) = try await onThread {
            let recording = try VideoRecording("http://127.0.0.1:\(camera.port)/\(path)")
            var (frames, began) = ([Frame](), ContinuousClock.now)
            while let frame = try recording.next() {
                if frames.isEmpty { began = .now }
                frames.append(frame)
            }
            return (frames, recording.format.timing, began.duration(to: .now) / .seconds(1))
        }
        #expect(timing == .arrival && frames.count > 10, "\(timing) \(frames.count)")
        // ffmpeg counts 25 a second, which would be 1.2 s. The first second may go into probing.
        let last = frames.last?.time ?? 0
        #expect(last > 1.6 && last <= seconds + 0.1 && last > seconds - 1, "\(last) of \(seconds)")
    }

    @Test(arguments: ["snapshot.jpg", "snapshot", "snapshot?user=gym"])
    func `the address of a snapshot is told from a stream`(path: String) async throws {
        try ffmpeg("-f", "lavfi", "-i", "testsrc=size=160x120", "-frames:v", "1", folder.file("one.jpg").path)
        let camera = try HTTPCamera(
            .parts([try Data(contentsOf: folder.file("one.jpg"))], type: "image/jpeg", everySeconds: 0))
        defer { camera.stop() }
        let failure = try await onThread {
            do { return drain(try VideoRecording("http://127.0.0.1:\(camera.port)/\(path)")).failure } catch {
                return "\(error)"
            }
        }
        #expect(failure?.contains("this address gives one picture; take the address of the camera's stream") == true)
    }
}
