/// A picture in memory, row-major, rows without padding, in the layout its source delivers.
///
/// The pixels are shared, never copied, when an image is passed on.
public struct Image: Sendable {
    /// How the pixels stand in memory.
    public enum Layout: Sendable, Equatable {
        /// `[height, width, 3]`: R G B.
        case rgb
        /// `[height, width / 2, 4]`: Y U Y V for two pixels, the width even. Full range is 0…255 for all of them, as in
        /// JPEG; else Y is 16…235 and the others 16…240, both after ITU-R BT.601.
        case yuyv(isFullRange: Bool)

        /// Bytes a pixel.
        var depth: Int { self == .rgb ? 3 : 2 }
    }

    public let widthPixels: Int
    public let heightPixels: Int
    public let layout: Layout
    /// From the top left.
    public let bytes: [UInt8]

    /// Wraps pixels in the layout they have.
    ///
    /// - Precondition: As many bytes as the layout asks for.
    public init(widthPixels: Int, heightPixels: Int, layout: Layout, bytes: [UInt8]) {
        precondition(bytes.count == widthPixels * heightPixels * layout.depth, "the bytes are not a picture's")
        precondition(layout == .rgb || widthPixels.isMultiple(of: 2), "two pixels of a row share their colour")
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.layout = layout
        self.bytes = bytes
    }

    /// Wraps pixels that are already RGB.
    public init(widthPixels: Int, heightPixels: Int, rgb: [UInt8]) {
        self.init(widthPixels: widthPixels, heightPixels: heightPixels, layout: .rgb, bytes: rgb)
    }

    /// `heightPixels * widthPixels * 3` bytes, R G B R G B …; made anew at every call where the layout is another one,
    /// so it is for whoever shows or stores a picture. The networks take the bytes as they are.
    public var rgb: [UInt8] {
        guard case .yuyv(let isFullRange) = layout else { return bytes }
        let (black, gain) = isFullRange ? (0, 1) : (16, 255.0 / 219)
        let colour = isFullRange ? 1 : 255.0 / 224
        return [UInt8](unsafeUninitializedCapacity: widthPixels * heightPixels * 3) { output, count in
            count = widthPixels * heightPixels * 3
            // Cut off, which for what is not negative is rounded when a half is added.
            let byte = { (value: Double) in UInt8(min(max(value, 0), 255) + 0.5) }
            bytes.withUnsafeBufferPointer { bytes in
                for pixel in 0..<widthPixels * heightPixels {
                    let pair = pixel / 2 * 4
                    let luma = Double(Int(bytes[2 * pixel]) - black) * gain
                    let u = Double(Int(bytes[pair + 1]) - 128) * colour, v = Double(Int(bytes[pair + 3]) - 128) * colour
                    output[3 * pixel] = byte(luma + 1.402 * v)
                    output[3 * pixel + 1] = byte(luma - 0.344136 * u - 0.714136 * v)
                    output[3 * pixel + 2] = byte(luma + 1.772 * u)
                }
            }
        }
    }

    /// Where the brightness of a pixel stands: its green is most of it.
    public var brightness: (first: Int, step: Int) { layout == .rgb ? (1, 3) : (0, 2) }
}
