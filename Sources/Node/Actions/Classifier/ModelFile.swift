import Foundation
import NeuralNet
import Poses
import Records

/// A classifier on disk: one safetensors file whose metadata key `spotter` holds its ``ModelDescription`` as JSON.
///
/// The weights are stored as they were trained, with separate batch norms, so that a model can be trained further.
/// ``ClassifierNetwork`` folds the batch norms into the convolutions when it is created.
public struct ModelFile: Sendable {
    /// Everything the file says about the model.
    public let description: ModelDescription
    /// The network's weights by name (see ``NetworkSize/tensorShapes``), and any other tensors in the file.
    public let tensors: [String: Tensor<Float>]
    /// SHA-256 of the file's bytes, in hexadecimal digits.
    public let digest: String

    private static let metadataKey = "spotter"

    /// Reads and checks a model file.
    ///
    /// - Throws: `SafeTensorsError` if it is damaged or cannot be read, ``ModelFileError`` if it is not a usable model.
    public init(contentsOf url: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw SafeTensorsError.unreadable(file: url.path, reason: error.fileReason)
        }
        try self.init(data: data, file: url.path)
    }

    /// Reads and checks the bytes of a model file.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - file: the name used in errors.
    /// - Throws: `SafeTensorsError` if they are damaged, ``ModelFileError`` if they are not a usable model.
    public init(data: Data, file: String) throws {
        let contents = try SafeTensors(data: data, file: file)
        guard let json = contents.metadata[Self.metadataKey] else {
            throw ModelFileError.notAModel(file: file, reason: "its metadata has no key '\(Self.metadataKey)'")
        }
        do { description = try JSONDecoder().decode(ModelDescription.self, from: Data(json.utf8)) } catch {
            throw ModelFileError.notAModel(file: file, reason: "its description cannot be read: \(error)")
        }
        tensors = contents.tensors
        digest = SHA256.hex(of: data)
        try description.check(file: file)
        try Self.check(tensors, against: description.network, file: file)
    }

    /// The bytes of a model file. The same model always gives the same bytes.
    ///
    /// - Throws: `SafeTensorsError` or ``ModelFileError`` if the result could not be read again.
    public static func encode(_ description: ModelDescription, tensors: [String: Tensor<Float>]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(description), as: UTF8.self)
        let data = SafeTensors(tensors: tensors, metadata: [metadataKey: json]).encoded()
        _ = try ModelFile(data: data, file: description.name)
        return data
    }

    private static func check(_ tensors: [String: Tensor<Float>], against size: NetworkSize, file: String) throws {
        for (name, shape) in size.tensorShapes.sorted(by: { $0.key < $1.key }) {
            guard let tensor = tensors[name] else {
                throw ModelFileError.tensorMissing(file: file, tensor: name, expected: shape)
            }
            guard tensor.shape == shape else {
                throw ModelFileError.tensorShape(file: file, tensor: name, expected: shape, found: tensor.shape)
            }
        }
        for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
            guard tensor.values.allSatisfy(\.isFinite) else {
                throw ModelFileError.tensorNotFinite(file: file, tensor: name)
            }
        }
    }
}

extension ModelDescription {
    /// The most bytes of a model's name. The start of the digest follows it where it is stored.
    static let maximumNameBytes = 200

    /// Checks that this version of the program can run the model.
    ///
    /// - Throws: ``ModelFileError`` for other features, other joints, or values out of range.
    func check(file: String) throws(ModelFileError) {
        guard featureVersion == PoseFeatures.version else {
            throw .featureVersion(file: file, expected: PoseFeatures.version, found: featureVersion)
        }
        guard joints == Joint.names else { throw .joints(file: file, expected: Joint.names, found: joints) }
        func expect(_ holds: Bool, _ key: String, _ expected: String, _ found: Any) throws(ModelFileError) {
            guard holds else { throw .description(file: file, key: key, expected: expected, found: "\(found)") }
        }
        try expect(network.isSound, "network", "three widths and an odd kernel", network)
        let channels = PoseFeatures.channels
        try expect(network.channels == channels, "network.channels", "\(channels)", network.channels)
        try expect(labels.count == network.labels, "labels", "\(network.labels) labels", labels.count)
        try expect(Set(labels).count == labels.count, "labels", "each label once", labels)
        // The history stores them, and an import takes no longer ones.
        let unfit = labels.first { TextLimit.word.fault(of: $0) != nil }
        let (labelBytes, nameBytes) = (TextLimit.word.bytes, ModelDescription.maximumNameBytes)
        try expect(unfit == nil, "labels", "1…\(labelBytes) printable bytes each", unfit.map { $0.prefix(40) } ?? "")
        let isName = name.isEmpty || name.utf8.count <= nameBytes && TextLimit.model.fault(of: name) == nil
        try expect(isName, "name", "at most \(nameBytes) printable bytes", name.prefix(40))
        let pseudo = labels.filter { PseudoLabel(rawValue: $0) != nil }
        try expect(pseudo.isEmpty, "labels", "none of \(PseudoLabel.allCases.map(\.rawValue))", pseudo)
        let strangers = countedLabels.filter { !labels.contains($0) }
        try expect(strangers.isEmpty, "counted_labels", "only labels of the model", strangers)
        let unheld = (heldLabels ?? []).filter { !countedLabels.contains($0) || counting?[$0] != nil }
        try expect(unheld.isEmpty, "held_labels", "only counted labels without a direction for counting", unheld)
        try expect((2...10_000).contains(windowFrames), "window", "2…10000 frames", windowFrames)
        try expect((1...windowFrames).contains(strideFrames), "stride", "1…\(windowFrames) frames", strideFrames)
        try expect((0...10_000).contains(contextFrames), "context.frames", "0…10000 frames", contextFrames)
        try expect((1...16).contains(context?.step ?? 1), "context.step", "1…16 frames", context?.step ?? 1)
        let slow = slowFrames ?? 0
        try expect((network.slowFrames ?? 0) == slow, "network.slow_frames", "\(slow)", network.slowFrames ?? 0)
        try expect((1...1000).contains(framesPerSecond), "rate", "1…1000 frames per second", framesPerSecond)
        try expect((0.01...100).contains(temperature), "temperature", "0.01…100", temperature)
        let (confidence, share) = (thresholds.minimumConfidence, thresholds.minimumPoseShare)
        try expect((0...1).contains(confidence), "min_confidence", "0…1", confidence)
        try expect((0...1).contains(share), "min_pose_ratio", "0…1", share)
        let distance = thresholds.maximumDistance ?? 1
        try expect(distance > 0 && distance.isFinite, "max_distance", "above 0", distance)
    }
}
