/// Why tracking cannot be measured. Every message ends with what to do next.
public enum IdentityStreamError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be opened.
    case unreadable(path: String, reason: String)
    /// The file is no truth of a rendered clip.
    case notATruth(path: String, reason: String)
    /// Labels by hand cannot be read.
    ///
    /// - Parameter column: the number of the column and its name, such as `3 (x)`.
    case badPeople(path: String, line: Int?, column: String?, reason: String)
    /// The file has no pictures.
    case empty(path: String)
    /// The two files are about pictures of different shapes.
    case differentShapes(stream: String, truth: String)

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); check the path and its permissions"
        case .notATruth(let path, let reason):
            "\(path) is neither a pose stream (*.poses.jsonl), nor labels by hand (*.people.csv), nor the .json beside a "
                + "rendered clip: \(reason); see Tests/Fixtures/render/README.md"
        case .badPeople(let path, let line, let column, let reason):
            "\(path)\(line.map { ", line \($0)" } ?? "")\(column.map { ", column \($0)" } ?? ""): \(reason); "
                + "mend it, or propose it anew with: spotter label VIDEO --people -o other.people.csv"
        case .empty(let path) where PeopleLabels.isNamed(path):
            "\(path) has no rows; propose some with: spotter label VIDEO --people --force -o \(path)"
        case .empty(let path):
            "\(path) has no pictures; create it again with: spotter poses clip.mp4 -o clip.poses.jsonl"
        case .differentShapes(let stream, let truth):
            "\(stream) and \(truth) are about pictures of different shapes; give the truth of the same recording"
        }
    }
}
