import Capture
import Foundation
import TestSupport
import Testing

/// Reads videos made by the tests, with the real ffmpeg.
@Suite struct VideoRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a test video of one second.
    private func video(_ name: String, rate: Int = 30, size: String = "64x48", extra: [String] = []) throws -> String {
        let path = folder.file(name).path
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=duration=1:size=\(size):rate=\(rate)"] + extra + [path])
        return path
    }

    private func frames(of source: any FrameSource) throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try source.next() { frames.append(frame) }
        return frames
    }

    @Test func `a video gives every frame once, in order, on the media's clock`() throws {
        let recording = try VideoRecording(try video("a.mp4"))
        let frames = try frames(of: recording)
        #expect(frames.map(\.index) == Array(0..<30))
        #expect(frames.last.map { abs($0.time - 29.0 / 30) < 1e-9 } == true)
        #expect(frames.allSatisfy { $0.image.widthPixels == 64 && $0.image.heightPixels == 48 })
        #expect(recording.format.durationSeconds == 1)
    }

    @Test func `a faster video is resampled to the wanted rate, a slower one keeps its own`() throws {
        let fast = try VideoRecording(try video("fast.mp4", rate: 60), settings: .init(rateHz: 30))
        #expect(fast.format.rateHz == 30)
        #expect(abs(try frames(of: fast).count - 30) <= 1)
        let slow = try VideoRecording(try video("slow.mp4", rate: 12), settings: .init(rateHz: 30))
        #expect(slow.format.rateHz == 12)
        #expect(try frames(of: slow).count == 12)
    }

    @Test func `large pictures are scaled down, and keep their shape`() throws {
        let recording = try VideoRecording(
            try video("large.mp4", size: "1600x800"), settings: .init(rateHz: 5, maximumSidePixels: 400))
        let image = try #require(try recording.next()?.image)
        #expect(image.widthPixels == 400 && image.heightPixels == 200)
        #expect(recording.format.widthPixels == 1600)
    }

    @Test func `a file turned by a quarter arrives upright`() throws {
        let flat = try video("flat.mp4")
        let turned = folder.file("turned.mp4").path
        try ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned)
        let recording = try VideoRecording(turned)
        let image = try #require(try recording.next()?.image)
        #expect(image.widthPixels == 48 && image.heightPixels == 64)
        #expect(recording.format.widthPixels == 48 && recording.format.heightPixels == 64)
    }

    @Test func `a missing file is reported as missing`() {
        #expect(throws: CaptureError.fileNotFound(path: "/nowhere/a.mp4")) { try VideoRecording("/nowhere/a.mp4") }
    }

    @Test(arguments: ["", "not a video at all", "\u{0}\u{0}\u{0}\u{20}ftypisom but nothing else"])
    func `a file that is not a video is refused with a reason`(content: String) throws {
        let path = folder.file("bad.mp4").path
        try Data(content.utf8).write(to: URL(filePath: path))
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(path) }
        guard case .decodingFailed(let source, let reason) = error else { Issue.record("\(error)"); return }
        #expect(source.hasSuffix("bad.mp4") && !reason.isEmpty)
    }

    @Test func `a file cut off in the middle gives what it holds, or an error, and never hangs`() throws {
        let path = try video("whole.mkv", size: "320x240")
        let whole = try Data(contentsOf: URL(filePath: path))
        let cut = folder.file("cut.mkv")
        try whole.prefix(whole.count / 2).write(to: cut)
        let recording = try VideoRecording(cut.path)
        var count = 0
        do { while try recording.next() != nil { count += 1 } } catch { #expect(error is CaptureError) }
        #expect(count < 30)
    }

    @Test func `a file whose name looks like an option or a protocol is only a file`() throws {
        let made = try video("plain.mp4")
        let odd = folder.file("-i http:x.mp4").path
        try FileManager.default.moveItem(atPath: made, toPath: odd)
        #expect(try frames(of: try VideoRecording(odd)).count == 30)
    }

    @Test func `a stopped recording ends at once`() throws {
        let recording = try VideoRecording(try video("b.mp4"))
        _ = try recording.next()
        recording.stop()
        #expect(try recording.next() == nil)
    }
}
