import Capture
import Foundation
import TestSupport
import Testing

/// Tests which stream of a file is read, in which shape, and what is said where there is none.
@Suite struct VideoStreamChoiceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two films of one second and one picture: `small.mp4`, `large.mp4` and `cover.jpg`.
    private func parts() throws {
        for (name, size) in [("small", "64x48"), ("large", "128x96")] {
            try ffmpeg("-f", "lavfi", "-i", "testsrc=duration=1:size=\(size):rate=30", folder.file(name + ".mp4").path)
        }
        try ffmpeg("-f", "lavfi", "-i", "testsrc=size=640x480", "-frames:v", "1", folder.file("cover.jpg").path)
    }

    private func joined(_ inputs: [String], _ name: String, _ options: [String]) throws -> String {
        let given = inputs.flatMap { ["-i", folder.file($0).path] }
        let maps = inputs.indices.flatMap { ["-map", "\($0)"] }
        try ffmpeg(given + maps + ["-c", "copy"] + options + [folder.file(name).path])
        return folder.file(name).path
    }

    @Test(arguments: ["mp4", "mov", "mkv"]) func `a cover picture is not the film`(suffix: String) throws {
        try parts()
        let file = try joined(
            ["cover.jpg", "small.mp4"], "covered.\(suffix)", ["-disposition:v:0", "attached_pic", "-strict", "-2"])
        // Matroska has no attached picture without an attachment: there the default stream says which one is meant.
        let recording = try VideoRecording(file)
        if suffix == "mkv" { return }
        #expect(recording.format.widthPixels == 64)
        #expect(drain(recording).frames.count == 30)
    }

    @Test func `the default film is read, else the largest`() throws {
        try parts()
        let second = try joined(
            ["large.mp4", "small.mp4"], "default.mkv", ["-disposition:v:0", "0", "-disposition:v:1", "default"])
        #expect(try VideoRecording(second).format.widthPixels == 64)
        let larger = try joined(
            ["small.mp4", "large.mp4"], "none.mkv",
            ["-disposition:v:0", "0", "-disposition:v:1", "0", "-default_mode", "passthrough"])
        let recording = try VideoRecording(larger)
        #expect(recording.format.widthPixels == 128)
        #expect(drain(recording).frames.count == 30)
    }

    @Test func `sound with a cover picture holds no video stream`() throws {
        try parts()
        try ffmpeg("-f", "lavfi", "-i", "sine=duration=1", folder.file("sound.m4a").path)
        let file = try joined(["sound.m4a", "cover.jpg"], "song.m4a", ["-disposition:v:0", "attached_pic"])
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(file) }
        #expect("\(error)".contains("it holds no video stream"), "\(error)")
    }

    @Test(arguments: [
        ("2/1", 0, 64, 48), ("1/2", 0, 16, 48), ("4/3", 0, 43, 48), ("2/1", 90, 48, 64), ("1/1000", 0, 32, 48),
    ])
    func `pixels have their true shape`(shape: String, turn: Int, width: Int, height: Int) throws {
        let flat = folder.file("flat.mp4").path
        try ffmpeg("-f", "lavfi", "-i", "color=white:d=1:s=32x48:r=10", "-vf", "setsar=\(shape)", flat)
        let file = folder.file("turned.mp4").path
        try ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=\(turn)", file)
        let recording = try VideoRecording(file)
        #expect(recording.format.widthPixels == width && recording.format.heightPixels == height)
        let (frames, failure) = drain(recording)
        let image = try #require(frames.first?.image, "\(failure ?? "")")
        #expect(image.widthPixels == (width + 1) / 2 * 2 && image.heightPixels == height && frames.count == 10)
        // No bars.
        for place in [(0.05, 0.5), (0.5, 0.02), (0.94, 0.5), (0.5, 0.98)] {
            #expect(image.colour(place.0, place.1).allSatisfy { $0 > 240 }, "\(place)")
        }
    }

    @Test func `a recording that was never finished says so`() throws {
        try parts()
        let whole = try Data(contentsOf: folder.file("large.mp4"))
        let index = try #require(whole.range(of: Data("moov".utf8))).lowerBound - 4
        let file = folder.file("unfinished.mp4")
        try whole.prefix(index).write(to: file)
        let error = try #require(throws: CaptureError.self) { _ = try VideoRecording(file.path) }
        #expect("\(error)".contains("moov atom not found (Invalid data") && "\(error)".contains("loses power"))
    }
}
