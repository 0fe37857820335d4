import Foundation
import Poses
import Training

extension FuzzReader {
    /// The annotation file of a montage, CSV or JSON, and the recordings it cuts.
    static let annotations = FuzzReader(name: "annotations") { bytes in
        let isJSON = bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{")
        try Scratch.file(isJSON ? "clips.json" : "clips.csv", bytes) { file in
            let rate = 30.0
            let dataset = try Dataset.load(annotations: file) { recording in
                LabelledClip(
                    name: recording.lastPathComponent, label: "", group: "", rate: rate, aspect: 4 / 3,
                    keypoints: [Float](repeating: 0.5, count: 54 * 90))
            }
            for clip in dataset.clips { precondition(clip.frames > 0 && clip.frames <= 90, "a clip from nowhere") }
        }
    }
}
