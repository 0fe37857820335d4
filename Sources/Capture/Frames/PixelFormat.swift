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

    /// Whether the format is a JPEG variant. Compressed pictures vary in length, so only decoding shows damage.
    public var isCompressed: Bool { Self.compressed.contains(self) }

    /// The format that needs no conversion; see ``Image/Layout``.
    static let yuyv = PixelFormat("YUYV")

    /// Ranks formats by the cost and the loss of the conversion to RGB; lower is better.
    var rank: Int {
        if self == .yuyv { return 0 }
        if Self.packed.contains(self) { return 1 }
        if Self.planar.contains(self) { return 2 }
        if isCompressed { return 3 }
        return Self.colourless.contains(self) ? 5 : 4
    }

    /// The number of bytes in a complete uncompressed picture. libv4l reads this many without a bounds check.
    ///
    /// - Parameter pitch: bytes from one row of the (first) plane to the next.
    func leastBytes(width: Int, height: Int, pitch: Int) -> Int {
        let isWide = rank < 2 || description.hasPrefix("Y1")
        let depth = ["RGB3", "BGR3"].contains { self == PixelFormat($0) } ? 3 : isWide ? 2 : 1
        // Two pixels of a row share their colours, so an odd width is rounded up.
        let (columns, rows) = (rank < 3 ? (width + 1) / 2 * 2 : width, rank == 2 ? (height + 1) / 2 * 2 : height)
        let plane = max(pitch, columns * depth) * rows
        guard Self.planar.contains(self) else { return plane }
        let isHalved = ["NV12", "NV21", "YU12", "YV12"].contains { self == PixelFormat($0) }
        return isHalved ? plane + plane / 2 : plane * 2
    }

    private static let packed = Set(["UYVY", "YVYU", "VYUY", "RGB3", "BGR3"].map { PixelFormat($0) })
    private static let planar = Set(["NV12", "NV21", "YU12", "YV12", "NV16", "NV61", "422P"].map { PixelFormat($0) })
    private static let compressed = Set(["MJPG", "JPEG", "PJPG"].map { PixelFormat($0) })
    private static let colourless = Set(["GREY", "Y10 ", "Y12 ", "Y16 ", "Y04 ", "Y06 "].map { PixelFormat($0) })
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
