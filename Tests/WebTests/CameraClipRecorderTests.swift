import Actions
import Agent
import Foundation
import Logging
import Poses
import TestSupport
import Testing
import Web

@Suite struct CameraClipRecorderTests {
    private let folder: TemporaryFolder
    private let library: ClipLibrary
    private let recorder: CameraClipRecorder
    private let begin = ContinuousClock.now

    init() throws {
        folder = try TemporaryFolder()
        library = ClipLibrary(folder: folder.file("clips"))
        recorder = CameraClipRecorder(library: library, pool: WorkPool(), logger: Logger(label: "test"))
    }

    private func order(_ label: String = "squat", seconds: Double = 2, countdown: Int = 3) throws -> RecordingOrder {
        try RecordingOrder(camera: "rack1", label: label, person: "anna", seconds: seconds, countdown: countdown)
    }

    /// A frame at a time in seconds; the person goes up and down, or stands still.
    private func frame(_ time: Double, people: Int = 1, moves: Bool = true) -> CameraResult {
        let y = moves ? Float(0.5 + 0.2 * sin(4 * time)) : 0.5
        let pose = Pose(
            keypoints: (0..<18).map { Keypoint(x: 0.3 + 0.02 * Float($0), y: y + 0.01 * Float($0), confidence: 0.9) })
        let tracked = TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 640, heightPixels: 480,
            tracks: (0..<people).map { Track(id: $0 + 1, pose: pose) }, prominent: people > 0 ? 1 : nil)
        return CameraResult(
            frameResult: RecognitionChain.FrameResult(
                frame: tracked, predictions: [], events: [], jump: nil, endedSessions: false),
            origin: Date(), wall: Date(), now: begin + .seconds(time))
    }

    private func play(_ seconds: ClosedRange<Double>, camera: String = "rack1", people: Int = 1, moves: Bool = true) {
        for time in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 1.0 / 30) {
            recorder.receive(frame(time, people: people, moves: moves), camera: camera)
        }
    }

    private func outcome() async throws -> RecordingStatus.Outcome {
        // Saving has a thread of its own.
        for _ in 0..<3000 where recorder.status().state != .idle { try await Task.sleep(for: .milliseconds(20)) }
        return try #require(recorder.status().last)
    }

    @Test func `after the countdown the seconds that were ordered are kept`() async throws {
        try recorder.begin(order(), now: begin)
        play(0...2.9)
        #expect(recorder.status(now: begin + .seconds(1)).state == .countdown)
        #expect(recorder.status(now: begin + .seconds(1)).left == 2)
        play(3...4)
        #expect(recorder.status().state == .recording)
        play(4.04...5.5)
        let outcome = try await outcome()
        #expect(outcome.message == nil && outcome.figures?.seen == 1)
        let clip = try #require(library.clips().first)
        #expect(clip.id == outcome.clip && clip.label == "squat" && clip.person == "anna")
        #expect(abs((clip.figures?.seconds ?? 0) - 2) < 0.3, "\(clip.figures?.seconds ?? 0)")
    }

    @Test func `other cameras are not recorded`() throws {
        try recorder.begin(order(countdown: 0), now: begin)
        play(0...5, camera: "rack2")
        #expect(recorder.status().state == .countdown)
    }

    @Test func `there is one recording at a time`() throws {
        try recorder.begin(order(), now: begin)
        #expect(throws: (any Error).self) { try recorder.begin(order(), now: begin) }
    }

    @Test func `a lost camera ends the recording with a message and without a clip`() async throws {
        try recorder.begin(order(countdown: 0), now: begin)
        play(0...1)
        recorder.close(CameraEnding(events: [], isLost: true, wall: Date(), now: .now), camera: "rack1")
        #expect(try await outcome().message?.contains("lost") == true && library.names().isEmpty)
    }

    @Test func `a pause of the camera ends the recording, since a clip has no gaps`() async throws {
        try recorder.begin(order(countdown: 0), now: begin)
        play(0...1)
        play(3...3.1)
        #expect(try await outcome().message?.contains("paused") == true && library.names().isEmpty)
    }

    @Test func `a camera without frames ends the recording`() async throws {
        let id = try recorder.begin(order(), now: begin)
        recorder.expire(id + 1)
        #expect(recorder.status().state == .countdown)
        recorder.expire(id)
        #expect(try await outcome().message?.contains("no frames") == true)
    }

    @Test func `nobody in view makes no clip`() async throws {
        try recorder.begin(order(countdown: 0), now: begin)
        play(0...3, people: 0)
        #expect(try await outcome().message?.contains("Nobody") == true && library.names().isEmpty)
    }

    @Test func `standing still is only kept as none`() async throws {
        try recorder.begin(order(countdown: 0), now: begin)
        play(0...3, moves: false)
        #expect(try await outcome().message?.contains("no motion") == true)
        try recorder.begin(order("none", countdown: 0), now: begin)
        play(0...3, moves: false)
        #expect(try await outcome().clip?.hasPrefix("none.anna.") == true)
    }

    @Test func `stopping calls off a countdown, and keeps what was recorded`() async throws {
        try recorder.begin(order(), now: begin)
        recorder.stop()
        #expect(try await outcome().clip == nil)
        try recorder.begin(order(seconds: 60, countdown: 0), now: begin)
        play(0...3)
        recorder.stop()
        #expect(try await outcome().clip != nil)
    }

    @Test(arguments: [(1.0, 3), (61, 3), (.nan, 3), (10, -1), (10, 61)])
    func `lengths that make no sense are refused`(seconds: Double, countdown: Int) {
        #expect(throws: (any Error).self) { try order(seconds: seconds, countdown: countdown) }
    }
}
