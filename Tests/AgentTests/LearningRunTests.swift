import Agent
import Configuration
import Foundation
import History
import Poses
import Records
import Testing

/// Rounds of learning, with a script in the place of `spotter`.
@Suite struct LearningRunTests {
    private let fixture: NodeFixture
    private let store: Store
    private var trained: URL { fixture.folder.file("trained") }

    init() throws {
        fixture = try NodeFixture()
        store = try Store(path: fixture.database, settings: HistorySettings(timeZone: .gmt))
        try NodeFixture.write(model: "learned-20261121110000", to: fixture.folder.file("new.safetensors"))
    }

    private static let decision =
        #"{"decision":{"is_better":true,"reasons":[],"answers":{"clips":9},"generated":{"clips":9}},"output":"x"}"#
    /// `$8` is the file to write; one that is not better gets another name.
    private var better: String { "cp \(fixture.folder.file("new.safetensors").path) \"$8\"; echo '\(Self.decision)'" }
    private static let worse =
        "echo model > \"${8%.part}-not-ready.part\"; echo '\(decision.replacing("true", with: "false"))'; exit 1"

    private func run(_ script: String, inUse: String = "exercises") throws -> LearningRun {
        let file = fixture.folder.file("spotter.sh")
        try Data("echo \"$@\" > \(fixture.folder.file("arguments").path)\n\(script)".utf8).write(to: file)
        var configuration = fixture.configuration([])
        configuration.learning.enabled = true
        return LearningRun(
            configuration: configuration, store: store, modelInUse: inUse, program: ["/bin/bash", file.path],
            logger: fixture.log.logger())
    }

    private func ended(_ run: LearningRun) async throws -> LearningStatus {
        for _ in 0..<3000 where run.status.state == .running { try await Task.sleep(for: .milliseconds(20)) }
        return run.status
    }

    private func models() throws -> [String] {
        // The status file is written beside them, under another name first.
        try FileManager.default.contentsOfDirectory(atPath: trained.path)
            .filter { !$0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    }

    @Test func `a better model waits until nobody exercises, and is then used`() async throws {
        let run = try run(better)
        #expect(run.status.state == .idle && run.useReady() == nil)
        try run.begin(at: Date(timeIntervalSince1970: 1_795_258_800))
        let status = try await ended(run)
        #expect(status.state == .waiting && status.model == "learned-20261121110000" && status.message == nil)
        #expect(status.decision?["is_better"] == .bool(true))
        #expect(try models() == ["learned-20261121110000.safetensors"])
        let arguments = try String(contentsOf: fixture.folder.file("arguments"), encoding: .utf8)
        #expect(arguments.hasPrefix("learn train --database \(fixture.database) --from "))
        #expect(run.useReady() == "learned-20261121110000" && run.useReady() == nil)
        #expect(run.status.state == .accepted)
        #expect(try store.query.chosenModel() == "learned-20261121110000")
        // The page tells it after the restart.
        #expect(try self.run("", inUse: "learned-20261121110000").status.state == .accepted)
    }

    @Test func `a model that is not better is kept beside, and only the newest of them`() async throws {
        let run = try run(Self.worse)
        for day in 0..<2 {
            try run.begin(at: Date(timeIntervalSince1970: 1_795_258_800 + 86_400 * Double(day)))
            #expect(try await ended(run).state == .refused)
        }
        #expect(run.useReady() == nil && run.status.decision?["is_better"] == .bool(false))
        #expect(try models() == ["learned-20261122110000-not-ready.safetensors"])
    }

    @Test func `a model that cannot be chosen is not said to be in use`() async throws {
        let run = try run("echo broken > \"$8\"; echo '\(Self.decision)'")
        try run.begin(at: Date(timeIntervalSince1970: 1_795_258_800))
        #expect(try await ended(run).state == .waiting)
        #expect(run.useReady() == nil && run.status.state == .failed)
        #expect(run.status.message?.contains("learned-20261121110000") == true)
        #expect(try store.query.chosenModel() == nil)
    }

    @Test func `a round that fails says why, and one that is killed leaves nothing`() async throws {
        let failed = try run("echo 'spotter: there are too few answers' >&2; exit 1")
        try failed.begin()
        let status = try await ended(failed)
        #expect(status.state == .failed && status.message == "there are too few answers")
        #expect(try models().isEmpty)
        let killed = try run("echo model > \"$8\"; sleep 60")
        try killed.begin()
        #expect(throws: (any Error).self) { try killed.begin() }
        killed.shutDown()
        #expect(try await ended(killed).state == .failed)
        #expect(try models().isEmpty)
        // The status file still tells of the round before.
        #expect(try run("").status.message == "there are too few answers")
    }

    @Test func `a node learns what others shared, and not its own answers a second time`() {
        let clips = ["sp-one", "sp-two", "sp-one"].map {
            LabelledClip(name: "c", label: "squat", group: $0, rate: 30, aspect: 1, keypoints: [])
        }
        #expect(AnswerClips.shared(clips, without: "sp-one").map(\.group) == ["sp-two"])
    }

    @Test func `what a power cut left of a round goes with the next one, and nothing of others`() async throws {
        try FileManager.default.createDirectory(at: trained, withIntermediateDirectories: true)
        for name in [
            "learned-20261120030000.part", "learned-20261120030000-not-ready.part", "learned-legs.part", "own.part",
        ] {
            try Data("half".utf8).write(to: trained.appending(path: name))
        }
        let run = try run(better)
        try run.begin(at: Date(timeIntervalSince1970: 1_795_258_800))
        _ = try await ended(run)
        #expect(try models() == ["learned-20261121110000.safetensors", "learned-legs.part", "own.part"])
    }

    @Test func `the last five models stay, and the one in use`() async throws {
        try FileManager.default.createDirectory(at: trained, withIntermediateDirectories: true)
        for day in 1...6 {
            try Data().write(to: trained.appending(path: "learned-2026110\(day)030000.safetensors"))
        }
        for name in ["mine", "learned-legs"] { try Data().write(to: trained.appending(path: name + ".safetensors")) }
        let run = try run(better, inUse: "learned-20261101030000")
        try run.begin(at: Date(timeIntervalSince1970: 1_795_258_800))
        _ = try await ended(run)
        let days = ["01", "03", "04", "05", "06"].map { "learned-202611\($0)030000.safetensors" }
        #expect(
            try models() == days + [
                "learned-20261121110000.safetensors", "learned-legs.safetensors", "mine.safetensors",
            ])
    }

    @Test func `a round is due at its hour, with new answers, and once a night`() async throws {
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "m@1", framesPerSecond: 30))
        for index in 0..<5 {
            writer.ask(
                Question(
                    kind: .excerpt, reason: .random, weight: 1, week: "2026-11-16", camera: "rack1",
                    startMilliseconds: Int64(index), endMilliseconds: 9, model: "m", poses: [1]), quota: 9, now: .now)
        }
        _ = try writer.flush(now: .now, wall: Date())
        for id in 1...4 { try store.answer(id, .none, known: [], wall: Date()) }
        let run = try run(Self.worse)
        let night = Date(timeIntervalSince1970: 1_795_230_000 + 60)
        #expect(!run.isDue(at: night), "four answers are too few")
        try store.answer(5, .none, known: [], wall: Date())
        #expect(run.isDue(at: night) && !run.isDue(at: night + 3600) && !run.isDue(at: night - 3600))
        try run.begin(at: night)
        _ = try await ended(run)
        #expect(!run.isDue(at: night + 600) && !run.isDue(at: night + 86_400), "no new answers")
    }
}
