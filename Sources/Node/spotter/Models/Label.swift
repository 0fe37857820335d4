import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Poses
import Records
import Training

struct Label: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cuts a long recording into labelled clips, or says who is where in it.",
        discussion: """
            For each part with repetitions it asks for the label. Enter takes the one that
            is proposed, a name takes that name, n leaves the part out, q stops. What you
            say is written at once into an annotation file beside the recording, which
            `spotter train` reads. The next run asks only for the rest. The recording is
            not changed.

            With --people it proposes who is where in a video with several people, every
            half second: the file gym.people.csv for gym.mp4. You correct it, and
            `spotter evaluate --tracking` measures with it. Given such a file, it checks
            it and lists the people; --split, --join and --drop change it, in this order.

            EXAMPLES
              spotter label montage.mp4         asks, writes annotations.csv
              spotter label montage.mp4 --json  only says what would be asked
              spotter label pull-ups.mp4 --all pull_up
                  takes every part under one name, without asking
              spotter train annotations.csv --from Models/exercises.safetensors \\
                  -o my-gym.safetensors
              spotter label gym.mp4 --people    writes gym.people.csv
              spotter label gym.people.csv --join 7=3 --split 3@41.5=9 --drop 8
            """)

    @Argument(help: "A video or pose stream.")
    var recording: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The annotation file, in the recording's folder or one above (default: annotations.csv beside the recording).",
            valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Take every part under this label, without asking.", valueName: "label"))
    var all: String?

    @Flag(help: "Print the proposals, or the people, as JSON, and ask nothing.")
    var json = false

    @OptionGroup(title: "People") var people: PeopleLabelling

    @OptionGroup(title: "Poses") var options: ClipOptions

    /// A part, and what the configured model takes it for.
    private struct Proposal: Encodable {
        let start, end: Double
        let repetitions: Int
        var looksLike: String?
        var confidence: Double?

        enum CodingKeys: String, CodingKey {
            case repetitions, confidence
            case start = "start_s"
            case end = "end_s"
            case looksLike = "looks_like"
        }
    }

    func validate() throws { _ = try people.isWanted(for: recording, all: all) }

    func run() async throws {
        if PeopleLabels.isNamed(recording) { return try people.edit(recording, output, asJSON: json) }
        if people.people { return try await people.propose(recording, output, options, asJSON: json) }
        if let all { try Dataset.check(label: all) }
        let file = try AnnotationFile(output, for: recording)
        try OutputFile.check(output, sparing: [recording])
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let reader = ClipReader(options: options, isCancelled: { flag.isSet })
        guard let clip = try await reader.recording(recording) else {
            throw Failure("\(recording) shows nobody; film the whole person, and try again")
        }
        interrupt.cancel()
        let proposals = try proposals(in: clip.resampled(to: 30))
        guard !json else { return try JSON.print(proposals) }
        let open = proposals.filter { !file.covers($0.start, $0.end) }
        Terminal.print(
            "Parts that repeat a movement: \(proposals.count)"
                + (open.count < proposals.count ? ", of which \(proposals.count - open.count) have a label" : ""))
        if proposals.isEmpty {
            Terminal.print("Add lines to \(file.path) by hand: file_name,label,start_time,end_time, times in seconds.")
        }
        let count = try ask(open, file)
        Terminal.print(
            count == 0
                ? "Nothing was written."
                : "Written to \(file.path): \(count). Train with: spotter train \(file.path) --from "
                    + "Models/exercises.safetensors -o my-gym.safetensors")
    }

    private func proposals(in clip: LabelledClip) throws -> [Proposal] {
        let configuration = try options.poses.configuration()
        // A new exercise needs no model; there is only no proposal.
        let classifier = try? configuration.classifier()
        let stretch = PoseStretch(start: 0, rate: clip.rate, aspect: clip.aspect, keypoints: clip.keypoints)
        return try RepeatFinder.parts(of: stretch).map { part in
            var proposal = Proposal(
                start: (part.start * 100).rounded() / 100, end: (part.end * 100).rounded() / 100,
                repetitions: part.repetitions)
            if let classifier, let answer = try clip.answer(of: classifier, from: part.start, to: part.end) {
                (proposal.looksLike, proposal.confidence) = (answer.label, (answer.confidence * 100).rounded() / 100)
            }
            return proposal
        }
    }

    /// Asks for the label of each part and writes it.
    ///
    /// - Returns: how many parts got one.
    private func ask(_ proposals: [Proposal], _ file: AnnotationFile) throws -> Int {
        var (taken, last): (Int, String?) = (0, nil)
        for (index, part) in proposals.enumerated() {
            let times = "\(Self.clock(part.start)) to \(Self.clock(part.end))"
            let looks = part.looksLike.map { ", looks like \($0)" } ?? ""
            let count = part.repetitions.counted("repetition")
            Terminal.print("\(index + 1) of \(proposals.count): \(times), \(count)\(looks)")
            guard let label = all ?? answer(usual: last ?? part.looksLike) else { break }
            guard !label.isEmpty else { continue }
            try file.add(label, part.start, part.end)
            (taken, last) = (taken + 1, label)
        }
        return taken
    }

    /// What a person says: a label, nothing to leave the part out, or `nil` to stop.
    private func answer(usual: String?) -> String? {
        while true {
            Terminal.ask("  label" + (usual.map { " [\($0)]" } ?? "") + ", n for no, q to stop: ")
            guard let line = readLine()?.trimmingCharacters(in: .whitespaces), line != "q" else { return nil }
            if line == "n" { return "" }
            guard let label = line.isEmpty ? usual : line else { continue }
            do {
                try Dataset.check(label: label)
                return label
            } catch {
                Terminal.print("  \(error)")
            }
        }
    }

    /// Minutes and seconds, such as 1:04.5.
    private static func clock(_ seconds: Double) -> String {
        String(format: "%d:%04.1f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60))
    }

    /// A reason why nothing can be proposed.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

/// The parts of recordings that have a label, in a CSV file.
private final class AnnotationFile {
    let path: String
    /// The recording's path relative to the file's folder.
    private let name: String
    private var known: [Annotation]

    init(_ path: String?, for recording: String) throws {
        let folderAsGiven = String(
            recording[..<(recording.lastIndex(of: "/").map { recording.index(after: $0) } ?? recording.startIndex)])
        let recording = URL(filePath: recording).standardizedFileURL
        let url =
            path.map { URL(filePath: $0).standardizedFileURL }
            ?? recording.deletingLastPathComponent().appending(path: "annotations.csv")
        guard url.pathExtension != "json" else { throw ValidationError("The annotation file is written as CSV.") }
        let folder = url.deletingLastPathComponent().path
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        guard recording.path.hasPrefix(prefix) else {
            throw ValidationError("The annotation file must lie in the folder of the recording, or in one above.")
        }
        let name = String(recording.path.dropFirst(prefix.count))
        // A spreadsheet would take such a name for a formula.
        self.name = "=+-@'".contains(name.prefix(1)) ? "./" + name : name
        self.path = path ?? folderAsGiven + "annotations.csv"
        known = FileManager.default.fileExists(atPath: url.path) ? try Annotation.read(url) : []
    }

    /// Whether most of a part has a label.
    func covers(_ start: Double, _ end: Double) -> Bool {
        known.contains { part in
            part.fileName == name && min(end, part.end ?? .infinity) - max(start, part.start ?? 0) > (end - start) / 2
        }
    }

    /// Adds a part, at once.
    func add(_ label: String, _ start: Double, _ end: Double) throws {
        known.append(Annotation(fileName: name, label: label, start: start, end: end))
        let rows = known.map { part in
            CSV.line([part.fileName, part.label, part.start.map { "\($0)" } ?? "", part.end.map { "\($0)" } ?? ""])
        }
        let text = (["file_name,label,start_time,end_time"] + rows).joined(separator: "\n") + "\n"
        try OutputFile.write(Data(text.utf8), to: path)
    }
}
