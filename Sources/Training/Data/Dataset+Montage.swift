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
        for label in Set(annotations.map(\.label)).sorted() { try check(label: label) }
        var dataset = Dataset(clips: [])
        for (file, parts) in Dictionary(grouping: annotations, by: \.fileName).sorted(by: { $0.key < $1.key }) {
            do {
                let whole = try read(url.deletingLastPathComponent().appending(path: file))
                for part in parts { dataset.add(part, of: whole) }
            } catch {
                dataset.rejected.append(RejectedClip(name: file, reason: "\(error)"))
            }
        }
        guard !isStrict || dataset.rejected.isEmpty else { throw .badClips(dataset.rejected) }
        guard !dataset.clips.isEmpty else { throw .noClips(source: url.path) }
        return dataset
    }

    private mutating func add(_ part: Annotation, of whole: LabelledClip?) {
        let span = "\(part.start.map { "\($0)" } ?? "start") to \(part.end.map { "\($0)" } ?? "end")"
        let name = "\(part.fileName) \(span)"
        guard let whole else {
            rejected.append(RejectedClip(name: name, reason: "it shows nobody"))
            return
        }
        guard let cut = whole.cut(from: part.start, to: part.end, name: name) else {
            let seconds = Double(whole.frames) / whole.rate
            rejected.append(RejectedClip(name: name, reason: "the recording has no such part; it lasts \(seconds) s"))
            return
        }
        clips.append(cut.with(label: part.label, group: whole.group.isEmpty ? part.fileName : whole.group))
    }
}
