import Poses

/// Draws everyone's wireframe with characters, for a terminal.
package struct SkeletonText {
    /// The greatest width of the drawing in characters.
    private let columns: Int
    /// The greatest height of the drawing in lines.
    private static let maximumRows = 20
    /// Draws with Braille patterns, eight dots to a character; otherwise one `*` to a character.
    private let hasBraille: Bool

    /// Drawings of at most this width.
    package init(columns: Int, hasBraille: Bool) {
        self.columns = max(8, columns)
        self.hasBraille = hasBraille
    }

    /// The people of one picture.
    ///
    /// - Parameters:
    ///   - widthPixels: the width of the picture.
    ///   - heightPixels: its height.
    /// - Returns: the lines of the drawing, all of the same width. They keep the proportions of the picture where a
    ///   character is twice as high as wide.
    package func lines(_ tracks: [Track], widthPixels: Int, heightPixels: Int) -> [String] {
        let (width, height) = (max(1, widthPixels), max(1, heightPixels))
        let columns = min(columns, max(8, 2 * Self.maximumRows * width / height))
        let rows = min(Self.maximumRows, max(4, columns * height / width / 2))
        var dots = Dots(width: columns * (hasBraille ? 2 : 1), height: rows * (hasBraille ? 4 : 1))
        for track in tracks {
            let point = { (joint: Joint) -> SIMD2<Float>? in
                let keypoint = track.pose[joint]
                guard keypoint.confidence >= Wireframe.minimumConfidence else { return nil }
                return SIMD2(keypoint.x * Float(dots.width), keypoint.y * Float(dots.height))
            }
            for (a, b) in Wireframe.connections {
                guard let a = point(a), let b = point(b) else { continue }
                dots.line(from: a, to: b)
            }
            if let nose = point(.nose) { dots.line(from: nose, to: point(.neck) ?? nose) }
        }
        return (0..<rows).map { row in
            String(
                String.UnicodeScalarView((0..<columns).map { hasBraille ? dots.braille($0, row) : dots.star($0, row) }))
        }
    }
}

/// A grid of dots that are set or not.
private struct Dots {
    let width, height: Int
    private var isSet: [Bool]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        isSet = Array(repeating: false, count: width * height)
    }

    mutating func line(from a: SIMD2<Float>, to b: SIMD2<Float>) {
        let steps = max(1, min(4096, Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up))))
        for step in 0...steps {
            let point = a + (b - a) * (Float(step) / Float(steps))
            let (x, y) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
            if (0..<width).contains(x), (0..<height).contains(y) { isSet[y * width + x] = true }
        }
    }

    func star(_ column: Int, _ row: Int) -> Unicode.Scalar { isSet[row * width + column] ? "*" : " " }

    /// The Braille pattern of two by four dots. Its bits count down the left column, then the right one; the lowest row
    /// was added to the alphabet later and has the last two bits.
    func braille(_ column: Int, _ row: Int) -> Unicode.Scalar {
        let bits: [(x: Int, y: Int)] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        var pattern: UInt32 = 0
        for (bit, place) in bits.enumerated() where isSet[(row * 4 + place.y) * width + column * 2 + place.x] {
            pattern |= 1 << UInt32(bit)
        }
        return Unicode.Scalar(0x2800 + pattern) ?? " "
    }
}
