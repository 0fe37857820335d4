import Capture
import Poses

/// A synthetic picture: grey gradients, reproducible noise, optional brightness, and squares.
struct Scene {
    var width = 640
    var height = 480
    /// Standard deviation on the scale 0 to 255.
    var noise: Float = 2
    var gain: Float = 1
    /// Brightness added to eight of every 16 lines, as by flickering lamps.
    var band: (first: Int, brightness: Float)?
    /// Squares as left, top, side and brightness.
    var squares: [(x: Int, y: Int, side: Int, brightness: Float)] = []
    private var state: UInt64 = 1

    init(width: Int = 640, height: Int = 480) {
        self.width = width
        self.height = height
    }

    /// The next picture, with noise of its own.
    mutating func picture() -> Image {
        var rgb = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                var value = 60 + 60 * Float(x) / Float(width) + 40 * Float(y) / Float(height)
                for square in squares
                where (square.x..<square.x + square.side).contains(x)
                    && (square.y..<square.y + square.side).contains(y)
                { value = square.brightness }
                if let band, (y + band.first) % 64 < 32 { value += band.brightness }
                let grey = UInt8(min(255, max(0, value * gain + noise * random())))
                for channel in 0..<3 { rgb[(y * width + x) * 3 + channel] = grey }
            }
        }
        return Image(widthPixels: width, heightPixels: height, rgb: rgb)
    }

    /// Approximately normal with a standard deviation of one, from four uniform numbers.
    private mutating func random() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let parts = (0..<4).map { (part: UInt64) -> Float in Float(state >> (part * 16) & 0xFFFF) / 65_536 - 0.5 }
        return parts.reduce(0, +) * 1.73
    }
}
