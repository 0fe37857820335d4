import Capture

/// Pictures with several people, composed from a recording with one.
enum BenchScene {
    /// Frames kept in memory: five seconds at 30 frames/s.
    private static let length = 150
    private static let widthPixels = 1280, heightPixels = 960

    /// The first 150 frames of a recording.
    static func frames(of clip: String) throws -> [Frame] {
        let video = try VideoRecording(clip)
        defer { video.stop() }
        var frames: [Frame] = []
        while frames.count < length, let frame = try video.next() { frames.append(frame) }
        return frames
    }

    /// The recording, repeated `times` times, at most eight, in a grey picture: in two columns, or in four of half the width
    /// for more than four people. Each frame is composed when it is read.
    static func tile(_ frames: [Frame], times: Int) -> some Sequence<Frame> {
        frames.lazy.map { frame in
            Frame(index: frame.index, time: frame.time, image: tile(frame.image, times: times))
        }
    }

    private static func tile(_ image: Image, times: Int) -> Image {
        var rgb = [UInt8](repeating: 128, count: widthPixels * heightPixels * 3)
        let columns = times > 4 ? 4 : 2
        let width = min(image.widthPixels, widthPixels / columns), height = min(image.heightPixels, heightPixels / 2)
        let pixels = image.rgb, skipped = (image.widthPixels - width) / 2
        for number in 0..<times {
            let left = number % columns * widthPixels / columns, top = number / columns * heightPixels / 2
            for y in 0..<height {
                let source = (y * image.widthPixels + skipped) * 3, target = ((top + y) * widthPixels + left) * 3
                rgb.replaceSubrange(target..<target + width * 3, with: pixels[source..<source + width * 3])
            }
        }
        return Image(widthPixels: widthPixels, heightPixels: heightPixels, rgb: rgb)
    }
}
