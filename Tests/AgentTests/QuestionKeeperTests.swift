import Actions
import Agent
import Foundation
import History
import NeuralNet
import Poses
import Records
import TestSupport
import Testing

/// Which sets and excerpts are asked about.
@Suite struct QuestionKeeperTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let writer: HistoryWriter
    private static let model = ModelDescription(
        name: "example", labels: ["squat", "lunge", "none"], countedLabels: ["squat", "lunge"], joints: [],
        featureVersion: 1, network: NetworkSize(labels: 3))

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("spotter.db").path, settings: HistorySettings(timeZone: .gmt))
        writer = try HistoryWriter(store: store, model: ModelStamp(id: "test@1", framesPerSecond: 30))
    }

    private func draw(
        _ count: Int = 10, at now: Date = SinkFixture.origin, chance: @escaping @Sendable () -> Double
    ) throws -> QuestionDraw {
        try QuestionDraw(questionsAWeek: count, query: store.query, timeZone: .gmt, at: now, chance: chance)
    }

    /// Plays ninety seconds of one person who does a set of this confidence from second 10 to 20.
    private func play(
        _ draw: QuestionDraw, confidence: Double = 0.99, margin: Int? = 1, isPrivate: Bool = false,
        privateUntil: Double = -1, sets: Bool = true
    ) throws -> [QuestionRow] {
        var now = 0.0
        var keeper = QuestionKeeper(
            camera: "rack1", model: Self.model, draw: draw, writer: writer,
            isPrivate: { _ in isPrivate || now < privateUntil })
        let origin = SinkFixture.origin
        for index in 0..<900 {
            let time = Double(index) / 10
            now = time
            let pose = Pose(keypoints: (0..<18).map { Keypoint(x: Float($0) / 20, y: 0.5, confidence: 1) })
            let frame = TrackedFrame(
                index: index, time: time, image: nil, widthPixels: 640, heightPixels: 480,
                tracks: [Track(id: 1, pose: pose)], prominent: 1)
            var (events, found): ([SessionEvent], [ExerciseSet]) = ([], [])
            if sets, time == 22 {
                let set = SessionSet(
                    number: 1, label: "squat", start: origin + 10, end: origin + 20, reps: 5, confidence: confidence,
                    repsMargin: margin)
                let session = Session(
                    id: "s", camera: "rack1", track: 1, start: origin + 10, end: origin + 20,
                    actions: [ActionTotal(label: "squat", frames: 300, seconds: 10, reps: 5, meanConfidence: 0.9)],
                    sets: [set])
                events = [.started(session), .setEnded(set, in: session)]
                found = [
                    ExerciseSet(
                        track: 1, number: 1, label: "squat", start: 10, end: 20,
                        repetitions: (0..<5).map {
                            Repetition(start: Double($0), extreme: Double($0), end: Double($0))
                        },
                        isOpen: false)
                ]
            }
            let prediction = Prediction(
                track: 1, start: time - 2, end: time, label: "none", confidence: 0.9, probabilities: [0.3, 0.1, 0.6],
                poseShare: 1, frames: 10)
            for event in events { writer.enqueue(event, now: .now) }
            keeper.receive(
                CameraResult(
                    frameResult: RecognitionChain.FrameResult(
                        frame: frame, predictions: [prediction], sets: found, events: events),
                    origin: origin, wall: origin + time, now: .now))
        }
        _ = try writer.flush(now: .now, wall: origin + 90)
        var rows: [QuestionRow] = []
        try store.query.questions(.open) { rows.append($0) }
        return rows
    }

    private func seen() throws -> [Question.Kind: Int] {
        try store.query.questionWeek(Question.week(of: SinkFixture.origin, in: .gmt)).seen
    }

    @Test func `what is drawn by chance is asked, with its joints and how many it stands for`() throws {
        let rows = try play(try draw { 0 })
        let set = try #require(rows.first { $0.kind == .set })
        #expect(set.sample == .random && set.shown == "squat" && set.reps == 5 && set.likely == ["squat", "lunge"])
        let poses = try #require(try store.query.questionPoses(set.id).flatMap { PoseChunk(packed: $0) })
        // The set and a second before and after it.
        #expect(abs(Double(poses.frames.last?.milliseconds ?? 0) - 12_000) <= 100)
        // Twenty seconds pass before an excerpt is judged. None overlaps with the set.
        #expect(rows.count { $0.kind == .excerpt } == 4)
        #expect(try seen() == [.set: 1, .excerpt: 5])
    }

    @Test func `nothing is drawn where chance says no, and what is sure is not chosen`() throws {
        #expect(try play(try draw { 0.999 }).isEmpty)
        #expect(try seen() == [.set: 1, .excerpt: 5])
    }

    @Test(arguments: [(0.72, 1, "unsure"), (0.99, 5, "unsure_count")])
    func `a set of which the node is unsure is chosen`(confidence: Double, margin: Int, reason: String) throws {
        let rows = try play(try draw { 0.999 }, confidence: confidence, margin: margin)
        #expect(rows.map(\.reason.rawValue) == [reason] && rows.map(\.sample) == [.chosen])
    }

    @Test func `a private workout is never asked about, but counted`() throws {
        #expect(try play(try draw { 0 }, confidence: 0.7, isPrivate: true).isEmpty)
        #expect(try seen() == [.set: 1, .excerpt: 5])
    }

    @Test func `a private workout that ends before its last set does keeps the set private`() throws {
        let rows = try play(try draw { 0 }, privateUntil: 18)
        #expect(!rows.contains { $0.kind == .set } && rows.count { $0.kind == .excerpt } == 4)
        // The excerpt before the set was private as well.
        #expect(rows.allSatisfy { $0.start >= "2026-11-21T11:00:20" })
    }

    @Test func `the quota holds, also after a restart`() throws {
        let wall = SinkFixture.origin
        let first = try draw { 0 }
        let drawn = (0..<50).compactMap { _ in first.draw(.set, at: wall, worth: (.unsure, 0)) }
        #expect(drawn.count == 8 && drawn.allSatisfy { $0.reason == .random && $0.weight == 10 })
        for weight in drawn.map(\.weight) {
            writer.ask(
                Question(
                    kind: .set, reason: .random, weight: weight, week: first.week(of: wall), camera: "rack1",
                    startMilliseconds: 1, endMilliseconds: 2, model: "m", poses: [1]), quota: 3, now: .now)
        }
        writer.saw(QuestionPool(kind: .set, week: first.week(of: wall), camera: "rack1", seen: 16), now: .now)
        _ = try writer.flush(now: .now, wall: wall)
        let second = try draw { 0 }
        #expect(second.draw(.set, at: wall, worth: (.unsure, 0)) == nil)
        // The next week expects as many as there were: the sixteen, and the one that was not drawn.
        let next = try #require(second.draw(.set, at: wall + 7 * 86_400, worth: (.unsure, 0)))
        #expect(next.weight == 4.25)
        // A camera that is late does not begin the old week anew.
        #expect(second.draw(.set, at: wall, worth: (.unsure, 0))?.weight == 4.25)
        let third = try #require(second.draw(.set, at: wall + 14 * 86_400, worth: (.unsure, 0)))
        #expect(third.weight == 1, "two were seen in the week before")
    }

    @Test func `of the chosen ones only better ones follow`() throws {
        let draw = try draw { 0.999 }
        let wall = SinkFixture.origin
        let worths = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.65]
        let taken = worths.map { draw.draw(.set, at: wall, worth: (.unsure, $0)) != nil }
        #expect(taken == [true, true, true, false, true, false, true])
        let quota = QuestionDraw.Quota(questionsAWeek: 10)
        #expect(quota.random == [.set: 4, .excerpt: 2] && quota.chosen == [.set: 3, .excerpt: 1])
        #expect(QuestionDraw.Quota(questionsAWeek: 1).random == [.set: 1, .excerpt: 0])
    }
}
