import Capture
import Foundation
import TestSupport
import Testing

@Suite struct StillEncoderTests {
    @Test(arguments: [(640, 360), (33, 17), (16, 2)])
    func `a JPEG shows the picture`(width: Int, height: Int) throws {
        let rgb = (0..<width * height).flatMap { pixel -> [UInt8] in
            pixel % width < (width + 1) / 2 ? [200, 100, 40] : [0, 0, 0]
        }
        let bytes = try StillEncoder.jpeg(Image(widthPixels: width, heightPixels: height, rgb: rgb))
        #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
        let folder = try TemporaryFolder()
        let file = folder.file("still.jpg")
        try Data(bytes).write(to: file)
        let image = try #require(try VideoRecording(file.path).next()?.image)
        #expect(image.heightPixels == (height + 1) / 2 * 2)
        #expect(zip(image.colour(0.1, 0.5), [200, 100, 40]).allSatisfy { abs($0 - $1) < 16 })
    }

    @Test func `a picture that is too large for a JPEG is refused`() {
        let image = Image(widthPixels: 70_000, heightPixels: 1, rgb: [UInt8](repeating: 0, count: 210_000))
        #expect(throws: CaptureError.self) { try StillEncoder.jpeg(image) }
    }

    @Test func `a camera's own pixel layout is encoded too`() throws {
        for (layout, count) in [(Image.Layout.yuyv(isFullRange: true), 8), (.nv12(isFullRange: true), 6)] {
            let grey = [UInt8](repeating: 128, count: count)
            let image = Image(widthPixels: 2, heightPixels: 2, layout: layout, bytes: grey)
            #expect(!(try StillEncoder.jpeg(image)).isEmpty)
        }
    }
}
