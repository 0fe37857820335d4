import Actions
import Foundation
import Poses
import Testing
import Training

@Suite struct ClipRecorderTests {
    private func frame(_ time: Double, x: Float?, prominent: Int? = 1) -> TrackedFrame {
        let pose = x.map { x in Pose(keypoints: (0..<18).map { _ in Keypoint(x: x, y: 0.5, confidence: 0.9) }) }
        let bystander = Track(
            id: 2, pose: Pose(keypoints: (0..<18).map { _ in Keypoint(x: 0.1, y: 0.1, confidence: 1) }))
        return TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 200, heightPixels: 100,
            tracks: (pose.map { [Track(id: 1, pose: $0)] } ?? []) + [bystander], prominent: prominent)
    }

    @Test func `unevenly timed frames become an evenly timed clip of the prominent person`() throws {
        var recorder = ClipRecorder(rate: 10)
        for time in [5.0, 5.15, 5.2, 5.4] { recorder.add(frame(time, x: Float(time - 5))) }
        let clip = try #require(recorder.clip())
        #expect(clip.frames == 5 && clip.rate == 10 && clip.aspect == 2)
        let xs = (0..<5).map { clip.keypoints[$0 * 54] }
        #expect(zip(xs, [0, 0.1, 0.2, 0.3, 0.4]).allSatisfy { abs($0 - $1) < 1e-4 }, "\(xs)")
    }

    @Test func `frames without a person make no clip`() {
        var recorder = ClipRecorder(rate: 10)
        for time in [0.0, 0.1, 0.2] { recorder.add(frame(time, x: nil)) }
        #expect(recorder.clip() == nil)
    }
}

@Suite struct StillnessTrimTests {
    /// Standing still, then squats, then standing still again.
    private func clip(before: Int, moving: Int, after: Int) -> LabelledClip {
        let motion = ToyClips.clip(3, label: "squat", frames: max(moving, 1))
        let first = Array(motion.keypoints.prefix(54)), last = Array(motion.keypoints.suffix(54))
        let middle = moving > 0 ? motion.keypoints : []
        let keypoints = (0..<before).flatMap { _ in first } + middle + (0..<after).flatMap { _ in last }
        return LabelledClip(name: "c", label: "squat", group: "g", rate: 30, aspect: 1.778, keypoints: keypoints)
    }

    @Test func `standing still before and after is trimmed, with a margin`() throws {
        let trimmed = try #require(StillnessTrim.trimmed(clip(before: 90, moving: 120, after: 60)))
        #expect((120...160).contains(trimmed.frames), "\(trimmed.frames)")
    }

    @Test func `trimming a clip without motion leaves nothing`() {
        #expect(StillnessTrim.trimmed(clip(before: 150, moving: 0, after: 10)) == nil)
    }

    @Test func `a clip that moves throughout stays whole`() throws {
        let whole = clip(before: 0, moving: 150, after: 0)
        #expect(try #require(StillnessTrim.trimmed(whole)).frames >= 140)
    }
}

@Suite struct ClipWritingTests {
    @Test func `a clip written as a pose stream is read back`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).poses.jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let clip = ToyClips.clip(1, label: "jack")
        try clip.write(poseStream: file)
        let read = try #require(try LabelledClip.read(poseStream: file))
        #expect(read.frames == clip.frames && read.rate == 30 && abs(read.aspect - clip.aspect) < 1e-3)
        #expect(zip(read.keypoints, clip.keypoints).allSatisfy { abs($0 - $1) < 1e-3 })
    }

    /// A stream whose header says 30 Hz; the nose's x is the time.
    private func read(times: [Double], rate: String = "30") throws -> LabelledClip {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).poses.jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try ToyClips.clip(1, label: "jack", frames: 1).write(poseStream: file)
        let header = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")[0]
            .replacing(/"rate_hz":[0-9.]+/, with: "\"rate_hz\":\(rate)")
        let lines = times.map { time in
            let keypoints = (0..<18).map { _ in "[\(min(time, 50) / 100),0.5,0.9]" }.joined(separator: ",")
            return "{\"t\":\(time),\"poses\":[{\"track\":1,\"keypoints\":[\(keypoints)]}]}"
        }
        try ([String(header)] + lines).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return try #require(try LabelledClip.read(poseStream: file))
    }

    @Test func `frames are placed by their times, not by their number`() throws {
        let slow = try read(times: (0..<21).map { Double($0) / 5 })
        #expect(slow.rate == 30 && slow.frames == 121)
        #expect((0..<121).allSatisfy { abs(slow.keypoints[$0 * 54] - Float($0) / 3000) < 1e-4 })
        let even = try read(times: (0..<21).map { 7 + Double($0) / 30 })
        #expect(even.frames == 21)
    }

    @Test(arguments: ["1e-300", "1e-9", "0.001", "1000"])
    func `a rate that does not fit the times is not believed`(rate: String) throws {
        let clip = try read(times: (0..<21).map { Double($0) / 10 }, rate: rate)
        #expect(clip.rate == 30 && clip.frames == 61)
        let spread = try read(times: [0, 1e9], rate: "1e-9")
        #expect(spread.frames == 301)
    }

    @Test func `a pause shows nobody, and a long one is shortened`() throws {
        let clip = try read(times: [0, 0.1, 0.2, 3.2, 3.3, 900_000_000, 900_000_000.1])
        #expect(abs(clip.seconds - 13.4) < 0.1)
        let posed = (0..<clip.frames).filter { clip.keypoints[$0 * 54 + 2] > 0 }
        #expect(posed.count < 20 && posed.contains(0) && posed.contains(96))
    }
}
