import CV4L2
import Foundation

/// Converts a camera's buffers to images. YUYV and NV12 stay as they are, since the networks' inputs are cut from them.
/// libv4l converts the other uncompressed formats to RGB, libjpeg-turbo decodes JPEG.
///
/// Not thread-safe.
package final class PixelConverter {
    private let widthPixels: Int
    private let heightPixels: Int
    private let decoding: Decoding

    private enum Decoding {
        /// Only the padding at the ends of the rows is removed. The rows of all planes have the same length in bytes.
        case packed(Image.Layout, row: Int, pitch: Int, pictureBytes: Int)
        case libv4l(OpaquePointer, source: v4l2_format, target: v4l2_format, pictureBytes: Int)
        case jpeg(JPEGDecoder)
    }

    /// Why a buffer is not a complete picture.
    package struct UnreadablePicture: Error {
        /// What is wrong, as shown to users.
        package let reason: String
    }

    /// - Parameters:
    ///   - source: the format that the camera delivers.
    ///   - makesRGB: whether YUYV and NV12 are converted to RGB, too; needed when the pictures are turned afterwards.
    /// - Returns: `nil` when Spotter does not convert the format, or not in this size.
    init?(from source: v4l2_format, makesRGB: Bool = false) {
        var source = source
        let format = PixelFormat(code: source.fmt.pix.pixelformat)
        widthPixels = Int(source.fmt.pix.width)
        heightPixels = Int(source.fmt.pix.height)
        guard Self.canConvert(format, widthPixels: widthPixels, heightPixels: heightPixels) else { return nil }
        guard let layout = format.pictureLayout else {
            guard let decoder = JPEGDecoder() else { return nil }
            decoding = .jpeg(decoder)
            return
        }
        // Some drivers leave the bytes per line at 0, and libv4l divides by them.
        let pitch = max(Int(source.fmt.pix.bytesperline), widthPixels * layout.depth)
        let pictureBytes = pitch * heightPixels * layout.halves / 2
        // libv4l takes the padding of NV12 for pixels.
        let isMisread = format == .nv12 && pitch > widthPixels
        if !makesRGB || isMisread, let straight = Self.straightLayout(format, source.fmt.pix) {
            decoding = .packed(straight, row: widthPixels * layout.depth, pitch: pitch, pictureBytes: pictureBytes)
            return
        }
        guard let converter = cv4l2_converter_create() else { return nil }
        source.fmt.pix.bytesperline = UInt32(pitch)
        var target = source
        target.fmt.pix.pixelformat = PixelFormat("RGB3").code
        target.fmt.pix.bytesperline = source.fmt.pix.width * 3
        target.fmt.pix.sizeimage = source.fmt.pix.width * 3 * source.fmt.pix.height
        decoding = .libv4l(converter, source: source, target: target, pictureBytes: pictureBytes)
    }

    /// Creates a converter for pictures without padding.
    ///
    /// - Returns: `nil` when Spotter does not convert the format, or not in this size.
    package convenience init?(_ format: PixelFormat, widthPixels: Int, heightPixels: Int) {
        var source = v4l2_format()
        source.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        (source.fmt.pix.width, source.fmt.pix.height) = (UInt32(widthPixels), UInt32(heightPixels))
        source.fmt.pix.pixelformat = format.code
        self.init(from: source)
    }

    deinit { if case .libv4l(let converter, _, _, _) = decoding { v4lconvert_destroy(converter) } }

    /// Whether pictures of a format and size can be converted.
    static func canConvert(_ format: PixelFormat, widthPixels: Int, heightPixels: Int) -> Bool {
        // libv4l's Bayer decoder always reads two rows of four pixels. Its sizes are 32-bit numbers.
        guard widthPixels >= 4, heightPixels >= 2, widthPixels <= 1 << 14, heightPixels <= 1 << 14 else { return false }
        if format.isCompressed { return true }
        guard let layout = format.pictureLayout else { return false }
        return widthPixels.isMultiple(of: layout.columns) && heightPixels.isMultiple(of: layout.rows)
    }

    /// Converts the bytes of one picture.
    ///
    /// - Throws: ``UnreadablePicture`` when the bytes are too few or not a picture.
    package func image(from bytes: UnsafeMutableRawBufferPointer) throws(UnreadablePicture) -> Image {
        if case .packed(let layout, let row, let pitch, let pictureBytes) = decoding {
            try check(bytes, pictureBytes)
            var packed: [UInt8] = []
            packed.reserveCapacity(pictureBytes / pitch * row)
            for start in stride(from: 0, to: pictureBytes, by: pitch) {
                packed.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + row]))
            }
            return Image(widthPixels: widthPixels, heightPixels: heightPixels, layout: layout, bytes: packed)
        }
        var failure: UnreadablePicture?
        let size = widthPixels * heightPixels * 3
        let rgb = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            do throws(UnreadablePicture) {
                try convert(bytes, to: UnsafeMutableBufferPointer(rebasing: output[..<size]))
                count = size
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return Image(widthPixels: widthPixels, heightPixels: heightPixels, rgb: rgb)
    }

    /// Converts the bytes of one picture to RGB, unless they stay as they are.
    ///
    /// - Parameter rgb: as many bytes as the picture has, three for each pixel.
    /// - Throws: ``UnreadablePicture`` when the bytes are too few or not a picture.
    package func convert(
        _ bytes: UnsafeMutableRawBufferPointer, to rgb: UnsafeMutableBufferPointer<UInt8>
    ) throws(UnreadablePicture) {
        switch decoding {
        case .packed(_, _, _, let pictureBytes): try check(bytes, pictureBytes)
        case .jpeg(let decoder):
            try decoder.decode(
                UnsafeRawBufferPointer(bytes), widthPixels: widthPixels, heightPixels: heightPixels, to: rgb)
        case .libv4l(let converter, var source, var target, let pictureBytes):
            try check(bytes, pictureBytes)
            let written = v4lconvert_convert(
                converter, &source, &target, bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                Int32(clamping: bytes.count), rgb.baseAddress, Int32(clamping: rgb.count))
            guard written == rgb.count else {
                let message = String(cString: v4lconvert_get_error_message(converter))
                throw UnreadablePicture(reason: message.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
    }

    private func check(_ bytes: UnsafeMutableRawBufferPointer, _ pictureBytes: Int) throws(UnreadablePicture) {
        guard bytes.count >= pictureBytes else {
            throw UnreadablePicture(reason: "\(bytes.count) bytes instead of \(pictureBytes)")
        }
    }

    /// The layout of pictures that need no conversion; `nil` for other formats.
    private static func straightLayout(_ format: PixelFormat, _ pixels: v4l2_pix_format) -> Image.Layout? {
        switch format {
        case .yuyv: .yuyv(isFullRange: isFullRange(pixels))
        case .nv12: .nv12(isFullRange: isFullRange(pixels))
        default: nil
        }
    }

    /// Whether Y is 0…255. The default is the limited range of video.
    private static func isFullRange(_ pixels: v4l2_pix_format) -> Bool {
        pixels.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
            || (pixels.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
                && pixels.colorspace == V4L2_COLORSPACE_JPEG.rawValue)
    }
}
