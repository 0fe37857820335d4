import Capture
import Testing

@Suite struct OrientationTests {
    /// Three pixels wide, two high:  1 2 3 / 4 5 6.
    private let image = Image(
        widthPixels: 3, heightPixels: 2,
        rgb: [1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 24, 5, 15, 25, 6, 16, 26])

    private func levels(_ orientation: Orientation) -> [[Int]] {
        let turned = image.turned(orientation)
        return (0..<turned.heightPixels).map { y in
            (0..<turned.widthPixels).map { x in
                let pixel = (y * turned.widthPixels + x) * 3
                let (red, green, blue) = (turned.rgb[pixel], turned.rgb[pixel + 1], turned.rgb[pixel + 2])
                return green == red + 10 && blue == red + 20 ? Int(red) : -1
            }
        }
    }

    @Test func `pictures are turned clockwise, then mirrored`() {
        #expect(levels(.upright) == [[1, 2, 3], [4, 5, 6]])
        #expect(levels(Orientation(quarterTurns: 1)) == [[4, 1], [5, 2], [6, 3]])
        #expect(levels(Orientation(quarterTurns: 2)) == [[6, 5, 4], [3, 2, 1]])
        #expect(levels(Orientation(quarterTurns: 3)) == [[3, 6], [2, 5], [1, 4]])
        #expect(levels(Orientation(isMirrored: true)) == [[3, 2, 1], [6, 5, 4]])
        #expect(levels(Orientation(isMirrored: true, quarterTurns: 1)) == [[1, 4], [2, 5], [3, 6]])
    }
}
