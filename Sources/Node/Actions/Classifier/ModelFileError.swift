/// Why a classifier cannot be used. Every message says what was expected, what was found, and what to do next.
public enum ModelFileError: Error, Equatable, Sendable {
    /// The file has no readable model description.
    case notAModel(file: String, reason: String)
    /// The file lacks a tensor of the network.
    case tensorMissing(file: String, tensor: String, expected: [Int])
    /// A tensor has another shape than the network needs.
    case tensorShape(file: String, tensor: String, expected: [Int], found: [Int])
    /// A tensor contains NaN or infinity.
    case tensorNotFinite(file: String, tensor: String)
    /// The model was trained on another version of ``PoseFeatures``.
    case featureVersion(file: String, expected: Int, found: Int)
    /// The model was trained on other joints, or on another order of them.
    case joints(file: String, expected: [String], found: [String])
    /// A value in the description is out of range.
    case description(file: String, key: String, expected: String, found: String)
    /// A window does not have the model's number of frames.
    case windowLength(model: String, expected: Int, found: Int)
    /// An exercise was asked for that the model does not know.
    case unknownExercise(model: String, label: String, known: [String])
    /// Some of the model's exercises are not wanted, and it has no label for what is none.
    case noOther(model: String)
}

extension ModelFileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAModel(let file, let reason):
            "\(file) is not a spotter model: \(reason); train one with: spotter train FOLDER"
        case .tensorMissing(let file, let tensor, let expected):
            "\(file): tensor \(tensor) is missing, expected with shape \(expected); "
                + "copy the file again, or train it again"
        case .tensorShape(let file, let tensor, let expected, let found):
            "\(file): tensor \(tensor) has the shape \(found), expected \(expected); train the model again"
        case .tensorNotFinite(let file, let tensor):
            "\(file): tensor \(tensor) holds numbers that are not finite, expected none; train the model again"
        case .featureVersion(let file, let expected, let found):
            "\(file) was trained on pose features of version \(found), expected \(expected); "
                + "train it again with this spotter, or install the spotter that made it"
        case .joints(let file, let expected, let found):
            "\(file) was trained on other joints: expected \(expected.joined(separator: " ")), "
                + "found \(found.joined(separator: " ")); train it again from poses of this spotter"
        case .description(let file, let key, let expected, let found):
            "\(file): its \(key) is \(found), expected \(expected); train the model again"
        case .windowLength(let model, let expected, let found):
            "model \(model) takes windows of \(expected) frames, found \(found); gather windows as its description says"
        case .unknownExercise, .noOther:
            "recognition.exercises \(faultOfExercises ?? "")"
        }
    }

    /// What is wrong with the setting `recognition.exercises`, after its name; `nil` for faults of the file.
    public var faultOfExercises: String? {
        switch self {
        case .unknownExercise(let model, let label, let known):
            "names \(label), which model \(model) does not know; it knows \(known.joined(separator: ", "))"
        case .noOther(let model):
            "chooses among the exercises of model \(model), which has no label other or none for the rest; leave the setting "
                + "empty, or train the model with a folder none"
        default: nil
        }
    }
}
