import Capture
import Foundation
import NeuralNet
import Poses
import TestSupport
import Testing

/// Compares both networks' results for stills with those of LiteRT and OpenCV; see Fixtures/make_pose_golden.py.
@Suite struct PoseGoldenTests {
    struct Golden: Decodable {
        struct Still: Decodable, CustomTestStringConvertible {
            var file: String
            var scores: [Float]
            /// Centre x and y, size, angle.
            var region: [Float]
            var presence: Float
            /// x, y and visibility of each.
            var landmarks: [[Float]]
            var testDescription: String { file }
        }
        var stills: [Still]
    }

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures").standardized
    private static let models = fixtures.appending(path: "../../Models").standardized
    private static let stills: [Golden.Still] = {
        let data = try? Data(contentsOf: fixtures.appending(path: "pose_golden.json"))
        return data.flatMap { try? JSONDecoder().decode(Golden.self, from: $0) }?.stills ?? []
    }()

    /// The file's RGB, as LiteRT received it; a video's pictures have a lower colour resolution.
    private func picture(_ still: Golden.Still) throws -> Image {
        let path = Self.fixtures.appending(path: "stills/\(still.file)").path
        let format = try VideoRecording(path).format
        let arguments = ["-v", "error", "-nostdin", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        let rgb = [UInt8](try Child("ffmpeg", arguments).wholeOutputBytes())
        try #require(rgb.count == format.widthPixels * format.heightPixels * 3)
        return Image(widthPixels: format.widthPixels, heightPixels: format.heightPixels, rgb: rgb)
    }

    @Test func `there are stills to compare with`() { #expect(Self.stills.count >= 7) }

    @Test(arguments: stills) func `the detector finds the same people as LiteRT`(still: Golden.Still) throws {
        let image = try picture(still)
        for level in KernelLevel.supported {
            let detector = try PoseDetector(model: Self.models.appending(path: "pose_detection.tflite"), kernels: level)
            let found = detector.detections(in: image)
            #expect(found.count == still.scores.count)
            let differences = zip(found.map(\.score), still.scores).map { ($0 - $1).magnitude }
            #expect(differences.allSatisfy { $0 < 0.001 }, "\(level): \(differences)")
            let region = try #require(found.first).region(
                imageWidth: image.widthPixels, imageHeight: image.heightPixels)
            let size = still.region[2]
            #expect((region.centerX - still.region[0]).magnitude < 0.001 * size)
            #expect((region.centerY - still.region[1]).magnitude < 0.001 * size)
            #expect((region.size / size - 1).magnitude < 0.001)
            #expect((region.angle - still.region[3]).magnitude < 0.002)
        }
    }

    @Test(
        arguments: stills,
        [
            Image.Layout.yuyv(isFullRange: false), .yuyv(isFullRange: true), .nv12(isFullRange: false),
            .nv12(isFullRange: true),
        ])
    func `a camera's YUYV or NV12 gives the same landmarks`(still: Golden.Still, layout: Image.Layout) throws {
        let image = try picture(still).asDelivered(layout)
        let region = RegionOfInterest(
            centerX: still.region[0], centerY: still.region[1], size: still.region[2], angle: still.region[3])
        let file = Self.models.appending(path: "pose_landmark_full.tflite")
        for level in KernelLevel.supported {
            let model = try LandmarkModel(model: file, kernels: level)
            let (straight, converted) = (
                model.landmarks(in: image, region: region).points,
                model.landmarks(
                    in: Image(widthPixels: image.widthPixels, heightPixels: image.heightPixels, rgb: image.rgb),
                    region: region
                ).points
            )
            // Differences in fractions of the region: no more than the rounding of grey levels causes, or of 16-bit floats.
            let (x, y) = (Float(image.widthPixels) / region.size, Float(image.heightPixels) / region.size)
            let worst = zip(straight, converted).map { hypot(($0.x - $1.x) * x, ($0.y - $1.y) * y) }.max() ?? 1
            #expect(worst < (level == .half ? 0.01 : 0.005), "\(level): \(worst)")
        }
    }

    @Test(arguments: stills.prefix(3), [2, 3])
    func `the number of threads changes no result`(still: Golden.Still, threads: Int) throws {
        let image = try picture(still)
        let region = RegionOfInterest(
            centerX: still.region[0], centerY: still.region[1], size: still.region[2], angle: still.region[3])
        // Each thread takes whole people first; the rest of the five are shared layer by layer.
        let regions = (0..<5).map { number in
            var region = region
            region.size *= 1 + 0.05 * Float(number)
            return region
        }
        let landmarks = Self.models.appending(path: "pose_landmark_full.tflite")
        let detections = Self.models.appending(path: "pose_detection.tflite")
        for level in KernelLevel.supported {
            let team = ThreadTeam(count: threads)
            let alone = try LandmarkModel(model: landmarks, kernels: level).landmarks(in: image, regions: regions)
            let shared = try LandmarkModel(model: landmarks, kernels: level, team: team)
                .landmarks(in: image, regions: regions)
            #expect(alone.map(\.points) == shared.map(\.points) && alone.map(\.flag) == shared.map(\.flag))
            let found = try PoseDetector(model: detections, kernels: level).detections(in: image)
            let foundTogether = try PoseDetector(model: detections, kernels: level, team: team).detections(in: image)
            #expect(found == foundTogether)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `a search beside the looks at people changes no result`(threads: Int) throws {
        let still = Self.stills[0], image = try picture(still)
        let regions = (0..<4).map { number in
            RegionOfInterest(
                centerX: still.region[0], centerY: still.region[1], size: still.region[2] * (1 + 0.05 * Float(number)),
                angle: still.region[3])
        }
        let squares = [nil] + regions.prefix(2).map { $0 as RegionOfInterest? }
        let model = try LandmarkModel(model: Self.models.appending(path: "pose_landmark_full.tflite"))
        let points = model.landmarks(in: image, regions: regions).map(\.points)
        let detector = try PoseDetector(model: Self.models.appending(path: "pose_detection.tflite"))
        let detections = squares.map { detector.detections(in: image, square: $0) }
        #expect(!detections.joined().isEmpty)
        let networks = try PoseNetworks(models: Self.models, kernels: .best, threads: threads)
        for (people, searches) in (0...4).flatMap({ people in (0...3).map { (people, $0) } }) {
            let found = networks.run(
                in: image, regions: Array(regions.prefix(people)), masks: Array(repeating: nil, count: people),
                squares: Array(squares.prefix(searches)))
            #expect(found.landmarks.map(\.points) == Array(points.prefix(people)), "\(people), \(searches)")
            #expect(found.detections == Array(detections.prefix(searches)), "\(people), \(searches)")
            #expect((found.searchTime > .zero) == (searches > 0) && (found.lookTime > .zero) == (people > 0))
        }
    }

    /// The landmark network's heatmap is the only output that both engines can compute.
    @Test(arguments: KernelLevel.supported)
    func `channel-planar and channels-last engines agree`(level: KernelLevel) throws {
        let graph = try Graph(
            contentsOf: Self.models.appending(path: "pose_landmark_full.tflite"), outputs: [[64, 64, 39]])
        let planar = try PlanarNetwork(graph, kernels: level)
        let interleaved = try InterleavedNetwork.copies(
            1, of: graph, kernels: level, members: 1, deferred: nil)[0]
        let shape = graph.inputShape
        var random = RandomSource(seed: 3)
        let picture = (0..<shape.pixels * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        let floats = picture.map { Float($0) / 255 }
        planar.setRows(0..<shape.height, of: picture, scale: 1 / 255, offset: 0)
        interleaved.setInput(floats)
        planar.run()
        interleaved.run()
        let found = planar.output(0), expected = interleaved.output(0)
        let range = try #require(expected.max()) - #require(expected.min())
        #expect(found.count == expected.count && range > 0)
        // The order of summation differs, which changes single precision results by about 1e-6. The detector's engine has no
        // 16-bit floats, so at that level this compares both precisions.
        let limit: Float = level == .half ? 0.02 : 1e-4
        #expect(zip(found, expected).allSatisfy { ($0 - $1).magnitude < limit * range })
        // Run again: the result must not depend on what the previous run left in shared memory.
        planar.setInput(floats)
        planar.run()
        #expect(zip(planar.output(0), found).allSatisfy { ($0 - $1).magnitude < 1e-5 * range })
    }

    @Test func `the detector's engine refuses networks that it cannot run`() throws {
        let graph = try Graph(contentsOf: Self.models.appending(path: "pose_landmark_full.tflite"), outputs: [[1]])
        #expect {
            _ = try PlanarNetwork(graph, kernels: .portable)
        } throws: { error in
            guard case ModelError.unsupported = error else { return false }
            return true
        }
    }

    @Test(arguments: stills) func `visible landmarks lie where LiteRT puts them`(still: Golden.Still) throws {
        let image = try picture(still)
        let region = RegionOfInterest(
            centerX: still.region[0], centerY: still.region[1], size: still.region[2], angle: still.region[3])
        for level in KernelLevel.supported {
            let model = try LandmarkModel(
                model: Self.models.appending(path: "pose_landmark_full.tflite"), kernels: level)
            let found = model.landmarks(in: image, region: region)
            #expect((found.flag - still.presence).magnitude < (level == .half ? 0.003 : 0.001))
            let pixels = SIMD2(Float(image.widthPixels), Float(image.heightPixels))
            let visible = zip(found.points, still.landmarks).filter { $0.1[2] > 0.5 }
            let errors = visible.map { point, golden in
                let step = (SIMD2(point.x, point.y) - SIMD2(golden[0], golden[1])) * pixels
                return (step * step).sum().squareRoot() / still.region[2]
            }
            let mean = errors.reduce(0, +) / Float(max(errors.count, 1))
            #expect(errors.count >= 10)
            #expect(mean < 0.003, "\(level): \(100 * mean) % of the region")
            #expect(visible.allSatisfy { ($0.visibility - $1[2]).magnitude < (level == .half ? 0.03 : 0.01) })
        }
    }
}

extension Image {
    /// The picture as a camera would deliver it, without the last column of an odd width and, in NV12, the last row of
    /// an odd height. A pixel's colour counts for the pixel beside it, and in NV12 for those below.
    fileprivate func asDelivered(_ layout: Layout) -> Image {
        let (isPlanar, isFullRange) =
            switch layout {
            case .rgb: (false, true)
            case .yuyv(let isFullRange): (false, isFullRange)
            case .nv12(let isFullRange): (true, isFullRange)
            }
        let (width, height) = (widthPixels & ~1, isPlanar ? heightPixels & ~1 : heightPixels), rgb = rgb
        let (black, gain, colour) = isFullRange ? (0, 1.0, 1.0) : (16, 219 / 255.0, 224 / 255.0)
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        var luma: [UInt8] = [], colours: [UInt8] = []
        for pixel in (0..<height).flatMap({ row in (0..<width).map { row * widthPixels + $0 } }) {
            let (red, green, blue) = (Double(rgb[3 * pixel]), Double(rgb[3 * pixel + 1]), Double(rgb[3 * pixel + 2]))
            let light = 0.299 * red + 0.587 * green + 0.114 * blue
            luma.append(byte(light * gain + Double(black)))
            let difference = luma.count % 2 == 1 ? (blue - light) / 1.772 : (red - light) / 1.402
            colours.append(byte(difference * colour + 128))
        }
        let bytes =
            if isPlanar {
                luma + stride(from: 0, to: height, by: 2).flatMap { colours[$0 * width..<($0 + 1) * width] }
            } else {
                zip(luma, colours).flatMap { [$0, $1] }
            }
        return Image(widthPixels: width, heightPixels: height, layout: layout, bytes: bytes)
    }
}
