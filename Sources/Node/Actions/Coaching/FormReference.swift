import Foundation
import Poses

/// The coach's way of doing an exercise: some repetitions, each as 32 body shapes over time.
///
/// It is made from a pose stream of the coach, which is its only file format. In a folder of references, the file of a
/// label is `LABEL.poses.jsonl`.
public struct FormReference: Sendable {
    /// Body shapes per repetition.
    static let points = 32
    /// The largest difference in phase at which two shapes are compared, as a share of a repetition.
    private static let band = 0.2
    /// The smallest spread, in body sizes or radians per channel: the accuracy with which joints are found.
    private static let minimumSpread: Float = 0.04

    /// The features `[points · channels]` of each repetition.
    private let repetitions: [[Float]]
    /// The mean distance of a repetition of the coach from the nearest other one.
    private let spread: Float
    /// The number of the coach's repetitions.
    public var count: Int { repetitions.count }
    /// Their mean duration in seconds.
    public let meanSeconds: Double
    /// The accepted duration in seconds: the coach's mean ± two standard deviations, but at least ± 30 %.
    let tempo: ClosedRange<Double>

    /// Learns from repetitions of the coach.
    ///
    /// - Parameters:
    ///   - found: the repetitions.
    ///   - stretch: the poses in which they were counted.
    ///   - features: the features of the stretch.
    /// - Returns: `nil` if there are fewer than two repetitions.
    public init?(_ found: [Repetition], in stretch: PoseStretch, _ features: CountingFeatures) {
        guard found.count > 1 else { return nil }
        let paths = found.map { Self.path(of: features, RepetitionSpan($0, stretch).frames) }
        repetitions = paths
        let distances = paths.indices.map { one in
            paths.indices.filter { $0 != one }.map { Self.distance(paths[one], paths[$0]) }.min() ?? 0
        }
        spread = max(Self.minimumSpread, distances.reduce(0, +) / Float(distances.count))
        let seconds = found.map(\.seconds)
        let mean = seconds.reduce(0, +) / Double(seconds.count)
        meanSeconds = mean
        let variance = seconds.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(seconds.count)
        let reach = max(0.3 * mean, 2 * variance.squareRoot())
        tempo = mean - reach...mean + reach
    }

    /// The file of a label's reference in a folder of references.
    public static func file(of label: String, in folder: URL) -> URL { folder.appending(path: label + ".poses.jsonl") }

    /// Reads a recorded set of the coach.
    ///
    /// - Parameters:
    ///   - url: the pose stream.
    ///   - basis: the direction for counting the exercise's repetitions.
    ///   - rate: frames per second of the tick grid.
    /// - Throws: `PoseStreamError` if it cannot be read, ``FormReferenceError`` if it has fewer than two repetitions.
    public init(contentsOf url: URL, basis: CountingBasis?, rate: Double = 30) throws {
        let reader = try PoseStreamReader(url)
        var gatherer = WindowGatherer(.init(window: 2, stride: 1, rateHz: rate, subjects: .prominent))
        var buffers = PoseBuffers(rate: rate)
        while let frame = try reader.next() { gatherer.gather(frame).forEach { buffers.add($0) } }
        guard let stretch = buffers.stretches.max(by: { $0.frames < $1.frames }) else {
            throw FormReferenceError.tooFewRepetitions(file: url.path, count: 0)
        }
        self = try FormReference(stretch, basis: basis, named: url.path)
    }

    /// Learns from the repetitions that are counted in a recorded set of the coach.
    ///
    /// - Parameters:
    ///   - stretch: the recording.
    ///   - basis: the direction for counting the exercise's repetitions.
    ///   - name: the recording's name for the error.
    /// - Throws: ``FormReferenceError`` if it has fewer than two repetitions.
    package init(_ stretch: PoseStretch, basis: CountingBasis?, named name: String) throws {
        let counter = RepetitionCounter(basis: basis)
        let features = counter.features(of: stretch)
        let found = counter.repetitions(in: stretch, features)
        guard let reference = FormReference(found, in: stretch, features) else {
            throw FormReferenceError.tooFewRepetitions(file: name, count: found.count)
        }
        self = reference
    }

    /// The references in a folder, by label. Labels without a file are left out.
    ///
    /// - Throws: `PoseStreamError` or ``FormReferenceError`` for the first file that cannot be used.
    public static func all(
        in folder: URL, labels: [String], bases: [String: CountingBasis]
    ) throws -> [String: FormReference] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw FormReferenceError.noFolder(folder.path)
        }
        return try labels.reduce(into: [:]) { references, label in
            let file = file(of: label, in: folder)
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            references[label] = try FormReference(contentsOf: file, basis: bases[label])
        }
    }

    /// The distance of a repetition from the coach's nearest one, in units of the coach's own spread.
    func deviation(of features: CountingFeatures, _ frames: ClosedRange<Int>) -> Double {
        let path = Self.path(of: features, frames)
        return Double((repetitions.map { Self.distance(path, $0) }.min() ?? 0) / spread)
    }

    private static func path(of features: CountingFeatures, _ frames: ClosedRange<Int>) -> [Float] {
        features.path(frames, points: points, channels: CountingFeatures.shapeChannels)
    }

    /// The mean distance of the shapes along the best path of dynamic time warping within ``band``.
    static func distance(_ a: [Float], _ b: [Float]) -> Float {
        let reach = Int((band * Double(points)).rounded())
        var row = [(sum: Float, steps: Float)](repeating: (.infinity, 0), count: points)
        for i in 0..<points {
            let before = row
            row = [(Float, Float)](repeating: (.infinity, 0), count: points)
            for j in max(0, i - reach)...min(points - 1, i + reach) {
                var best: (sum: Float, steps: Float) = i == 0 && j == 0 ? (0, 0) : (.infinity, 0)
                if i > 0, before[j].sum < best.sum { best = before[j] }
                if j > 0, row[j - 1].sum < best.sum { best = row[j - 1] }
                if i > 0, j > 0, before[j - 1].sum <= best.sum { best = before[j - 1] }
                row[j] = (best.sum + shapeDistance(a, i, b, j), best.steps + 1)
            }
        }
        return row[points - 1].sum / max(row[points - 1].steps, 1)
    }

    /// The root mean square difference of two shapes over the channels.
    private static func shapeDistance(_ a: [Float], _ i: Int, _ b: [Float], _ j: Int) -> Float {
        let channels = CountingFeatures.shapeChannels
        var sum: Float = 0
        for channel in 0..<channels where channel != CountingFeatures.placeChannel {
            let step = a[i * channels + channel] - b[j * channels + channel]
            sum += step * step
        }
        return (sum / Float(channels - 1)).squareRoot()
    }
}

/// Why a coach's recording cannot be used as a reference.
public enum FormReferenceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no folder at the path.
    case noFolder(String)
    /// The recording has fewer than two repetitions.
    case tooFewRepetitions(file: String, count: Int)

    public var description: String {
        switch self {
        case .noFolder(let path):
            "\(path) is not a folder of references; create it with: spotter record --reference --label LABEL"
        case .tooFewRepetitions(let file, let count):
            "\(file) shows \(count == 0 ? "no repetition" : "one repetition"), and a reference needs two or more; "
                + "record it again, the whole body in the picture"
        }
    }
}
