import Actions
import Foundation
import NeuralNet

extension FuzzReader {
    /// A classifier's file. An accepted one must classify, and must be written back unchanged.
    static let model = FuzzReader(name: "model") { bytes in
        let contents = try SafeTensors(data: bytes, file: "a.safetensors")
        let again = try SafeTensors(data: contents.encoded(), file: "again")
        precondition(
            again.metadata == contents.metadata && again.tensors.keys == contents.tensors.keys,
            "what was written is not what was read")
        let file = try ModelFile(data: bytes, file: "a.safetensors")
        let classifier = ActionClassifier(file)
        let frames = file.description.windowFrames
        let keypoints = (0..<frames * 54).map { (index: Int) -> Float in index % 3 == 2 ? 0.9 : Float(index % 7) / 7 }
        let window = PoseWindow(
            track: 1, start: 0, end: 2, keypoints: keypoints, posedFrames: frames, aspect: 4 / 3)
        _ = try classifier.predict(window)
        for label in file.description.labels { _ = try classifier.distance(of: window, ifAnswered: label) }
    }
}
