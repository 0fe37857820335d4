import Capture
import Foundation
import TestSupport
import Testing

/// Videos that are disguised or damaged.
@Suite struct VideoRefusalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func video(_ name: String, seconds: Int = 1, _ output: String...) throws -> URL {
        let file = folder.file(name)
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc=duration=\(seconds):size=160x120:rate=30", "-pix_fmt", "yuv420p"] + output
                + [file.path])
        return file
    }

    @Test(arguments: ["hls", "dash", "ffconcat"])
    func `a playlist that is named like a video opens nothing else`(kind: String) throws {
        let secret = try video("secret.mp4", "-movflags", "frag_keyframe+empty_moov+default_base_moof").path
        let segment = try video("secret.ts").path
        let text =
            switch kind {
            case "hls": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(segment)\n#EXT-X-ENDLIST\n"
            case "dash":
                """
                <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
                profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" mediaPresentationDuration="PT1S" minBufferTime="PT1S"><Period><AdaptationSet mimeType="video/mp4">\
                <Representation id="1" bandwidth="1000" width="160" height="120"><BaseURL>\(secret)</BaseURL>\
                <SegmentBase/></Representation></AdaptationSet></Period></MPD>
                """
            default: "ffconcat version 1.0\nfile 'secret.ts'\n"
            }
        let bait = folder.file("bait.mp4")
        try Data(text.utf8).write(to: bait)
        // Newer versions of ffmpeg have another message for HLS.
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(bait.path) }
        #expect("\(error)".contains("playlist") || kind == "hls", "\(error)")
    }

    @Test(arguments: ["mp3", "flac", "wav", "m4a", "ogg"])
    func `sound holds no video stream`(ending: String) throws {
        let file = folder.file("sound." + ending)
        try ffmpeg("-f", "lavfi", "-i", "sine=duration=1", file.path)
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(file.path) }
        #expect("\(error)".contains("it holds no video stream; check"), "\(error)")
    }

    @Test(arguments: [
        ("a.mp4", "", "is empty"), ("a.mkv", "", "is empty"), ("a.mp4", "a text\n", "no video"),
        ("a.mkv", "a text\n", "no video"), ("a.ts", "a text\n", "no video"), ("a.avi", "<html></html>", "no video"),
    ])
    func `what is no video is called so`(name: String, content: String, words: String) throws {
        let file = folder.file(name)
        try Data(content.utf8).write(to: file)
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(file.path) }
        #expect("\(error)".contains(words) && !"\(error)".contains("never finished"), "\(error)")
    }

    @Test func `a pipe is refused before anything waits for it`() throws {
        let pipe = folder.file("pipe.mp4").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let link = folder.file("link.mp4").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pipe)
        for name in [pipe, link, "-", "/dev/stdin", "/dev/fd/63", "/proc/self/fd/0", "file:///dev/stdin"] {
            let error = try #require(throws: CaptureError.self, "\(name)") { _ = try VideoRecording(name) }
            #expect("\(error)".contains("read twice; save it to a file first"), "\(error)")
        }
        #expect(throws: CaptureError.self) { try Pipes.refuse("/dev/stdin") }
        try Pipes.refuse("/dev/video0")
        try Pipes.refuse("rtsp://camera/dev/stdin")
    }

    @Test func `a playlist with a playlist's file name is read`() throws {
        let segment = try video("part.ts").lastPathComponent
        let list = folder.file("list.m3u8")
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(segment)\n#EXT-X-ENDLIST\n".utf8).write(to: list)
        #expect(drain(try VideoRecording(list.path)).frames.count == 30)
    }

    @Test(arguments: [(UInt32(2_147_483_648), UInt32(1)), (100_000, 25), (100_000, 1), (1, 2_147_483_647)])
    func `an AVI with an absurd rate ends soon`(scale: UInt32, rate: UInt32) throws {
        let file = try video("rate.avi", "-c:v", "mjpeg")
        var bytes = try Data(contentsOf: file)
        let header = try #require(bytes.range(of: Data("strh".utf8))).upperBound + 4
        for (offset, value) in [(20, scale), (24, rate)] {
            withUnsafeBytes(of: value.littleEndian) {
                bytes.replaceSubrange(header + offset..<header + offset + 4, with: $0)
            }
        }
        try bytes.write(to: file)
        do {
            let (frames, _) = drain(try VideoRecording(file.path))
            #expect(frames.count <= 31)
        } catch let error as CaptureError {
            #expect("\(error)".contains("frames a second"), "\(error)")
        }
    }

    @Test func `a gap of years in a video's timestamps is shortened`() throws {
        let file = folder.file("gap.nut").path
        // The timestamps of the last ten frames are sixty-eight years later.
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=duration=1:size=64x48:rate=30", "-vf",
            "setpts='if(gte(N,20),PTS+2147483647/TB,PTS)'", "-fps_mode", "passthrough", "-c:v", "mjpeg", file)
        let (frames, failure) = drain(try VideoRecording(file))
        #expect(failure == nil && frames.count > 20 && frames.count <= 20 + 10 * 30 + 10, "\(frames.count)")
    }

    @Test func `a recording that is damaged in the middle gives what came before, then an error`() throws {
        let file = try video("whole.mp4", seconds: 10, "-movflags", "faststart", "-g", "30")
        var bytes = try Data(contentsOf: file)
        let data = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        let middle = data + (bytes.count - data) / 2
        bytes.replaceSubrange(middle..<bytes.count, with: Data(repeating: 0xAA, count: bytes.count - middle))
        try bytes.write(to: file)
        let (frames, failure) = drain(try VideoRecording(file.path))
        #expect(frames.count > 100 && frames.count < 270, "\(frames.count)")
        #expect(frames.map(\.index) == Array(0..<frames.count))
        #expect(failure?.contains("breaks off after") == true, "\(failure ?? "no error")")
    }

    @Test func `a killed decoder is reported as killed, after every frame it delivered`() throws {
        let file = try video("long.mkv", seconds: 60)
        let recording = try VideoRecording(file.path)
        var count = 0
        while count < 5, try recording.next() != nil { count += 1 }
        let decoder = try #require(Self.children(holding: file.lastPathComponent).first)
        kill(decoder, SIGKILL)
        let (frames, failure) = drain(recording)
        #expect(frames.map(\.index) == Array(5..<5 + frames.count))
        #expect(failure?.contains("signal 9 after \(5 + frames.count) frames") == true, "\(failure ?? "no error")")
    }

    /// The processes whose arguments contain a text.
    static func children(holding text: String) -> [pid_t] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { pid_t($0) }.filter { process in
            guard let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
            return String(decoding: words, as: UTF8.self).contains(text) && process != getpid()
        }
    }
}
