import Capture

/// A picture to draw on. Anything outside its edges is clipped.
struct Canvas {
    private(set) var widthPixels: Int
    private(set) var heightPixels: Int
    private var rgb: [UInt8]

    /// A black picture.
    init(widthPixels: Int, heightPixels: Int) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        rgb = [UInt8](repeating: 0, count: widthPixels * heightPixels * 3)
    }

    var image: Image { Image(widthPixels: widthPixels, heightPixels: heightPixels, rgb: rgb) }

    /// Copies a picture to the top left corner.
    mutating func place(_ image: Image) {
        let columns = min(image.widthPixels, widthPixels) * 3, pixels = image.rgb
        for y in 0..<min(image.heightPixels, heightPixels) {
            let from = y * image.widthPixels * 3
            rgb.replaceSubrange(
                y * widthPixels * 3..<y * widthPixels * 3 + columns, with: pixels[from..<from + columns])
        }
    }

    mutating func fill(x: Range<Int>, y: Range<Int>, _ colour: Colour) {
        for row in y.clamped(to: 0..<heightPixels) {
            for column in x.clamped(to: 0..<widthPixels) { blend(column, row, colour, 1) }
        }
    }

    /// Draws an anti-aliased line with round ends.
    mutating func line(from a: SIMD2<Float>, to b: SIMD2<Float>, radius: Float, _ colour: Colour) {
        // Far outside the picture nothing is visible, and the loops would run long.
        guard [a.x, a.y, b.x, b.y].allSatisfy({ abs($0) < 1e5 }) else { return }
        let reach = radius + 1
        let columns = Int(min(a.x, b.x) - reach)..<Int(max(a.x, b.x) + reach) + 1
        let rows = Int(min(a.y, b.y) - reach)..<Int(max(a.y, b.y) + reach) + 1
        let along = b - a
        let length = max((along * along).sum(), 1e-6)
        for y in rows.clamped(to: 0..<heightPixels) {
            for x in columns.clamped(to: 0..<widthPixels) {
                let point = SIMD2(Float(x), Float(y)) - a
                let share = min(max((point * along).sum() / length, 0), 1)
                let off = point - along * share
                let coverage = radius + 0.5 - (off * off).sum().squareRoot()
                if coverage > 0 { blend(x, y, colour, min(coverage, 1)) }
            }
        }
    }

    mutating func disc(at centre: SIMD2<Float>, radius: Float, _ colour: Colour) {
        line(from: centre, to: centre, radius: radius, colour)
    }

    private mutating func blend(_ x: Int, _ y: Int, _ colour: Colour, _ weight: Float) {
        let i = (y * widthPixels + x) * 3
        for (k, value) in [colour.red, colour.green, colour.blue].enumerated() {
            let before = Float(rgb[i + k])
            rgb[i + k] = UInt8(before + (Float(value) - before) * weight)
        }
    }
}

/// An RGB colour with 8 bits per channel.
struct Colour: Sendable, Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let white = Colour(255, 255, 255)

    /// Distinguishable with most forms of colour blindness (Okabe and Ito).
    private static let palette = [
        Colour(86, 180, 233), Colour(230, 159, 0), Colour(0, 158, 115), Colour(0, 114, 178), Colour(213, 94, 0),
        Colour(204, 121, 167), Colour(240, 228, 66),
    ]

    /// The colour of the n-th label.
    static func label(_ n: Int) -> Colour { palette[n % palette.count] }

    /// The colour of the n-th person, counted from the other end so that a few people and a few labels share none.
    static func person(_ n: Int) -> Colour { palette[palette.count - 1 - n % palette.count] }
}
