/// A picture in memory: row-major, rows without padding, in the layout its source delivers.
///
/// Copies of an image share their pixels.
public struct Image: Sendable {
    /// How the pixels are stored.
    public enum Layout: Sendable, Equatable {
        /// `[height, width, 3]`: R G B.
        case rgb
        /// `[height, width / 2, 4]`: Y U Y V for two pixels; the width is even. In full range all values are 0…255, as
        /// in JPEG. Otherwise Y is 16…235, U and V are 16…240. Both follow ITU-R BT.601.
        case yuyv(isFullRange: Bool)

        /// Bytes per pixel.
        var depth: Int { self == .rgb ? 3 : 2 }
    }

    /// Width of the picture.
    public let widthPixels: Int
    /// Height of the picture.
    public let heightPixels: Int
    /// How ``bytes`` are arranged.
    public let layout: Layout
    /// The pixels from the top left, arranged as ``layout`` says.
    public let bytes: [UInt8]

    /// Creates an image from pixels in the given layout.
    ///
    /// - Precondition: `bytes` has the length that the layout requires; for `yuyv` the width is even.
    public init(widthPixels: Int, heightPixels: Int, layout: Layout, bytes: [UInt8]) {
        precondition(bytes.count == widthPixels * heightPixels * layout.depth, "the bytes do not fill the picture")
        precondition(layout == .rgb || widthPixels.isMultiple(of: 2), "two pixels of a row share their colour")
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.layout = layout
        self.bytes = bytes
    }

    /// Creates an image from RGB pixels.
    public init(widthPixels: Int, heightPixels: Int, rgb: [UInt8]) {
        self.init(widthPixels: widthPixels, heightPixels: heightPixels, layout: .rgb, bytes: rgb)
    }

    /// `heightPixels * widthPixels * 3` bytes, R G B R G B …
    ///
    /// Another layout is converted at every call, so use this only to show or store a picture. The networks read
    /// ``bytes`` directly.
    public var rgb: [UInt8] {
        guard case .yuyv(let isFullRange) = layout else { return bytes }
        let (black, gain) = isFullRange ? (0, 1) : (16, 255.0 / 219)
        let colour = isFullRange ? 1 : 255.0 / 224
        return [UInt8](unsafeUninitializedCapacity: widthPixels * heightPixels * 3) { output, count in
            count = widthPixels * heightPixels * 3
            // `UInt8` truncates, so adding a half rounds.
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

    /// The offset of the first brightness byte and the step to the next one. In RGB these are the green bytes.
    public var brightness: (first: Int, step: Int) { layout == .rgb ? (1, 3) : (0, 2) }
}
