import Foundation
import NeuralNet
import SyntheticMotion
import TestSupport
import Testing

@Suite struct MotionCaptureTests {
    /// A take of a person who stands and sways, 1.7 m tall, `[frames, 18, 3]` in metres.
    private static func take(frames: Int = 60) -> Tensor<Float> {
        let heights: [Float] =
            [1.6, 1.45, 1.45, 1.15, 0.9, 1.45, 1.15, 0.9, 0.95, 0.5, 0.05, 0.95, 0.5, 0.05] + [1.65, 1.65, 1.6, 1.6]
        let widths: [Float] = [
            0, 0, -0.2, -0.25, -0.25, 0.2, 0.25, 0.25, -0.1, -0.1, -0.1, 0.1, 0.1, 0.1, -0.03, 0.03, -0.07, 0.07,
        ]
        var values: [Float] = []
        for frame in 0..<frames {
            let sway = 0.1 * sin(Float(frame) / 10)
            for joint in 0..<18 { values += [widths[joint] + sway, heights[joint], 0] }
        }
        return Tensor(shape: [frames, 18, 3], values: values)
    }

    private func file(_ tensors: [String: Tensor<Float>], in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("takes.safetensors")
        try SafeTensors(tensors: tensors, metadata: [:]).write(to: url)
        return url
    }

    @Test func `takes are filmed, and equal seeds give equal clips`() throws {
        let folder = try TemporaryFolder()
        let capture = try MotionCapture(
            contentsOf: file(["squat/anna/1": Self.take(), "squat/ben/1": Self.take(frames: 400)], in: folder))
        #expect(capture.labels == ["squat"])
        let clips = capture.clips(of: "squat", count: 6, seed: 3)
        #expect(clips.map(\.keypoints) == capture.clips(of: "squat", count: 6, seed: 3).map(\.keypoints))
        #expect(clips.map(\.keypoints) != capture.clips(of: "squat", count: 6, seed: 4).map(\.keypoints))
        #expect(Set(clips.map(\.group)) == ["anna", "ben"] && clips.allSatisfy { $0.label == "squat" })
        #expect(clips.allSatisfy { $0.frames == 180 && $0.posedShare > 0.5 && $0.keypoints.allSatisfy(\.isFinite) })
        #expect(capture.clips(of: "lunge", count: 3, seed: 1).isEmpty)
    }

    @Test func `few takes are a small part of a label's clips`() throws {
        let folder = try TemporaryFolder()
        let takes = (0..<30).flatMap {
            [("squat/\($0)/1", Self.take(frames: 2)), ("other/\($0)/1", Self.take(frames: 2))]
        }
        let capture = try MotionCapture(contentsOf: file(Dictionary(uniqueKeysWithValues: takes), in: folder))
        #expect(capture.count(of: "squat", among: 1000) == 250 && capture.count(of: "lunge", among: 1000) == 0)
        #expect(capture.count(of: "other", among: 1000) == 60)
    }

    @Test(arguments: [
        ["no label": take()], ["squat/anna/1": Tensor(shape: [60, 17, 3], values: .init(repeating: 0, count: 3060))],
        ["squat/anna/1": Tensor(shape: [2, 18, 3], values: .init(repeating: .nan, count: 108))],
        ["squat/anna/1": take(frames: 1)],
    ])
    func `what is no take is refused with its name`(tensors: [String: Tensor<Float>]) throws {
        let folder = try TemporaryFolder()
        let url = try file(tensors, in: folder)
        let error = try #require(throws: SafeTensorsError.self) { try MotionCapture(contentsOf: url) }
        #expect("\(error)".contains(tensors.keys.first ?? ""))
    }
}
