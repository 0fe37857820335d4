/// How pictures are turned before anyone looks at them.
public struct Orientation: Sendable, Equatable {
    /// Left and right change places, after the rotation.
    public var isMirrored: Bool
    /// Clockwise, in quarter turns, 0…3.
    public var quarterTurns: Int

    public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns & 3
    }

    public static let upright = Orientation()

    /// Whether width and height change places.
    public var isSideways: Bool { quarterTurns % 2 == 1 }

    /// The same for ffmpeg, as filters in order.
    var filters: [String] {
        let turns = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarterTurns]
        return turns + (isMirrored ? ["hflip"] : [])
    }
}

extension Image {
    /// The picture turned, then mirrored; RGB, unless it is upright already.
    public func turned(_ orientation: Orientation) -> Image {
        guard orientation != .upright else { return self }
        let rgb = rgb
        let (width, height) = (widthPixels, heightPixels)
        let (newWidth, newHeight) = orientation.isSideways ? (height, width) : (width, height)
        // Where the new picture's first pixel stands in the old one, and the steps to its right and lower neighbours.
        var (start, right, down) =
            switch orientation.quarterTurns {
            case 1: ((height - 1) * width, -width, 1)
            case 2: (height * width - 1, -1, -width)
            case 3: (width - 1, width, -1)
            default: (0, 1, width)
            }
        if orientation.isMirrored {
            start += right * (newWidth - 1)
            right = -right
        }
        let turned = [UInt8](unsafeUninitializedCapacity: rgb.count) { output, count in
            rgb.withUnsafeBufferPointer { input in
                var target = 0
                for row in 0..<newHeight {
                    var source = (start + row * down) * 3
                    for _ in 0..<newWidth {
                        output[target] = input[source]
                        output[target + 1] = input[source + 1]
                        output[target + 2] = input[source + 2]
                        target += 3
                        source += right * 3
                    }
                }
            }
            count = rgb.count
        }
        return Image(widthPixels: newWidth, heightPixels: newHeight, rgb: turned)
    }
}
