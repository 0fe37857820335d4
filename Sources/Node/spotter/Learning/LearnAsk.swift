import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Poses
import Records

extension Learn {
    struct Ask: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows replays one after the other, and asks what they were.",
            discussion: """
                Each replay is drawn with characters. Answer with the number of a label, with a
                label, or with one of: none, nobody, two_people, cut_off. Enter plays it again,
                s skips it for good, l leaves it for later, q ends.

                EXAMPLES
                  spotter learn
                  spotter learn ask --questions 3
                """)
        @OptionGroup var options: Database.Options

        @Option(help: ArgumentHelp("At most this many.", valueName: "n"))
        var questions = 10

        func validate() throws {
            if questions < 1 { throw ValidationError("--questions takes a number from 1 on.") }
        }

        func run() throws {
            let query = try options.query()
            let zone = try query.zone()
            var rows: [QuestionRow] = []
            let count = try query.questions(.open, limit: questions) { rows.append($0) }
            guard !rows.isEmpty else {
                Output.line("Nothing is asked now.")
                return
            }
            let desk = AnswerDesk(options: options)
            let held = options.heldLabels
            var given = 0
            for (index, row) in rows.enumerated() {
                Terminal.print("\n\(index + 1) of \(rows.count): \(row.camera), \(Wording.local(row.start, zone))")
                guard let isGiven = try answer(row, query, desk, held: held) else { break }
                given += isGiven ? 1 : 0
            }
            let rest = count.found - given
            Terminal.print("")
            Output.line(
                "\(given.counted("answer")). \(rest.counted("question")) still \(rest == 1 ? "waits" : "wait").")
        }

        /// Asks until there is an answer that the node takes.
        ///
        /// - Returns: whether one was given; `nil` when no more is to be asked.
        private func answer(
            _ row: QuestionRow, _ query: HistoryQuery, _ desk: AnswerDesk, held: [String]
        ) throws -> Bool? {
            while let reply = try ask(row, query, held: held) {
                guard case .answer(let answer) = reply else { return false }
                do {
                    try desk.give(answer, to: row.id)
                    return true
                } catch let refusal as AnswerError {
                    Terminal.print("  \(refusal)")
                } catch let refusal as NodeRefusal {
                    Terminal.print("  \(refusal)")
                }
            }
            return nil
        }

        private enum Reply {
            case answer(Answer)
            case later
        }

        /// - Returns: `nil` when no more is to be asked.
        private func ask(_ row: QuestionRow, _ query: HistoryQuery, held: [String]) throws -> Reply? {
            let poses = try query.questionPoses(row.id).flatMap { PoseChunk(packed: $0) }
            let replay = poses.map(TerminalReplay.init)
            replay?.play()
            for (number, label) in zip(1..., row.likely) {
                Terminal.print("  \(number)  \(label.replacing("_", with: " "))")
            }
            Terminal.print("  none, nobody, two_people, cut_off; Enter: again, s: skip, l: later, q: end")
            while true {
                Terminal.ask("What was it? ")
                guard let line = readLine() else { return nil }
                let word = line.trimmingCharacters(in: .whitespaces).lowercased()
                switch word {
                case "q": return nil
                case "l": return .later
                case "s": return .answer(.skipped)
                case "": replay?.play()
                default:
                    let number = Int(word).flatMap { row.likely.indices.contains($0 - 1) ? row.likely[$0 - 1] : nil }
                    if Int(word) != nil, number == nil {
                        Terminal.print("  Take a number from 1 to \(row.likely.count), or a label.")
                        continue
                    }
                    let answer = Answer(word: number ?? word.replacing(" ", with: "_").replacing("-", with: "_"))
                    guard case .exercise(let label, _) = answer, row.reps != nil, !held.contains(label)
                    else { return .answer(answer) }
                    guard let reps = repetitions(usual: row.reps ?? 0) else { return nil }
                    return .answer(.exercise(label, reps: reps))
                }
            }
        }

        private func repetitions(usual: Int) -> Int? {
            while true {
                Terminal.ask("How many repetitions? [\(usual)] ")
                guard let line = readLine() else { return nil }
                let word = line.trimmingCharacters(in: .whitespaces)
                if word.isEmpty { return usual }
                if let reps = Int(word), (0...10_000).contains(reps) { return reps }
                Terminal.print("  Give a whole number.")
            }
        }
    }
}

/// Draws joints over time with characters: as a film on a terminal, as four pictures elsewhere.
private struct TerminalReplay {
    private static let framesPerSecond = 10.0
    private let poses: PoseChunk
    private let text: SkeletonText

    /// Shows the part of the picture where the person is.
    init(_ poses: PoseChunk) {
        let seen = poses.frames.flatMap(\.pose.keypoints).filter { $0.confidence > 0.2 }
        let (xs, ys) = (seen.map(\.x), seen.map(\.y))
        let (left, top) = ((xs.min() ?? 0) - 0.03, (ys.min() ?? 0) - 0.03)
        let (width, height) = (max((xs.max() ?? 1) + 0.03 - left, 0.05), max((ys.max() ?? 1) + 0.03 - top, 0.05))
        self.poses = PoseChunk(
            widthPixels: max(1, Int(Float(poses.widthPixels) * width)),
            heightPixels: max(1, Int(Float(poses.heightPixels) * height)),
            frames: poses.frames.map { frame in
                PoseChunk.Frame(
                    milliseconds: frame.milliseconds,
                    pose: Pose(
                        keypoints: frame.pose.keypoints.map {
                            Keypoint(x: ($0.x - left) / width, y: ($0.y - top) / height, confidence: $0.confidence)
                        }))
            })
        let locale = ProcessInfo.processInfo.environment["LANG"] ?? ""
        text = SkeletonText(columns: 60, hasBraille: locale.uppercased().contains("UTF"))
    }

    func play() {
        let length = Double(poses.frames.last?.milliseconds ?? 0) / 1000
        guard isatty(STDERR_FILENO) == 1 else {
            for part in 0..<4 { draw(at: length * (Double(part) + 0.5) / 4) }
            return
        }
        var height = 0
        for step in 0...Int(length * Self.framesPerSecond) {
            if height > 0 { Terminal.ask("\u{1B}[\(height)A") }
            height = draw(at: Double(step) / Self.framesPerSecond)
            usleep(UInt32(1_000_000 / Self.framesPerSecond))
        }
    }

    /// - Returns: how many lines it took.
    @discardableResult
    private func draw(at seconds: Double) -> Int {
        let milliseconds = Int(seconds * 1000)
        guard let frame = poses.frames.last(where: { $0.milliseconds <= milliseconds }) ?? poses.frames.first else {
            return 0
        }
        let lines = text.lines(
            [Track(id: 1, pose: frame.pose)], widthPixels: poses.widthPixels, heightPixels: poses.heightPixels)
        for line in lines { Terminal.print(line) }
        return lines.count
    }
}
