import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import Records
import Training

/// The options by which `label` says who is where instead of what is done when.
struct PeopleLabelling: ParsableArguments {
    @Flag(help: "Propose who is where in a video, one row per person and moment.")
    var people = false

    @Option(help: ArgumentHelp("Seconds between two moments.", valueName: "seconds"))
    var every = 0.5

    @Flag(help: "Replace a file of people that is there already.")
    var force = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Give a person a new number from a time on: 3@41.5=9.", valueName: "person@time=new"))
    var split: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Two numbers are one person: 7=3 gives 7's rows to 3.", valueName: "person=other"))
    var join: [String] = []

    @Option(parsing: .singleValue, help: ArgumentHelp("Delete somebody who is nobody.", valueName: "person"))
    var drop: [Int] = []

    private var hasEdits: Bool { !(split.isEmpty && join.isEmpty && drop.isEmpty) }

    /// Whether this is about people.
    func isWanted(for recording: String, all: String?) throws -> Bool {
        let isFile = PeopleLabels.isNamed(recording)
        guard isFile || !hasEdits else {
            throw ValidationError("--split, --join and --drop change a file: spotter label gym.people.csv --join 7=3")
        }
        guard !(isFile && people) else {
            throw ValidationError("\(recording) holds labels already; --people takes the video or its pose stream.")
        }
        guard people || isFile else { return false }
        guard all == nil else { throw ValidationError("--all names exercises: leave it out, or --people.") }
        guard every >= 0.1, every <= 10 else { throw ValidationError("--every takes 0.1 to 10 seconds.") }
        return true
    }

    /// Checks and changes a file of labels.
    func edit(_ path: String, _ output: String?, asJSON json: Bool) throws {
        var labels = try PeopleLabels(contentsOf: URL(filePath: path))
        for text in split {
            guard let parts = text.wholeMatch(of: /(\d+)@([\d.:]+)=(\d{1,6})/), let person = Int(parts.1),
                let time = ClockTime.seconds(String(parts.2)), let new = Int(parts.3)
            else { throw ValidationError("--split takes PERSON@TIME=NEW, such as 3@41.5=9, and not '\(text)'.") }
            try labels.split(person, at: time, to: new)
        }
        for text in join {
            guard let parts = text.wholeMatch(of: /(\d+)=(\d+)/), let person = Int(parts.1), let other = Int(parts.2)
            else { throw ValidationError("--join takes PERSON=OTHER, such as 7=3, and not '\(text)'.") }
            try labels.join(person, to: other)
        }
        for person in drop { try labels.drop(person) }
        let target = output ?? path
        if hasEdits || output != nil { try write(labels, to: target, isOwn: target == path) }
        try tell(labels, target, asJSON: json)
    }

    /// Proposes labels of a recording and writes them.
    func propose(_ recording: String, _ output: String?, _ options: ClipOptions, asJSON json: Bool) async throws {
        let ending = [".poses.jsonl", ".jsonl"].first(where: recording.hasSuffix)
        let base = ending.map { String(recording.dropLast($0.count)) } ?? URL(filePath: recording).withoutExtension
        let target = output ?? base + ".people.csv"
        guard PeopleLabels.isNamed(target) else {
            throw ValidationError("The file's name must end in .people.csv: -o \(base).people.csv")
        }
        let isPrinted = json && output == nil
        if !isPrinted { try OutputFile.check(target, sparing: [recording]) }
        // Before minutes are spent on finding poses.
        if !isPrinted { try checkFree(target) }
        var configuration = try options.poses.configuration()
        configuration.recognition.subjects = "everyone"
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let labels = try await ClipReader(options: options, isCancelled: { flag.isSet }).withPoses(of: recording) {
            interrupt.cancel()
            let (found, failure) = try await Classify.classification(of: $0.path, configuration)
            if let failure { throw failure }
            return try PeopleLabels(
                proposedFrom: $0, video: ending == nil ? URL(filePath: recording).lastPathComponent : nil, every: every
            ) { track, time in
                found.segments.first { $0.track == track && $0.start <= time && time < $0.end }?.label
            }
        }
        guard !labels.rows.isEmpty else {
            throw FileProblem(
                path: recording, reason: "it shows nobody; film the whole person, or write the rows by hand")
        }
        if !isPrinted { try write(labels, to: target, isOwn: false) }
        try tell(labels, target, asJSON: json)
        guard !json else { return }
        let stream = ending == nil ? base + ".poses.jsonl" : recording
        Terminal.print(
            """
            It is what the tracker took for true, so now look and correct:
              spotter preview \(recording) --people \(target) -o \(base)-people.mp4
              spotter label \(target) --join 7=3 --split 3@41.5=9 --drop 8
            Places are corrected by hand, in the file. Then measure:
            """ + (ending == nil ? "\n  spotter poses \(recording) -o \(stream)" : "")
                + "\n  spotter evaluate --tracking \(stream) --truth \(target)")
    }

    private func checkFree(_ path: String) throws {
        guard force || !FileManager.default.fileExists(atPath: path) else {
            throw FileProblem(
                path: path, reason: "it exists already: --force replaces it, or name another file with -o")
        }
    }

    private func write(_ labels: PeopleLabels, to path: String, isOwn: Bool) throws {
        if !isOwn { try checkFree(path) }
        try OutputFile.write(Data(labels.text.utf8), to: path)
    }

    private func tell(_ labels: PeopleLabels, _ path: String, asJSON json: Bool) throws {
        let answer = Answer(labels)
        guard !json else { return try JSON.print(answer) }
        Output.line(
            "\(path): \(answer.people.count.counted("person", "people")), "
                + "\(labels.times.count.counted("moment")) every \(labels.intervalSeconds) s\n")
        var table = Table(["PERSON", "FROM", "TO", "ROWS", "ACTIVITY"], rightAligned: [0, 1, 2, 3])
        for person in answer.people {
            table.add([
                "\(person.person)", String(format: "%.1f s", person.start), String(format: "%.1f s", person.end),
                "\(person.rows)", person.activities.isEmpty ? "-" : person.activities.joined(separator: ", "),
            ])
        }
        table.print()
    }

    /// What `--json` prints.
    private struct Answer: Encodable {
        struct Person: Encodable {
            let person: Int
            let start, end: Double
            let rows: Int
            let activities: [String]

            enum CodingKeys: String, CodingKey {
                case person, rows, activities
                case start = "start_s"
                case end = "end_s"
            }
        }

        let video: String
        let moments: Int
        let interval: Double
        let people: [Person]

        init(_ labels: PeopleLabels) {
            (video, moments, interval) = (labels.video, labels.times.count, labels.intervalSeconds)
            people = labels.people.map { number in
                let own = labels.rows.filter { $0.person == number }
                return Person(
                    person: number, start: own.first?.time ?? 0, end: own.last?.time ?? 0, rows: own.count,
                    activities: Set(own.compactMap(\.activity)).sorted())
            }
        }

        enum CodingKeys: String, CodingKey {
            case video, moments, people
            case interval = "interval_s"
        }
    }
}

extension URL {
    /// The path as given, without the ending of the file's name.
    fileprivate var withoutExtension: String { deletingPathExtension().relativePath }
}
