import Foundation

/// A camera's pixel format, named by its four-character code such as `YUYV` or `MJPG`.
public struct PixelFormat: Sendable, Hashable {
    /// The Video4Linux FOURCC: one byte per letter, the first in the lowest byte.
    package let code: UInt32

    init(code: UInt32) { self.code = code }

    /// Creates a format from its code.
    ///
    /// - Parameter letters: Four letters as in ``description``. Trailing spaces may be omitted. `-BE` is appended for
    ///   big-endian formats.
    public init(_ letters: String) {
        let isTurned = letters.hasSuffix("-BE")
        let four = (isTurned ? String(letters.dropLast(3)) : letters).padding(
            toLength: 4, withPad: " ", startingAt: 0)
        code = four.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } | (isTurned ? 1 << 31 : 0)
    }

    /// Whether the format is JPEG. Compressed pictures vary in length, so only decoding shows damage.
    public var isCompressed: Bool { self == PixelFormat("MJPG") || self == PixelFormat("JPEG") }

    /// The formats that need no conversion; see ``Image/Layout``.
    static let yuyv = PixelFormat("YUYV"), nv12 = PixelFormat("NV12")

    /// Ranks formats by the cost and the loss of the conversion to RGB; lower is better.
    var rank: Int {
        if self == .yuyv { return 0 }
        let compressed = 4
        return isCompressed ? compressed : pictureLayout?.rank ?? .max
    }

    /// How an uncompressed picture lies in memory. libv4l reads what follows from this, without a bounds check.
    struct PictureLayout {
        let rank: Int
        /// Bytes per pixel in the first plane.
        var depth = 1
        /// The bytes of all planes, in halves of the first plane.
        var halves = 2
        /// The width and the height are multiples of these, since pixels share their colours. libv4l writes beyond the
        /// end of other pictures.
        var columns = 1, rows = 1
    }

    /// The layout of an uncompressed picture; `nil` when Spotter does not convert the format.
    var pictureLayout: PictureLayout? { Self.pictureLayouts[self] }

    /// The uncompressed formats that Spotter converts.
    package static var uncompressed: [PixelFormat] { Array(pictureLayouts.keys) }

    // Formats and layouts as the kernel's documentation has them (Video for Linux API, "Image Formats").
    private static let pictureLayouts = Dictionary(
        uniqueKeysWithValues: [
            (["NV12"], PictureLayout(rank: 1, halves: 3, columns: 2, rows: 2)),
            (["YUYV", "UYVY", "YVYU"], PictureLayout(rank: 2, depth: 2, columns: 2)),
            (["RGBP"], PictureLayout(rank: 2, depth: 2)),
            (["RGB3", "BGR3"], PictureLayout(rank: 2, depth: 3)),
            (["RGB4", "BGR4", "XR24", "BX24", "AR24", "BA24"], PictureLayout(rank: 2, depth: 4)),
            (["YU12", "YV12"], PictureLayout(rank: 3, halves: 3, columns: 2, rows: 2)),
            (["NV16", "NV61"], PictureLayout(rank: 3, halves: 4, columns: 2)),
            (["BA81", "GBRG", "GRBG", "RGGB"], PictureLayout(rank: 5)),
            (["GREY", "Y04 ", "Y06 "], PictureLayout(rank: 6)),
            (["Y16 ", "Y16 -BE"], PictureLayout(rank: 6, depth: 2)),
        ].flatMap { names, layout in names.map { (PixelFormat($0), layout) } })
}

extension PixelFormat: CustomStringConvertible {
    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0) & 0x7F) }
        let letters = String(decoding: bytes, as: UTF8.self).replacing("\0", with: "").trimmedEnd
        // The highest bit marks big-endian formats.
        return code >> 31 == 1 ? letters + "-BE" : letters
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
