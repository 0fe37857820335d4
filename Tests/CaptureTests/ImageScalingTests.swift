import Capture
import Testing

@Suite struct ImageScalingTests {
    @Test(arguments: [
        (1280, 720, 640, 360), (720, 1280, 360, 640), (640, 480, 640, 480), (320, 240, 320, 240), (1920, 1, 640, 1),
        (1000, 999, 640, 639),
    ])
    func `the longer side has at most 640 pixels, and the shape stays`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) {
        let rgb = [UInt8](repeating: 7, count: width * height * 3)
        let scaled = Image(widthPixels: width, heightPixels: height, rgb: rgb).scaled(toLongerSide: 640)
        #expect(scaled.widthPixels == newWidth && scaled.heightPixels == newHeight)
        #expect(scaled.bytes.allSatisfy { $0 == 7 })
    }

    @Test func `a pixel is the mean of those that it stands for, colour by colour`() {
        // Two rows of four pixels: red grows to the right, green downwards, blue is the same everywhere.
        let rgb = (0..<2).flatMap { row in
            (0..<4).flatMap { column -> [UInt8] in [UInt8(10 * column), UInt8(100 * row), 200] }
        }
        let scaled = Image(widthPixels: 4, heightPixels: 2, rgb: rgb).scaled(toLongerSide: 2)
        #expect(scaled.layout == .rgb && scaled.bytes == [5, 50, 200, 25, 50, 200])
    }

    @Test func `a camera's own layout stays, with an even width`() {
        // Eight pixels: Y is 0, 10, … 70; U is 100 at first and then 120, V is 200 at first and then 100.
        let bytes: [UInt8] = [0, 100, 10, 200, 20, 100, 30, 200, 40, 120, 50, 100, 60, 120, 70, 100]
        let image = Image(widthPixels: 8, heightPixels: 1, layout: .yuyv(isFullRange: true), bytes: bytes)
        let scaled = image.scaled(toLongerSide: 4)
        #expect(scaled.layout == .yuyv(isFullRange: true) && scaled.widthPixels == 4)
        #expect(scaled.bytes == [5, 100, 25, 200, 45, 120, 65, 100])
        #expect(image.scaled(toLongerSide: 3).widthPixels == 2)
    }

    @Test func `NV12 stays, with even sizes`() {
        // Eight by four pixels: Y grows by 10 a column and is 2 more in odd rows; U and V grow by 20 and 2 a pair.
        let even: [UInt8] = [0, 10, 20, 30, 40, 50, 60, 70], odd: [UInt8] = [2, 12, 22, 32, 42, 52, 62, 72]
        let upper: [UInt8] = [100, 50, 120, 52, 140, 54, 160, 56]
        let lower: [UInt8] = [101, 50, 121, 52, 141, 54, 161, 56]
        let bytes = [even, odd, even, odd, upper, lower].flatMap { $0 }
        let image = Image(widthPixels: 8, heightPixels: 4, layout: .nv12(isFullRange: true), bytes: bytes)
        let scaled = image.scaled(toLongerSide: 4)
        #expect(scaled.layout == .nv12(isFullRange: true) && scaled.widthPixels == 4 && scaled.heightPixels == 2)
        #expect(scaled.bytes == [6, 26, 46, 66, 6, 26, 46, 66, 111, 51, 151, 55])
        let smallest = image.scaled(toLongerSide: 3)
        #expect(smallest.widthPixels == 2 && smallest.heightPixels == 2 && smallest.bytes.count == 6)
    }
}
