import Capture
import TestSupport

extension FuzzReader {
    /// A camera's buffers. The first three bytes choose format and size, the rest is two pictures. The second is the
    /// first one's tail: an error in one picture must not affect the next.
    static let frames = FuzzReader(name: "frames") { bytes in
        let formats = [
            "MJPG", "YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "JPEG", "NV16", "YVYU", "Y16 -BE", "BA81",
        ]
        var numbers = Numbers(bytes)
        let format = PixelFormat(formats[Int(numbers.byte()) % formats.count])
        let (width, height) = (1 + Int(numbers.byte() & 0x7F), 1 + Int(numbers.byte() & 0x7F))
        let picture = [UInt8](numbers.rest)
        guard let converter = PixelConverter(format, widthPixels: width, heightPixels: height) else { return }
        var failure: (any Error)?
        for start in [0, picture.count / 2] {
            do {
                let image = try withGuardedBytes(picture[start...]) { source in
                    try withGuardedBytes(count: width * height * 3) { target in
                        try converter.convert(source, to: target.bindMemory(to: UInt8.self))
                    }
                    return try converter.image(from: source)
                }
                precondition(image.widthPixels == width && image.heightPixels == height, "another size")
                precondition(image.rgb.count == width * height * 3, "another size in RGB")
                _ = image.brightness
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
