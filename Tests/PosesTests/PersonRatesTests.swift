import Poses
import Testing

struct PersonRatesTests {
    private let pose = Pose(keypoints: Array(repeating: .missing, count: 18))

    /// A frame with track 1, which is looked at in every frame, and track 2 in every fifth.
    private func frame(_ index: Int, tracks: [Int] = [1, 2]) -> TrackedFrame {
        TrackedFrame(
            index: index, time: Double(index) / 10, image: nil, widthPixels: 640, heightPixels: 480,
            tracks: tracks.map { Track(id: $0, pose: pose, isMeasured: $0 == 1 || index % 5 == 0) }, prominent: nil)
    }

    @Test func `each person has a rate of their own`() throws {
        var rates = PersonRates()
        for index in 0..<50 { rates.add(frame(index)) }
        let (moving, resting) = (try #require(rates.hertz[1]), try #require(rates.hertz[2]))
        #expect(abs(moving - 10) < 1e-6)
        #expect(abs(resting - 2) < 1e-6)
    }

    @Test func `whoever left, or was seen once only, has none`() {
        var rates = PersonRates()
        rates.add(frame(0))
        #expect(rates.hertz.isEmpty)
        for index in 1..<20 { rates.add(frame(index)) }
        rates.add(frame(20, tracks: [1]))
        #expect(Set(rates.hertz.keys) == [1])
    }

    @Test func `times that jump back start over`() {
        var rates = PersonRates()
        for index in 100..<120 { rates.add(frame(index)) }
        for index in 0..<20 { rates.add(frame(index)) }
        #expect(rates.hertz[1].map { abs($0 - 10) < 1e-6 } == true)
    }
}
