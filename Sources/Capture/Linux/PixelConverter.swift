import CV4L2
import Foundation

/// Makes RGB of what a camera delivers, with libv4l's converter. Not for two threads at a time.
final class PixelConverter {
    private var converter: OpaquePointer
    private let source: v4l2_format
    private let target: v4l2_format
    private let format: PixelFormat
    /// Whether this camera ends its JPEG pictures as it should, so that one without an end is a torn one.
    private var endsPictures = false

    /// Why a picture is none.
    struct Broken: Error { let reason: String }

    /// - Parameter source: what the camera has agreed to deliver.
    init?(from source: v4l2_format) {
        guard let converter = cv4l2_converter_create() else { return nil }
        self.converter = converter
        var source = source
        // libv4l divides by it.
        source.fmt.pix.bytesperline = max(source.fmt.pix.bytesperline, source.fmt.pix.width)
        self.source = source
        format = PixelFormat(code: source.fmt.pix.pixelformat)
        var target = source
        target.fmt.pix.pixelformat = PixelFormat("RGB3").code
        target.fmt.pix.bytesperline = source.fmt.pix.width * 3
        target.fmt.pix.sizeimage = source.fmt.pix.width * 3 * source.fmt.pix.height
        self.target = target
    }

    deinit { v4lconvert_destroy(converter) }

    /// Whether libv4l can make RGB of a format at all.
    static func canConvert(_ format: PixelFormat) -> Bool {
        if format.isCompressed { return true }
        var sample = v4l2_format()
        sample.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        (sample.fmt.pix.width, sample.fmt.pix.height, sample.fmt.pix.bytesperline) = (64, 64, 64)
        sample.fmt.pix.pixelformat = format.code
        guard let converter = PixelConverter(from: sample) else { return false }
        // More than any format needs, so that it can only fail for not being known.
        var bytes = [UInt8](repeating: 0, count: 64 * 64 * 8)
        return bytes.withUnsafeMutableBytes { (try? converter.image(from: $0)) != nil }
    }

    /// - Throws: ``Broken`` when the bytes are too few, or no picture.
    func image(from bytes: UnsafeMutableRawBufferPointer) throws(Broken) -> Image {
        let (width, height) = (Int(source.fmt.pix.width), Int(source.fmt.pix.height))
        try check(bytes)
        var written: Int32 = -1
        let rgb = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            var (source, target) = (source, target)
            written = v4lconvert_convert(
                converter, &source, &target, bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                Int32(clamping: bytes.count), buffer.baseAddress, Int32(clamping: width * height * 3))
            count = written == width * height * 3 ? width * height * 3 : 0
        }
        guard !rgb.isEmpty else {
            let message = String(cString: v4lconvert_get_error_message(converter))
            renew()
            throw Broken(reason: message.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return Image(widthPixels: width, heightPixels: height, rgb: rgb)
    }

    /// After a picture of another size libv4l's JPEG decoder takes every later one for that.
    private func renew() {
        guard format.isCompressed, let fresh = cv4l2_converter_create() else { return }
        v4lconvert_destroy(converter)
        converter = fresh
    }

    /// What libv4l's decoders would let pass.
    private func check(_ bytes: UnsafeMutableRawBufferPointer) throws(Broken) {
        guard format.isCompressed else {
            let least = Int(source.fmt.pix.bytesperline) * Int(source.fmt.pix.height)
            guard bytes.count >= least else { throw Broken(reason: "\(bytes.count) bytes instead of \(least)") }
            return
        }
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw Broken(reason: "no JPEG picture") }
        // Some cameras fill up with zeros behind the end.
        var end = bytes.count
        while end > 2 && bytes[end - 1] == 0 { end -= 1 }
        if bytes[end - 2] == 0xFF && bytes[end - 1] == 0xD9 {
            endsPictures = true
        } else if endsPictures {
            throw Broken(reason: "the JPEG picture breaks off")
        }
    }
}
