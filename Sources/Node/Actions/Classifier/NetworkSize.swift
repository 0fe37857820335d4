import NeuralNet

/// The sizes of the classifier's network. They determine the shapes of all its weights.
public struct NetworkSize: Sendable, Codable, Equatable {
    /// Channels of the three stages.
    public var widths: [Int]
    /// The kernel size of the first two stages in frames; odd.
    public var kernel: Int
    /// The number of input features per frame.
    public var channels: Int
    /// The number of outputs.
    public var labels: Int
    /// The frames of the slow branch, which sees the window and the time before it at a lower rate. They follow the
    /// window's frames in the input. `nil` in models that see the window alone.
    public var slowFrames: Int?

    /// Creates sizes.
    public init(
        widths: [Int] = [48, 64, 96], kernel: Int = 5, channels: Int = PoseFeatures.channels, labels: Int,
        slowFrames: Int? = nil
    ) {
        self.widths = widths
        self.kernel = kernel
        self.channels = channels
        self.labels = labels
        self.slowFrames = slowFrames
    }

    enum CodingKeys: String, CodingKey {
        case widths, kernel, channels, labels
        case slowFrames = "slow_frames"
    }

    /// The names of the branches as prefixes of their tensors: the window's, and the slow one if there is one.
    package var branches: [String] { slowFrames == nil ? [""] : ["", "slow."] }

    /// The length of the embedding: for each branch the mean and the maximum of each channel of the last stage.
    public var embedding: Int { branches.count * 2 * (widths.last ?? 0) }

    /// Whether the sizes are within the supported ranges.
    var isSound: Bool {
        widths.count == 3 && widths.allSatisfy { (1...1024).contains($0) } && (1...15).contains(kernel)
            && kernel % 2 == 1 && (1...4096).contains(channels) && (1...1024).contains(labels)
            && (1...10_000).contains(slowFrames ?? 1)
    }

    /// The names and shapes of a branch's convolutions in order. A batch norm follows each.
    public var convolutions: [(name: String, shape: Conv1DShape)] {
        let (a, b, c) = (widths[0], widths[1], widths[2])
        return [
            ("stage1.entry", Conv1DShape(inputs: channels, outputs: a, kernel: kernel, stride: 2)),
            ("stage1.residual1", Conv1DShape(inputs: a, outputs: a, kernel: kernel)),
            ("stage1.residual2", Conv1DShape(inputs: a, outputs: a, kernel: kernel)),
            ("stage2.entry", Conv1DShape(inputs: a, outputs: b, kernel: kernel, stride: 2)),
            ("stage2.residual1", Conv1DShape(inputs: b, outputs: b, kernel: kernel)),
            ("stage2.residual2", Conv1DShape(inputs: b, outputs: b, kernel: kernel)),
            ("stage3.entry", Conv1DShape(inputs: b, outputs: c, kernel: 3, dilation: 2)),
        ]
    }

    /// Every tensor a model file must hold, with its shape.
    public var tensorShapes: [String: [Int]] {
        var shapes = ["output.weight": [embedding, labels], "output.bias": [labels]]
        func addNorm(_ name: String, _ count: Int) {
            for part in ["scale", "offset", "mean", "variance"] { shapes["\(name).\(part)"] = [count] }
        }
        for branch in branches {
            addNorm(branch + "input.norm", channels)
            for (name, shape) in convolutions {
                shapes["\(branch)\(name).weight"] = [shape.kernel, shape.inputs, shape.outputs]
                addNorm("\(branch)\(name).norm", shape.outputs)
            }
        }
        return shapes
    }
}
