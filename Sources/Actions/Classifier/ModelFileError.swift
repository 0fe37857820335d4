/// Why a classifier cannot be used. Every message names what was expected, what was found, and what to do next.
public enum ModelFileError: Error, Equatable, Sendable {
    case notAModel(file: String, reason: String)
    case tensorMissing(file: String, tensor: String, expected: [Int])
    case tensorShape(file: String, tensor: String, expected: [Int], found: [Int])
    case tensorNotFinite(file: String, tensor: String)
    case featureVersion(file: String, expected: Int, found: Int)
    case joints(file: String, expected: [String], found: [String])
    case description(file: String, key: String, expected: String, found: String)
    case windowLength(model: String, expected: Int, found: Int)
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
        }
    }
}
