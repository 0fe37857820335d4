import Foundation

/// Looks through a whole picture in small squares, so that people are found who are too small for a search of the whole
/// picture and who do not move.
///
/// The detector finds people who are at least a third as tall as the square that it searches. So the picture is covered
/// by overlapping squares of several sizes, the large ones first. The first sweep is quick, because many people may
/// be there when a source is opened. Later sweeps are slow: newcomers move, and motion is looked at sooner than that.
package struct PictureSweep {
    /// The sides of the squares, as shares of the picture's longer side. The next smaller square begins to find people
    /// where a larger one ends.
    private static let sides: [Float] = [0.56, 0.33, 0.19]
    /// Smaller squares are left out: people in them would be less than 70 pixels tall.
    private static let minimumSidePixels: Float = 200
    /// The steps between two squares, as shares of their side. Standing people are taller than wide.
    private static let (stepAcross, stepDown): (Float, Float) = (0.65, 0.5)
    /// Searches a second in the first sweep, and in later ones.
    private static let (firstRate, laterRate) = (60.0, 2.0)
    /// The most searches in one frame.
    private static let maximumPerFrame = 4

    private let squares: [RegionOfInterest]
    private var next = 0
    private var isFirst = true
    private var lastTime: Double?
    /// Searches that are due; a fraction remains for the next frame.
    private var due = 0.0

    /// The squares that cover a picture of this size.
    package init(widthPixels: Int, heightPixels: Int) {
        let size = SIMD2(Float(widthPixels), Float(heightPixels))
        squares = Self.sides.map { ($0 * size.max()).rounded() }.filter { $0 >= Self.minimumSidePixels }
            .flatMap { side in
                let across = Self.centres(length: size.x, side: side, step: Self.stepAcross * side)
                let down = Self.centres(length: size.y, side: side, step: Self.stepDown * side)
                return down.flatMap { y in
                    across.map { RegionOfInterest(centerX: $0, centerY: y, size: side, angle: 0) }
                }
            }
    }

    /// The squares to search in this frame, often none. Frames must be in order of time.
    ///
    /// - Parameters:
    ///   - most: the most squares that there is time for.
    ///   - isCovered: whether a square shows nobody but people who are known. It is passed over.
    package mutating func squares(
        at time: Double, most: Int = .max, isCovered: (RegionOfInterest) -> Bool
    ) -> [RegionOfInterest] {
        guard !squares.isEmpty else { return [] }
        let elapsed = min(max(0, time - (lastTime ?? time)), 1)
        lastTime = time
        due = min(due + elapsed * (isFirst ? Self.firstRate : Self.laterRate), Double(Self.maximumPerFrame))
        var chosen: [RegionOfInterest] = []
        var passed = 0
        while due >= 1, chosen.count < most, passed < squares.count {
            let square = squares[next]
            next += 1
            passed += 1
            if next == squares.count { (next, isFirst) = (0, false) }
            guard !isCovered(square) else { continue }
            chosen.append(square)
            due -= 1
        }
        return chosen
    }

    /// The centres of squares that cover a length with even steps.
    private static func centres(length: Float, side: Float, step: Float) -> [Float] {
        guard side < length else { return [length / 2] }
        let gaps = ((length - side) / step).rounded(.up)
        return (0...Int(gaps)).map { side / 2 + Float($0) * (length - side) / gaps }
    }
}
