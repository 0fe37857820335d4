/// How a camera's pictures are rotated and mirrored before they are used.
public struct Orientation: Sendable, Equatable {
    /// Whether left and right are swapped, after the rotation.
    public var isMirrored: Bool
    /// The clockwise rotation in quarter turns, 0…3.
    public var quarterTurns: Int

    /// Creates an orientation. `quarterTurns` may be any number; it is reduced to 0…3.
    public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns & 3
    }

    /// Neither rotated nor mirrored.
    public static let upright = Orientation()

    /// Whether width and height are swapped.
    public var isSideways: Bool { quarterTurns % 2 == 1 }

    /// The orientation as ffmpeg filters, in order.
    var filters: [String] {
        let turns = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarterTurns]
        return turns + (isMirrored ? ["hflip"] : [])
    }
}

extension Image {
    /// The picture rotated, then mirrored. The result is RGB unless the orientation is upright.
    public func turned(_ orientation: Orientation) -> Image {
        guard orientation != .upright else { return self }
        let rgb = rgb
        let (width, height) = (widthPixels, heightPixels)
        let (newWidth, newHeight) = orientation.isSideways ? (height, width) : (width, height)
        // The index in the old picture of the new one's first pixel, and the steps to its right and lower neighbours.
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
