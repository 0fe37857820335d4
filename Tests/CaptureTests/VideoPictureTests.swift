import Capture
import Foundation
import TestSupport
import Testing

/// Tests the pictures of videos: colours, sizes and layouts.
@Suite struct VideoPictureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A picture with orange on the left and blue on the right.
    private func twoColours(_ name: String, _ scale: String, _ output: [String]) throws -> String {
        let path = folder.file(name).path
        let source =
            "color=c=0xC86428:s=64x48:r=10:d=1,format=rgb24,"
            + "drawbox=x=iw/2:y=0:w=iw/2:h=ih:color=0x2850B4:t=fill,format=rgb24,scale=\(scale)"
        try ffmpeg(["-f", "lavfi", "-i", source] + output + [path])
        return path
    }

    private func expectTwoColours(_ path: String) throws {
        let image = try #require(try VideoRecording(path).next()?.image)
        for (place, truth) in [(0.2, [0xC8, 0x64, 0x28]), (0.8, [0x28, 0x50, 0xB4])] {
            let found = image.colour(place, 0.5)
            // The tolerance covers two roundings to 8 bits and a lossy codec.
            #expect(zip(found, truth).allSatisfy { abs($0 - $1) <= 8 }, "\(found) instead of \(truth)")
        }
    }

    @Test(arguments: [
        ("bt601", "tv", "yuv420p"), ("bt709", "tv", "yuv420p"), ("bt709", "pc", "yuv420p"), ("bt601", "pc", "yuvj444p"),
    ])
    func `colours are right, whatever the matrix and range of the video`(
        matrix: String, range: String, format: String
    ) throws {
        let path = try twoColours(
            "a.mp4", "out_color_matrix=\(matrix):out_range=\(range)",
            [
                "-pix_fmt", format, "-color_range", range, "-colorspace", matrix == "bt709" ? "bt709" : "smpte170m",
                "-c:v", "libx264", "-qp", "4",
            ])
        try expectTwoColours(path)
    }

    @Test(arguments: [("libx264", "yuv420p10le"), ("libx265", "yuv420p10le"), ("libx264", "yuv422p10le")])
    func `videos of ten bits are read like those of eight`(codec: String, format: String) throws {
        let path = try twoColours(
            "ten.mp4", "out_color_matrix=bt709:out_range=tv",
            ["-pix_fmt", format, "-colorspace", "bt709", "-color_range", "tv", "-c:v", codec]
                + (codec == "libx265" ? ["-x265-params", "log-level=none:lossless=1"] : ["-qp", "4"]))
        try expectTwoColours(path)
    }

    @Test(arguments: ["65x49", "33x48", "2x2", "3x5"], ["yuv420p", "yuv444p", "rgb24", "gray"])
    func `odd sizes are handled`(size: String, format: String) throws {
        let path = folder.file("odd.mkv").path
        let white = "color=c=white:s=\(size):r=10:d=1,format=rgb24"
        try ffmpeg("-f", "lavfi", "-i", white, "-pix_fmt", format, "-c:v", "ffv1", path)
        let recording = try VideoRecording(path)
        let (frames, failure) = drain(recording)
        #expect(frames.count == 10 && failure == nil)
        let sides = size.split(separator: "x").compactMap { Int($0) }
        #expect(recording.format.widthPixels == sides[0] && recording.format.heightPixels == sides[1])
        let image = try #require(frames.first?.image)
        #expect(image.widthPixels == (sides[0] + 1) / 2 * 2 && image.heightPixels == (sides[1] + 1) / 2 * 2)
        #expect(image.colour(0, 0).allSatisfy { $0 > 250 })
    }

    @Test(arguments: [("128x96", false), ("96x96", true), ("32x24", false)])
    func `a stream that changes its size midway keeps its pictures whole`(size: String, hasBars: Bool) throws {
        var parts = Data()
        for (colour, size) in [("red", "64x48"), ("blue", size)] {
            let part = folder.file("\(colour).ts")
            try ffmpeg(
                "-f", "lavfi", "-i", "color=c=\(colour):s=\(size):r=10:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p",
                part.path)
            parts += try Data(contentsOf: part)
        }
        let file = folder.file("both.ts")
        try parts.write(to: file)
        let (frames, failure) = drain(try VideoRecording(file.path))
        #expect(failure == nil && frames.count >= 18, "\(frames.count) \(failure ?? "")")
        #expect(frames.allSatisfy { $0.image.widthPixels == 64 && $0.image.heightPixels == 48 })
        let (first, last) = (try #require(frames.first).image, try #require(frames.last).image)
        for place in [0.3, 0.5, 0.7] {
            #expect(first.colour(place, 0.5)[0] > 200 && last.colour(place, 0.5)[2] > 200)
        }
        #expect((last.colour(0.02, 0.5)[2] < 30) == hasBars)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `pictures are rotated by the camera's mounting angle`(quarterTurns: Int) throws {
        let path = try twoColours("turned.mp4", "out_range=tv", ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-qp", "4"])
        var settings = VideoRecording.Settings()
        settings.orientation = Orientation(quarterTurns: quarterTurns)
        let recording = try VideoRecording(path, settings: settings)
        let image = try #require(try recording.next()?.image)
        #expect(image.widthPixels == recording.format.widthPixels)
        #expect(image.widthPixels == (quarterTurns % 2 == 0 ? 64 : 48))
        // Where the video's left side, which is orange, must be after the clockwise rotation.
        let place = [(0.1, 0.5), (0.5, 0.1), (0.9, 0.5), (0.5, 0.9)][quarterTurns]
        let colour = image.colour(place.0, place.1)
        #expect(colour[0] > colour[2], "\(colour)")
    }
}
