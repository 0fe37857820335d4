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
        /// `[height, width]`: Y, then `[height / 2, width / 2, 2]`: U V for two by two pixels; width and height are
        /// even. Ranges and matrix are those of `yuyv`.
        case nv12(isFullRange: Bool)

        /// Bytes of a picture.
        func byteCount(widthPixels: Int, heightPixels: Int) -> Int {
            let pixels = widthPixels * heightPixels
            return switch self {
            case .rgb: pixels * 3
            case .yuyv: pixels * 2
            case .nv12: pixels * 3 / 2
            }
        }

        /// Width and height are multiples of these, since pixels share their colours.
        var shared: (columns: Int, rows: Int) {
            switch self {
            case .rgb: (1, 1)
            case .yuyv: (2, 1)
            case .nv12: (2, 2)
            }
        }

        /// Whether all values are 0…255. Otherwise Y is 16…235.
        package var isFullRange: Bool {
            switch self {
            case .rgb: true
            case .yuyv(let isFullRange), .nv12(let isFullRange): isFullRange
            }
        }
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
    /// - Precondition: `bytes` has the length that the layout requires. For `yuyv` the width is even, for `nv12` the
    ///   height too.
    public init(widthPixels: Int, heightPixels: Int, layout: Layout, bytes: [UInt8]) {
        precondition(
            bytes.count == layout.byteCount(widthPixels: widthPixels, heightPixels: heightPixels),
            "the bytes do not fill the picture")
        let shared = layout.shared
        precondition(
            widthPixels.isMultiple(of: shared.columns) && heightPixels.isMultiple(of: shared.rows),
            "pixels share their colours in twos, in nv12 also two rows")
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
        if layout == .rgb { return bytes }
        let (black, gain) = layout.isFullRange ? (0, 1) : (16, 255.0 / 219)
        let colour = layout.isFullRange ? 1 : 255.0 / 224
        let light = brightness.step
        return [UInt8](unsafeUninitializedCapacity: widthPixels * heightPixels * 3) { output, count in
            count = widthPixels * heightPixels * 3
            // `UInt8` truncates, so adding a half rounds.
            let byte = { (value: Double) in UInt8(min(max(value, 0), 255) + 0.5) }
            bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<heightPixels {
                    for x in 0..<widthPixels {
                        let pixel = y * widthPixels + x, place = colourPlace(x: x, y: y)
                        let luma = Double(Int(bytes[light * pixel]) - black) * gain
                        let u = Double(Int(bytes[place.u]) - 128) * colour
                        let v = Double(Int(bytes[place.v]) - 128) * colour
                        output[3 * pixel] = byte(luma + 1.402 * v)
                        output[3 * pixel + 1] = byte(luma - 0.344136 * u - 0.714136 * v)
                        output[3 * pixel + 2] = byte(luma + 1.772 * u)
                    }
                }
            }
        }
    }

    /// The offset of the first brightness byte and the step to the next one; rows follow each other. In RGB these are
    /// the green bytes.
    public var brightness: (first: Int, step: Int) {
        switch layout {
        case .rgb: (1, 3)
        case .yuyv: (0, 2)
        case .nv12: (0, 1)
        }
    }

    /// The offsets of the two colour bytes of a pixel: U and V, in RGB blue and red.
    package func colourPlace(x: Int, y: Int) -> (u: Int, v: Int) {
        switch layout {
        case .rgb:
            let first = (y * widthPixels + x) * 3
            return (first + 2, first)
        case .yuyv:
            let first = (y * widthPixels + x) / 2 * 4
            return (first + 1, first + 3)
        case .nv12:
            let first = (heightPixels + y / 2) * widthPixels + x / 2 * 2
            return (first, first + 1)
        }
    }
}
