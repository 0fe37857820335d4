/// A picture in memory: 8-bit RGB, `[height, width, 3]`, row-major, rows without padding.
///
/// The pixels are shared, never copied, when an image is passed on.
public struct Image: Sendable {
    public let widthPixels: Int
    public let heightPixels: Int
    /// `heightPixels * widthPixels * 3` bytes, R G B R G B …, from the top left.
    public let rgb: [UInt8]

    /// Wraps pixels that are already RGB.
    ///
    /// - Precondition: `rgb.count == widthPixels * heightPixels * 3`.
    public init(widthPixels: Int, heightPixels: Int, rgb: [UInt8]) {
        precondition(rgb.count == widthPixels * heightPixels * 3, "an RGB image needs 3 bytes a pixel")
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.rgb = rgb
    }
}
