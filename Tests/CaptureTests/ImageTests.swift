import Capture
import Testing

@Suite struct ImageTests {
    /// Two pixels of one colour.
    private func pair(_ y: UInt8, _ u: UInt8, _ v: UInt8, isFullRange: Bool) -> Image {
        Image(widthPixels: 2, heightPixels: 1, layout: .yuyv(isFullRange: isFullRange), bytes: [y, u, y, v])
    }

    @Test(
        "colours as ITU-R BT.601 has them, of video and of JPEG",
        arguments: [
            (y: 16, u: 128, v: 128, full: false, rgb: [0, 0, 0]),
            (y: 235, u: 128, v: 128, full: false, rgb: [255, 255, 255]),
            (y: 81, u: 90, v: 240, full: false, rgb: [255, 0, 0]),
            (y: 145, u: 54, v: 34, full: false, rgb: [0, 255, 0]),
            (y: 41, u: 240, v: 110, full: false, rgb: [0, 0, 255]), (y: 0, u: 128, v: 128, full: true, rgb: [0, 0, 0]),
            (y: 76, u: 85, v: 255, full: true, rgb: [255, 0, 0]),
            (y: 29, u: 255, v: 107, full: true, rgb: [0, 0, 255]),
        ] as [(y: UInt8, u: UInt8, v: UInt8, full: Bool, rgb: [Int])])
    func colours(_ sample: (y: UInt8, u: UInt8, v: UInt8, full: Bool, rgb: [Int])) {
        let rgb = pair(sample.y, sample.u, sample.v, isFullRange: sample.full).rgb.map { Int($0) }
        // The colour's values are rounded.
        #expect(zip(rgb, sample.rgb + sample.rgb).allSatisfy { abs($0 - $1) <= 2 }, "\(rgb)")
    }

    @Test func `a covered lens is black in every layout, a grey picture in none`() {
        for (layout, black) in [
            (Image.Layout.rgb, 10), (.yuyv(isFullRange: true), 10), (.yuyv(isFullRange: false), 26),
        ] {
            for (level, isBlack) in [(UInt8(black), true), (60, false)] {
                let count = 64 * 48 * (layout == .rgb ? 3 : 2)
                let bytes = (0..<count).map { layout == .rgb || $0.isMultiple(of: 2) ? level : 128 }
                let image = Image(widthPixels: 64, heightPixels: 48, layout: layout, bytes: bytes)
                #expect(image.isBlack == isBlack, "\(layout) \(level)")
            }
        }
    }

    @Test func `YUYV is used as delivered, without the padding of its rows`() throws {
        let camera = FakeCamera()
        camera.set { $0.padding = 32 }
        let source = try camera.camera()
        var bytes: [UInt8] = []
        for row in 0..<48 { bytes += Array(repeating: UInt8(row + 40), count: 128) + Array(repeating: 255, count: 32) }
        camera.set { $0.pictures = [.init(bytes: bytes)] }
        let image = try #require(try source.next()).image
        #expect(image.layout == .yuyv(isFullRange: false) && image.bytes.count == 64 * 48 * 2)
        let isWhole = (0..<48).allSatisfy { row in
            let level = UInt8(row + 40)
            return image.bytes[row * 128] == level && image.bytes[row * 128 + 127] == level
        }
        #expect(isWhole)
    }

    @Test func `a picture of another format becomes RGB, and nearly the same`() throws {
        let converter = try #require(PixelConverter(PixelFormat("UYVY"), widthPixels: 64, heightPixels: 48))
        var bytes = (0..<64 * 48 * 2).map { $0.isMultiple(of: 2) ? 128 : UInt8(100) }
        let image = try bytes.withUnsafeMutableBytes { try converter.image(from: $0) }
        #expect(image.layout == .rgb && image.rgb.allSatisfy { abs(Int($0) - 100) <= 2 })
    }
}
