import Foundation
import Poses

extension Dataset {
    /// Reads recordings that show several actions one after another, and cuts them by an annotation file.
    ///
    /// All clips of a recording form one group, because they show the same person.
    ///
    /// - Parameters:
    ///   - annotations: a CSV or JSON file (see ``Annotation``). Its folder contains the recordings.
    ///   - isStrict: whether a single unusable clip is an error.
    ///   - read: returns a recording's poses, or `nil` if it shows nobody. Called once per recording.
    /// - Throws: ``TrainingError``.
    public static func load(
        annotations url: URL, isStrict: Bool = false, read: (URL) throws -> LabelledClip?
    ) throws(TrainingError) -> Dataset {
        let annotations = try Annotation.read(url)
        var dataset = Dataset(clips: [])
        for (file, parts) in Dictionary(grouping: annotations, by: \.fileName).sorted(by: { $0.key < $1.key }) {
            do {
                let whole = try read(place(of: file, in: url.deletingLastPathComponent()))
                for part in parts { dataset.add(part, of: whole) }
            } catch {
                dataset.rejected.append(RejectedClip(name: file, reason: "\(error)"))
            }
        }
        guard !isStrict || dataset.rejected.isEmpty else { throw .badClips(dataset.rejected) }
        guard !dataset.clips.isEmpty else { throw .noClips(source: url.path, rejected: dataset.rejected) }
        return dataset
    }

    /// A part may end so much behind its recording without a word: people who write times round them.
    private static let toleratedSeconds = 1.0

    private static func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

    private mutating func add(_ part: Annotation, of whole: LabelledClip?) {
        let span = "\(part.start.map { "\($0)" } ?? "start") to \(part.end.map { "\($0)" } ?? "end")"
        let name = "\(part.fileName) \(span)"
        guard let whole else {
            rejected.append(RejectedClip(name: name, reason: "it shows nobody"))
            return
        }
        guard let cut = whole.cut(from: part.start, to: part.end, name: name) else {
            let reason = "the recording has no such part; it lasts \(Self.rounded(whole.seconds)) s"
            rejected.append(RejectedClip(name: name, reason: reason))
            return
        }
        if let end = part.end, end > whole.seconds + Self.toleratedSeconds {
            remarks.append(
                "\(name): the recording ends at \(Self.rounded(whole.seconds)) s, so the part ends there, too")
        }
        clips.append(cut.with(label: part.label, group: whole.group.isEmpty ? part.fileName : whole.group))
    }
}
