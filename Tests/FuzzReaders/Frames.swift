import Capture
import Foundation

extension FuzzReader {
    /// A camera's buffers. The first three bytes choose format and size, the rest is two pictures. The second is the
    /// first one's tail: an error in one picture must not affect the next.
    static let frames = FuzzReader(name: "frames") { bytes in
        let formats = [
            "MJPG", "YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "JPEG", "422P", "YVYU", "Y16 -BE", "BA81",
        ]
        var numbers = Numbers(bytes)
        let format = PixelFormat(formats[Int(numbers.byte()) % formats.count])
        let (width, height) = (1 + Int(numbers.byte() & 0x7F), 1 + Int(numbers.byte() & 0x7F))
        let picture = [UInt8](numbers.rest)
        guard let converter = PixelConverter(format, widthPixels: width, heightPixels: height) else { return }
        var failure: (any Error)?
        for start in [0, picture.count / 2] {
            do {
                let image = try atTheEdge(picture[start...]) { try converter.image(from: $0) }
                precondition(image.widthPixels == width && image.heightPixels == height, "another size")
                precondition(image.rgb.count == width * height * 3, "another size in RGB")
                _ = image.brightness
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
    /// Bytes at the end of their memory, as in a camera's buffer: reading beyond them is a fault at once.
    private static func atTheEdge<T>(
        _ bytes: ArraySlice<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> T
    ) throws -> T {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let room = (bytes.count + page - 1) / page * page
        guard let start = mmap(nil, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED
        else { throw POSIXError(.ENOMEM) }
        defer { munmap(start, room + page) }
        mprotect(start + room, page, PROT_NONE)
        let frame = UnsafeMutableRawBufferPointer(start: start + room - bytes.count, count: bytes.count)
        frame.copyBytes(from: bytes)
        return try read(frame)
    }
}
