import Actions
import Poses
import Testing

@Suite struct BackAndForthTests {
    private static let model = ModelDescription(
        name: "example", labels: ["squat", "none"], countedLabels: ["squat"], joints: [], featureVersion: 1,
        network: NetworkSize(labels: 2))

    /// The x of the person in every frame that comes out of a recording at 30 Hz, and the times.
    private func played(frames: Int) async throws -> (xs: [Float], times: [Double], wasRepeated: Bool) {
        let recording = (0..<frames).map { index in
            let pose = Pose(keypoints: Array(repeating: Keypoint(x: Float(index), y: 0, confidence: 1), count: 18))
            return TrackedFrame(
                index: index, time: 5 + Double(index) / 30, image: nil, widthPixels: 200, heightPixels: 100,
                tracks: [Track(id: 1, pose: pose)], prominent: 1)
        }
        let stream = AsyncThrowingStream<TrackedFrame, any Error> { continuation in
            recording.forEach { continuation.yield($0) }
            continuation.finish()
        }
        let people = BackAndForth(stream, filling: Self.model)
        var (xs, times): ([Float], [Double]) = ([], [])
        for try await frame in people {
            xs.append(frame.tracks[0].pose.keypoints[0].x)
            times.append(frame.time)
        }
        return (xs, times, people.wasRepeated)
    }

    @Test func `a recording shorter than a window runs back and forth until it fills one`() async throws {
        let (xs, times, wasRepeated) = try await played(frames: 25)
        #expect(wasRepeated && xs.count == 60)
        let expected = (0..<60).map { frame -> Float in
            let place = frame % 48
            return Float(place < 25 ? place : 48 - place)
        }
        #expect(xs == expected)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 1e-9 })
    }

    @Test(arguments: [0, 1, 2, 15, 60, 200])
    func `very short and longer recordings stay as they are`(frames: Int) async throws {
        let (xs, _, wasRepeated) = try await played(frames: frames)
        #expect(!wasRepeated && xs.count == frames)
    }
}
