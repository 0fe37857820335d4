import Capture
import Testing

import Poses

@Suite struct ClothingColoursTests {
    /// A standing person in a picture of 200 x 200: the trunk from 60 to 110, the legs from 110 to 160.
    private let pose: Pose = {
        var keypoints = [Keypoint](repeating: Keypoint(x: 0.5, y: 0.25, confidence: 0.9), count: 18)
        func set(_ joint: Joint, _ x: Float, _ y: Float) {
            keypoints[joint.rawValue] = Keypoint(x: x, y: y, confidence: 0.9)
        }
        set(.leftShoulder, 0.6, 0.3)
        set(.rightShoulder, 0.4, 0.3)
        set(.leftHip, 0.57, 0.55)
        set(.rightHip, 0.43, 0.55)
        set(.leftKnee, 0.57, 0.8)
        set(.rightKnee, 0.43, 0.8)
        return Pose(keypoints: keypoints)
    }()

    private typealias RGB = (UInt8, UInt8, UInt8)

    private func picture(shirt: RGB, trousers: RGB, light: Float = 1) -> Image {
        var rgb: [UInt8] = []
        for y in 0..<200 {
            for x in 0..<200 {
                let colour = !(70..<130).contains(x) ? (90, 90, 90) : y < 110 ? shirt : trousers
                rgb += [colour.0, colour.1, colour.2].map { UInt8(min(255, Float($0) * light)) }
            }
        }
        return Image(widthPixels: 200, heightPixels: 200, rgb: rgb)
    }

    private func colours(shirt: RGB, trousers: RGB, light: Float = 1) throws -> ClothingColours {
        try #require(ClothingColours(pose, in: picture(shirt: shirt, trousers: trousers, light: light)))
    }

    @Test func `equal clothes are alike in other light, other clothes are not`() throws {
        let red = try colours(shirt: (180, 30, 40), trousers: (30, 30, 60))
        let darker = try colours(shirt: (180, 30, 40), trousers: (30, 30, 60), light: 0.9)
        let white = try colours(shirt: (230, 230, 225), trousers: (30, 30, 60))
        let green = try colours(shirt: (40, 120, 50), trousers: (200, 200, 190))
        #expect(try #require(red.distance(to: darker)) < 0.3)
        #expect(try #require(red.distance(to: white)) > 0.4)
        #expect(try #require(red.distance(to: green)) > 0.9)
        #expect(red.distance(to: red) == 0)
    }

    @Test func `a person without hips shows no clothes`() {
        var hidden = pose
        hidden.keypoints[Joint.leftHip.rawValue].confidence = 0.1
        #expect(ClothingColours(hidden, in: picture(shirt: (0, 0, 0), trousers: (0, 0, 0))) == nil)
    }

    @Test func `a person beside the picture is no fault`() {
        let beside = Pose(keypoints: pose.keypoints.map { Keypoint(x: $0.x + 3, y: $0.y - 2, confidence: 0.9) })
        #expect(ClothingColours(beside, in: picture(shirt: (0, 0, 0), trousers: (0, 0, 0))) == nil)
    }

    @Test func `a camera's pixels give the same colours as RGB`() throws {
        let rgb = picture(shirt: (180, 30, 40), trousers: (30, 30, 60))
        var yuyv: [UInt8] = []
        for pixel in stride(from: 0, to: 200 * 200, by: 2) {
            let (red, green, blue) = (
                Float(rgb.bytes[3 * pixel]), Float(rgb.bytes[3 * pixel + 1]), Float(rgb.bytes[3 * pixel + 2])
            )
            let light = 0.299 * red + 0.587 * green + 0.114 * blue
            let u = 0.564 * (blue - light) + 128, v = 0.713 * (red - light) + 128
            yuyv += [UInt8(light), UInt8(u), UInt8(light), UInt8(v)]
        }
        let camera = Image(widthPixels: 200, heightPixels: 200, layout: .yuyv(isFullRange: true), bytes: yuyv)
        let (a, b) = (try #require(ClothingColours(pose, in: rgb)), try #require(ClothingColours(pose, in: camera)))
        #expect(try #require(a.distance(to: b)) < 0.05)
        // Colours of the even rows: the shirt ends at an even one.
        let light = stride(from: 0, to: yuyv.count, by: 2).map { yuyv[$0] }
        let colours = stride(from: 0, to: 200, by: 2).flatMap { (row: Int) -> [UInt8] in
            (0..<200).map { yuyv[400 * row + 2 * $0 + 1] }
        }
        let video = Image(
            widthPixels: 200, heightPixels: 200, layout: .nv12(isFullRange: true), bytes: light + colours)
        let c = try #require(ClothingColours(pose, in: video))
        #expect(try #require(c.distance(to: b)) < 0.01)
    }
}
