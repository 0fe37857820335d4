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

    @Test(arguments: [false, true])
    func `NV12 has the colours of YUYV whose rows share them in twos`(isFullRange: Bool) {
        let luma: [[UInt8]] = [[16, 200, 90, 235], [41, 30, 145, 60]], colours: [UInt8] = [90, 240, 54, 34]
        let yuyv = luma.flatMap { row in (0..<4).flatMap { [row[$0], colours[$0]] } }
        let images = [
            Image(widthPixels: 4, heightPixels: 2, layout: .yuyv(isFullRange: isFullRange), bytes: yuyv),
            Image(
                widthPixels: 4, heightPixels: 2, layout: .nv12(isFullRange: isFullRange),
                bytes: luma.flatMap { $0 } + colours),
        ]
        #expect(images[0].rgb == images[1].rgb)
        let turned = images.map { $0.turned(Orientation(isMirrored: true, quarterTurns: 1)) }
        #expect(turned[0] == turned[1] && turned[1].widthPixels == 2)
    }

    @Test func `a covered lens is black in every layout, a grey picture in none`() {
        for (layout, black) in [
            (Image.Layout.rgb, 10), (.yuyv(isFullRange: true), 10), (.yuyv(isFullRange: false), 26),
            (.nv12(isFullRange: true), 10), (.nv12(isFullRange: false), 26),
        ] {
            for (level, isBlack) in [(UInt8(black), true), (60, false)] {
                let bytes =
                    switch layout {
                    case .rgb: [UInt8](repeating: level, count: 64 * 48 * 3)
                    case .yuyv: (0..<64 * 48 * 2).map { $0.isMultiple(of: 2) ? level : 128 }
                    case .nv12: (0..<64 * 72).map { $0 < 64 * 48 ? level : 128 }
                    }
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

    /// NV12 of 64×48 in rows of 80 bytes: gradients in each plane, and white padding.
    private static let nv12 = (0..<72 * 80).map { index -> UInt8 in
        let (row, column) = (index / 80, index % 80)
        if column >= 64 { return 255 }
        let level = row < 48 ? 40 + 2 * row + column : 42 + row + column / 2 + column % 2 * 20
        return UInt8(level)
    }

    /// - Parameter padding: 16 for the rows as they are, 0 for rows without their padding.
    private func nv12Image(
        isFullRange: Bool, padding: UInt32 = 16, orientation: Orientation = .upright
    ) throws -> Image {
        let camera = FakeCamera(modes: [FakeCamera.nv12])
        let rows = stride(from: 0, to: Self.nv12.count, by: 80).map { Self.nv12[$0..<$0 + 64 + Int(padding)] }
        let bytes = rows.flatMap(Array.init)
        camera.set { ($0.padding, $0.isFullRange, $0.pictures) = (padding, isFullRange, [.init(bytes: bytes)]) }
        var settings = V4L2Camera.Settings()
        settings.controls.orientation = orientation
        return try #require(try camera.camera(settings).next()).image
    }

    @Test(arguments: [false, true])
    func `NV12 is used as delivered, without the padding of its rows`(isFullRange: Bool) throws {
        let image = try nv12Image(isFullRange: isFullRange)
        #expect(image.layout == .nv12(isFullRange: isFullRange))
        let rows = stride(from: 0, to: Self.nv12.count, by: 80).map { Self.nv12[$0..<$0 + 64] }
        #expect(image.bytes == rows.flatMap(Array.init))
    }

    @Test func `NV12 has the colours that libv4l makes of it when pictures are turned`() throws {
        let mirrored = Orientation(isMirrored: true)
        let converted = try nv12Image(isFullRange: true, padding: 0, orientation: mirrored)
        let straight = try nv12Image(isFullRange: true).turned(mirrored)
        #expect(converted.layout == .rgb && converted.widthPixels == 64)
        let worst = zip(straight.bytes, converted.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(worst <= 3, "\(worst)")
        let padded = try nv12Image(isFullRange: true, orientation: mirrored)
        #expect(padded == straight)
    }

    @Test func `too few bytes of NV12 are no picture`() throws {
        let converter = try #require(PixelConverter(PixelFormat("NV12"), widthPixels: 64, heightPixels: 48))
        var bytes = [UInt8](repeating: 128, count: 64 * 72 - 1)
        #expect(throws: PixelConverter.UnreadablePicture.self) {
            try bytes.withUnsafeMutableBytes { try converter.image(from: $0) }
        }
    }

    @Test func `a picture of another format becomes RGB, and nearly the same`() throws {
        let converter = try #require(PixelConverter(PixelFormat("UYVY"), widthPixels: 64, heightPixels: 48))
        var bytes = (0..<64 * 48 * 2).map { $0.isMultiple(of: 2) ? 128 : UInt8(100) }
        let image = try bytes.withUnsafeMutableBytes { try converter.image(from: $0) }
        #expect(image.layout == .rgb && image.rgb.allSatisfy { abs(Int($0) - 100) <= 2 })
    }
}
