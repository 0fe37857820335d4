import Actions
import Foundation
import Testing

@Suite struct PoseFeaturesTests {
    /// The features that `make_features_golden.py` computed with numpy in double precision.
    private struct Golden: Decodable {
        let aspect: Float
        let keypoints: [Float]
        let frames: [Int]
        let features: [Float]

        static func read() throws -> Golden {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let file = tests.appending(path: "Fixtures/features_golden.json")
            return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
        }
    }

    @Test func `the features equal those of an independent implementation`() throws {
        let golden = try Golden.read()
        let features = PoseFeatures.compute(keypoints: golden.keypoints, aspect: golden.aspect)
        #expect(features.shape == [60, PoseFeatures.channels])
        for (row, frame) in golden.frames.enumerated() {
            for channel in 0..<PoseFeatures.channels {
                let expected = golden.features[row * PoseFeatures.channels + channel]
                let found = features.values[frame * PoseFeatures.channels + channel]
                // Velocities magnify single precision's rounding five times, and the file has five digits.
                #expect(abs(found - expected) < 2e-4, "frame \(frame), channel \(channel)")
            }
        }
    }

    /// Largest difference between the features of two windows.
    private func difference(_ a: [Float], _ b: [Float], aspects: (Float, Float)) -> Float {
        let first = PoseFeatures.compute(keypoints: a, aspect: aspects.0).values
        let second = PoseFeatures.compute(keypoints: b, aspect: aspects.1).values
        return zip(first, second).map { abs($0 - $1) }.max() ?? 0
    }

    private func moved(_ keypoints: [Float], _ body: (Float, Float) -> (Float, Float)) -> [Float] {
        var moved = keypoints
        for index in stride(from: 0, to: moved.count, by: 3) where moved[index + 2] > 0 {
            (moved[index], moved[index + 1]) = body(moved[index], moved[index + 1])
        }
        return moved
    }

    @Test func `the position in the picture does not matter`() throws {
        let golden = try Golden.read()
        let shifted = moved(golden.keypoints) { ($0 + 0.2, $1 - 0.15) }
        #expect(difference(golden.keypoints, shifted, aspects: (golden.aspect, golden.aspect)) < 1e-3)
    }

    @Test func `the size of the person does not matter`() throws {
        let golden = try Golden.read()
        let smaller = moved(golden.keypoints) { ($0 * 0.4 + 0.3, $1 * 0.4 + 0.3) }
        #expect(difference(golden.keypoints, smaller, aspects: (golden.aspect, golden.aspect)) < 1e-3)
    }

    @Test func `the shape of the picture does not matter, but must be known`() throws {
        let golden = try Golden.read()
        let narrow = moved(golden.keypoints) { x, y in (x * golden.aspect / 0.5625, y) }
        #expect(difference(golden.keypoints, narrow, aspects: (golden.aspect, 0.5625)) < 1e-3)
        #expect(difference(golden.keypoints, narrow, aspects: (golden.aspect, golden.aspect)) > 0.1)
    }

    @Test func `numbers that are not finite count as missing`() throws {
        let golden = try Golden.read()
        var broken = golden.keypoints, missing = golden.keypoints
        for (frame, value) in [(10, Float.nan), (11, .infinity), (12, -.infinity)] {
            for part in 0..<3 {
                broken[(frame * 18 + 3) * 3 + part] = value
                missing[(frame * 18 + 3) * 3 + part] = 0
            }
        }
        #expect(difference(broken, missing, aspects: (golden.aspect, golden.aspect)) == 0)
    }

    @Test func `a joint that was never seen is placed at the root, without motion and confidence`() throws {
        let golden = try Golden.read()
        let features = PoseFeatures.compute(keypoints: golden.keypoints, aspect: golden.aspect)
        let ear = 16
        for frame in 0..<60 {
            let row = Array(features.values[frame * PoseFeatures.channels..<(frame + 1) * PoseFeatures.channels])
            let channels = [2 * ear, 2 * ear + 1, 54 + 2 * ear, 54 + 2 * ear + 1, 92 + ear]
            #expect(channels.allSatisfy { row[$0] == 0 })
        }
    }

    @Test(arguments: [[Int](), [0], [1], [2, 5], [8], [17]])
    func `however few joints are seen, the features are finite and independent of the position`(joints: [Int]) {
        var window = [Float](repeating: 0, count: 60 * 54)
        for frame in 0..<60 {
            for joint in joints {
                let index = (frame * 18 + joint) * 3
                window[index] = 0.3 + 0.01 * Float(joint) + 0.001 * Float(frame)
                window[index + 1] = 0.2 + 0.02 * Float(joint)
                window[index + 2] = 0.8
            }
        }
        #expect(PoseFeatures.compute(keypoints: window, aspect: 1.5).values.allSatisfy { $0.isFinite && abs($0) <= 12 })
        let shifted = moved(window) { ($0 + 0.25, $1 + 0.25) }
        #expect(difference(window, shifted, aspects: (1.5, 1.5)) < 2e-2)
    }
}
