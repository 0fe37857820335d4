import Capture
import Foundation
import TestSupport
import Testing

@Suite struct PixelConverterTests {
    /// Width and height of pictures around the block sizes of the converters, odd ones too.
    private static let sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65]

    @Test("libv4l reads and writes within the picture, in every format and size that Spotter accepts")
    func bounds() throws {
        #expect(PixelFormat.uncompressed.count >= 20)
        for format in PixelFormat.uncompressed {
            var accepted = 0
            for width in Self.sizes {
                for height in Self.sizes {
                    for edge in GuardedEdge.allCases {
                        accepted += try convert(format, width, height, edge) ? 1 : 0
                    }
                }
            }
            #expect(accepted > 100, "\(format)")
        }
    }

    /// Converts a picture with no byte to spare. An access beyond its memory ends the process.
    private func convert(_ format: PixelFormat, _ width: Int, _ height: Int, _ edge: GuardedEdge) throws -> Bool {
        guard let converter = PixelConverter(format, widthPixels: width, heightPixels: height) else { return false }
        try withGuardedBytes(count: width * height * 3, edge: edge) { target in
            let rgb = target.bindMemory(to: UInt8.self)
            // The converter names the bytes it needs when it gets too few.
            let empty = UnsafeMutableRawBufferPointer(start: target.baseAddress, count: 0)
            let refusal = #expect(throws: PixelConverter.UnreadablePicture.self) {
                try converter.convert(empty, to: rgb)
            }
            let needed = try #require(refusal?.reason.split(separator: " ").last.flatMap { Int($0) })
            try withGuardedBytes(count: needed, edge: edge) { try converter.convert($0, to: rgb) }
        }
        return true
    }

    @Test("pictures whose pixels share colours have an even size", arguments: ["YU12", "YV12", "NV12"])
    func evenSizes(_ name: String) {
        let format = PixelFormat(name)
        #expect(PixelConverter(format, widthPixels: 64, heightPixels: 48) != nil)
        #expect(PixelConverter(format, widthPixels: 63, heightPixels: 48) == nil)
        #expect(PixelConverter(format, widthPixels: 64, heightPixels: 47) == nil)
    }

    @Test func `a camera's JPEG without Huffman tables is decoded with the standard ones`() throws {
        let grey = Image(widthPixels: 64, heightPixels: 48, rgb: [UInt8](repeating: 120, count: 64 * 48 * 3))
        var jpeg = try StillEncoder.jpeg(grey)
        // Take out every DHT segment: marker FF C4, then its length in two bytes.
        while let marker = jpeg.indices.dropLast().first(where: { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC4 }) {
            jpeg.removeSubrange(marker..<marker + 2 + Int(jpeg[marker + 2]) << 8 + Int(jpeg[marker + 3]))
        }
        let converter = try #require(PixelConverter(PixelFormat("MJPG"), widthPixels: 64, heightPixels: 48))
        let image = try withGuardedBytes(jpeg) { try converter.image(from: $0) }
        #expect(image.rgb.allSatisfy { abs(Int($0) - 120) <= 2 })
    }
}
