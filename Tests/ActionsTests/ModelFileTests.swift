import Actions
import Foundation
import NeuralNet
import Poses
import Records
import Testing

@Suite struct ModelFileTests {
    @Test func `a model is read back as it was written`() throws {
        var example = ModelFileExample()
        example.description.displayNames = ["squat": "Squats"]
        example.description.evaluation = Evaluation(
            classes: [.init(label: "squat", windows: 3, precision: nil, recall: 0.5)], confusion: [[1, 2]], windows: 3,
            accuracy: 0.5, macroRecall: 0.5, logLoss: 1, calibrationError: 0.1)
        example.tensors["repetitions.basis"] = Tensor(shape: [2], values: [1, 2])
        let data = try example.encoded()
        let file = try ModelFile(data: data, file: "example")
        #expect(file.description == example.description)
        #expect(file.tensors == example.tensors)
        #expect(file.digest == SHA256.hex(of: data))
        #expect(try example.encoded() == data)
    }

    @Test func `the description's keys are those that other tools read`() throws {
        var example = ModelFileExample()
        example.description.evaluation = Evaluation(
            classes: [], confusion: [], windows: 0, accuracy: 0, macroRecall: 0, logLoss: 0, calibrationError: 0)
        let file = try SafeTensors(data: example.encoded(), file: "example")
        let json = try #require(file.metadata["spotter"])
        let keys = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]).keys.sorted()
        #expect(
            keys == [
                "author", "counted_labels", "created", "description", "display_names", "evaluation", "feature_version",
                "joints", "labels", "licence", "name", "network", "rate", "seed", "stride", "temperature", "thresholds",
                "tool", "training_clips", "training_data_sha256", "training_parameters", "window",
            ])
    }

    @Test func `a safetensors file without our description is not a model`() {
        let data = SafeTensors(tensors: [:], metadata: ["format": "pt"]).encoded()
        let error = #expect(throws: ModelFileError.self) { try ModelFile(data: data, file: "x") }
        guard case .notAModel(file: "x", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a missing, misshapen or infinite tensor is named`() {
        var missing = ModelFileExample()
        missing.tensors["stage2.entry.weight"] = nil
        let absent = ModelFileError.tensorMissing(file: "example", tensor: "stage2.entry.weight", expected: [5, 4, 6])
        #expect(throws: absent) {
            try missing.encoded()
        }
        var misshapen = ModelFileExample()
        misshapen.tensors["output.bias"] = Tensor(shape: [4], values: [1, 2, 3, 4])
        #expect(throws: ModelFileError.tensorShape(file: "example", tensor: "output.bias", expected: [3], found: [4])) {
            try misshapen.encoded()
        }
        var infinite = ModelFileExample()
        infinite.tensors["output.bias"] = Tensor(shape: [3], values: [1, .nan, 3])
        #expect(throws: ModelFileError.tensorNotFinite(file: "example", tensor: "output.bias")) {
            try infinite.encoded()
        }
    }

    @Test func `a model for other features or other joints is refused`() {
        var features = ModelFileExample()
        features.description.featureVersion = 99
        #expect(throws: ModelFileError.featureVersion(file: "example", expected: PoseFeatures.version, found: 99)) {
            try features.encoded()
        }
        var joints = ModelFileExample()
        joints.description.joints.swapAt(2, 5)
        let names = joints.description.joints
        #expect(throws: ModelFileError.joints(file: "example", expected: Joint.names, found: names)) {
            try joints.encoded()
        }
    }

    private static let flaws: [(key: String, change: @Sendable (inout ModelDescription) -> Void)] = [
        ("labels", { $0.labels.append("extra") }), ("labels", { $0.labels[0] = $0.labels[1] }),
        ("labels", { $0.labels[0] = "no_person" }), ("counted_labels", { $0.countedLabels = ["stranger"] }),
        ("held_labels", { $0.heldLabels = ["none"] }),
        (
            "held_labels",
            {
                ($0.heldLabels, $0.counting) = (["squat"], ["squat": CountingBasis(weights: [])])
            }
        ),
        ("window", { $0.windowFrames = -60 }), ("window", { $0.windowFrames = .max }),
        ("stride", { $0.strideFrames = 0 }),
        ("rate", { $0.framesPerSecond = 0 }), ("temperature", { $0.temperature = 0 }),
        ("min_confidence", { $0.thresholds.minimumConfidence = 1.5 }),
        ("min_pose_ratio", { $0.thresholds.minimumPoseShare = -1 }), ("network", { $0.network.widths = [] }),
        ("network", { $0.network.kernel = 4 }), ("network", { $0.network.widths[0] = .max }),
        ("network.channels", { $0.network.channels = 94 }),
    ]

    @Test(arguments: flaws.indices)
    func `a description with a number out of range is refused, and the key is named`(index: Int) {
        var example = ModelFileExample()
        Self.flaws[index].change(&example.description)
        let error = #expect(throws: ModelFileError.self) { try example.encoded() }
        guard case .description(_, key: Self.flaws[index].key, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a model with a character of its header changed is refused or works, never a crash`() throws {
        let data = try ModelFileExample().encoded()
        let header = 8 + Int(data[0]) + Int(data[1]) << 8
        for index in stride(from: 8, to: header, by: 3) {
            for digit in ["9", "-"].flatMap(\.utf8) {
                var changed = data
                changed[index] = digit
                guard let file = try? ModelFile(data: changed, file: "x") else { continue }
                let frames = file.description.windowFrames
                let window = ModelFileExample.window(posed: frames, frames: frames)
                let prediction = try ActionClassifier(file).predict(window)
                let isFinite = prediction.probabilities.allSatisfy { $0.isFinite }
                #expect(isFinite)
            }
        }
    }

    @Test func `every message ends in what to do next`() {
        let errors: [ModelFileError] = [
            .notAModel(file: "f", reason: "r"), .tensorMissing(file: "f", tensor: "t", expected: [1]),
            .tensorShape(file: "f", tensor: "t", expected: [1], found: [2]), .tensorNotFinite(file: "f", tensor: "t"),
            .featureVersion(file: "f", expected: 1, found: 2), .joints(file: "f", expected: [], found: []),
            .description(file: "f", key: "k", expected: "e", found: "x"),
            .windowLength(model: "m", expected: 60, found: 90),
        ]
        for error in errors { #expect("\(error)".contains("; ")) }
    }
}
