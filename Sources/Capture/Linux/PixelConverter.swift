import CV4L2
import Foundation

/// Converts a camera's buffers to images. YUYV stays as it is, since the networks' inputs are cut from it. libv4l's
/// converter turns all other formats into RGB.
///
/// Not thread-safe.
package final class PixelConverter {
    private var converter: OpaquePointer
    private let source: v4l2_format
    private let target: v4l2_format
    private let format: PixelFormat
    /// The layout of pictures that need no conversion; `nil` for all others.
    private let layout: Image.Layout?
    /// Whether this camera has ended a JPEG picture with the end marker; a later picture without one is then torn.
    private var endsPictures = false

    /// Why a buffer is not a complete picture.
    package struct UnreadablePicture: Error { let reason: String }

    /// - Parameters:
    ///   - source: the format that the camera delivers.
    ///   - makesRGB: whether YUYV is converted to RGB, too; needed when the pictures are turned afterwards.
    init?(from source: v4l2_format, makesRGB: Bool = false) {
        // libv4l's Bayer decoder always reads two rows of four pixels, even from smaller pictures.
        guard source.fmt.pix.width >= 4, source.fmt.pix.height >= 2 else { return nil }
        guard let converter = cv4l2_converter_create() else { return nil }
        self.converter = converter
        var source = source
        format = PixelFormat(code: source.fmt.pix.pixelformat)
        layout = makesRGB ? nil : Self.layout(of: source.fmt.pix)
        // libv4l divides by the bytes per line, so they must not be 0.
        source.fmt.pix.bytesperline = max(
            source.fmt.pix.bytesperline, source.fmt.pix.width * (layout == nil ? 1 : 2))
        self.source = source
        var target = source
        target.fmt.pix.pixelformat = PixelFormat("RGB3").code
        target.fmt.pix.bytesperline = source.fmt.pix.width * 3
        target.fmt.pix.sizeimage = source.fmt.pix.width * 3 * source.fmt.pix.height
        self.target = target
    }

    /// Creates a converter for pictures without padding; `nil` when they are too small or libv4l fails.
    package convenience init?(_ format: PixelFormat, widthPixels: Int, heightPixels: Int) {
        var source = v4l2_format()
        source.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        (source.fmt.pix.width, source.fmt.pix.height) = (UInt32(widthPixels), UInt32(heightPixels))
        source.fmt.pix.pixelformat = format.code
        self.init(from: source)
    }

    deinit { v4lconvert_destroy(converter) }

    /// Whether libv4l can convert a format to RGB.
    static func canConvert(_ format: PixelFormat) -> Bool {
        if format.isCompressed { return true }
        guard let converter = PixelConverter(format, widthPixels: 64, heightPixels: 64) else { return false }
        // More bytes than any format needs, so that only an unknown format fails.
        var bytes = [UInt8](repeating: 0, count: 64 * 64 * 8)
        return bytes.withUnsafeMutableBytes { (try? converter.image(from: $0)) != nil }
    }

    /// Converts the bytes of one picture.
    ///
    /// - Throws: ``UnreadablePicture`` when the bytes are too few or not a picture.
    package func image(from bytes: UnsafeMutableRawBufferPointer) throws(UnreadablePicture) -> Image {
        let (width, height) = (Int(source.fmt.pix.width), Int(source.fmt.pix.height))
        try check(bytes)
        if let layout { return packed(bytes, layout) }
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
            throw UnreadablePicture(reason: message.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return Image(widthPixels: width, heightPixels: height, rgb: rgb)
    }

    /// The layout that needs no conversion; `nil` for other formats. The default is the limited range of video.
    private static func layout(of pixels: v4l2_pix_format) -> Image.Layout? {
        guard PixelFormat(code: pixels.pixelformat) == .yuyv, pixels.width.isMultiple(of: 2) else {
            return nil
        }
        let isFullRange =
            pixels.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
            || (pixels.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
                && pixels.colorspace == V4L2_COLORSPACE_JPEG.rawValue)
        return .yuyv(isFullRange: isFullRange)
    }

    /// Removes the padding at the ends of the rows.
    private func packed(_ bytes: UnsafeMutableRawBufferPointer, _ layout: Image.Layout) -> Image {
        let (width, height) = (Int(source.fmt.pix.width), Int(source.fmt.pix.height))
        let pitch = Int(source.fmt.pix.bytesperline), row = width * 2
        var packed: [UInt8] = []
        packed.reserveCapacity(row * height)
        for start in stride(from: 0, to: pitch * height, by: pitch) {
            packed.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + row]))
        }
        return Image(widthPixels: width, heightPixels: height, layout: layout, bytes: packed)
    }

    /// Replaces the converter: after a JPEG picture of another size, libv4l expects that size from then on.
    private func renew() {
        guard format.isCompressed, let fresh = cv4l2_converter_create() else { return }
        v4lconvert_destroy(converter)
        converter = fresh
    }

    /// Rejects incomplete pictures that libv4l's decoders would accept.
    private func check(_ bytes: UnsafeMutableRawBufferPointer) throws(UnreadablePicture) {
        guard format.isCompressed else {
            let least = format.leastBytes(
                width: Int(source.fmt.pix.width), height: Int(source.fmt.pix.height),
                pitch: Int(source.fmt.pix.bytesperline))
            guard bytes.count >= least else {
                throw UnreadablePicture(reason: "\(bytes.count) bytes instead of \(least)")
            }
            return
        }
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
            throw UnreadablePicture(reason: "not a JPEG picture")
        }
        // Some cameras pad with zeros after the end marker.
        var end = bytes.count
        while end > 2 && bytes[end - 1] == 0 { end -= 1 }
        if bytes[end - 2] == 0xFF && bytes[end - 1] == 0xD9 {
            endsPictures = true
        } else if endsPictures {
            throw UnreadablePicture(reason: "the JPEG picture breaks off")
        }
    }
}
