import Foundation
import Poses
import TestSupport
import Testing

@Suite struct PoseStreamTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("clip.poses.jsonl")
    }

    private let header = PoseStreamHeader(rateHz: 30, width: 480, height: 640, source: "a \"clip\".mp4")

    private func frame(_ index: Int, tracks: [Track]) -> TrackedFrame {
        TrackedFrame(
            index: index, time: Double(index) / 30, image: nil, widthPixels: 480, heightPixels: 640, tracks: tracks,
            prominent: tracks.first?.id)
    }

    private func pose(_ x: Float) -> Pose {
        var points = (0..<18).map { Keypoint(x: x + Float($0) * 0.01, y: -0.25, confidence: 0.875) }
        points[3] = .missing
        return Pose(keypoints: points)
    }

    @Test func `what is written is read again`() throws {
        let writer = try PoseStreamWriter(file, header: header)
        try writer.write(frame(0, tracks: []))
        try writer.write(frame(1, tracks: [Track(id: 3, pose: pose(0.125)), Track(id: 7, pose: pose(1.5))]))
        try writer.finish()
        let reader = try PoseStreamReader(file)
        #expect(reader.header == header)
        #expect(try reader.next()?.tracks.isEmpty == true)
        let second = try #require(try reader.next())
        #expect(abs(second.time - 0.0333) < 1e-9)
        #expect(second.tracks.map(\.id) == [3, 7])
        for (read, written) in zip(second.tracks[0].pose.keypoints, pose(0.125).keypoints) {
            #expect(abs(read.x - written.x) < 1e-5 && read.y == written.y && read.confidence == written.confidence)
        }
        #expect(second.tracks[1].pose[.rightElbow].confidence == 0)
        #expect(try reader.next() == nil)
    }

    @Test func `the lines are exactly as documented`() throws {
        let writer = try PoseStreamWriter(file, header: header)
        try writer.write(frame(1, tracks: [Track(id: 1, pose: pose(0.5))]))
        try writer.finish()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines[0].hasPrefix(#"{"format":"spotter.poses","version":1,"joints":["nose","neck","right_shoulder""#))
        #expect(lines[0].hasSuffix(#""rate_hz":30.0,"width":480,"height":640,"source":"a \"clip\".mp4"}"#))
        #expect(lines[1].hasPrefix(#"{"t":0.0333,"poses":[{"track":1,"keypoints":[[0.5,-0.25,0.875],"#))
        #expect(lines[1].contains("[0,0,0]"))
    }

    @Test func `an unfinished stream is not seen under its name`() throws {
        let writer = try PoseStreamWriter(file, header: header)
        try writer.write(frame(0, tracks: []))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        writer.abandon()
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).isEmpty)
    }

    @Test func `a stream that is written through a link replaces the link's target`() throws {
        let link = folder.file("link.poses.jsonl")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.lastPathComponent)
        let writer = try PoseStreamWriter(link, header: header)
        try writer.write(frame(0, tracks: []))
        try writer.finish()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.lastPathComponent)
        #expect(try PoseStreamReader(file).next() != nil)
    }

    @Test func `a pipe is written into and stays a pipe`() throws {
        try #require(mkfifo(file.path, 0o600) == 0)
        let reader = open(file.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = try PoseStreamWriter(file, header: header)
        try writer.write(frame(0, tracks: []))
        try writer.finish()
        var bytes = [UInt8](repeating: 0, count: 4096)
        #expect(read(reader, &bytes, bytes.count) > 100)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test(arguments: [
        ("", "empty"), ("hello\n", "header"), ("{\"format\":\"other\",\"version\":1}\n", "header"),
        ("{\"format\":\"spotter.poses\",\"version\":1}\n", "lacks joints"),
    ])
    func `a file that is not a pose stream is refused`(content: String, reason: String) throws {
        try Data(content.utf8).write(to: file)
        let error = try #require(throws: PoseStreamError.self) { _ = try PoseStreamReader(file) }
        #expect("\(error)".contains(reason))
    }

    @Test func `a newer version, other joints or an impossible size are refused`() throws {
        let good =
            #"{"format":"spotter.poses","version":1,"joints":JOINTS,"rate_hz":30.0,"width":480,"height":640,"source":""}"#
            .replacing("JOINTS", with: "[" + Joint.names.map { "\"\($0)\"" }.joined(separator: ",") + "]")
        for (from, to) in [("\"version\":1", "\"version\":2"), ("\"nose\",", ""), ("480", "0"), ("30.0", "-1")] {
            try Data((good.replacing(from, with: to) + "\n").utf8).write(to: file)
            #expect(throws: PoseStreamError.self, "\(to)") { _ = try PoseStreamReader(file) }
        }
    }

    @Test(arguments: [
        "{", "{\"t\":0.1}", "{\"t\":-1,\"poses\":[]}", "{\"t\":0.1,\"poses\":[{\"track\":1,\"keypoints\":[[0,0,0]]}]}",
        "{\"t\":1e999,\"poses\":[]}", "null",
    ])
    func `a damaged line is named by its number, and reading can go on`(line: String) throws {
        let writer = try PoseStreamWriter(file, header: header)
        try writer.write(frame(0, tracks: []))
        try writer.finish()
        var text = try String(contentsOf: file, encoding: .utf8)
        text += line + "\n\n{\"t\":2,\"poses\":[]}\n"
        try Data(text.utf8).write(to: file)
        let reader = try PoseStreamReader(file)
        _ = try reader.next()
        let error = try #require(throws: PoseStreamError.self) { _ = try reader.next() }
        guard case .damagedLine(_, let number, _) = error else { Issue.record("\(error)"); return }
        #expect(number == 3)
        #expect(try reader.next()?.time == 2)
    }
}
