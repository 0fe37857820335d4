import Actions
import Poses
import Testing

/// Who waits for a zone that somebody else uses.
@Suite struct WaitingWatchTests {
    /// The right half of the lower picture.
    private static let rack = Zone(
        name: "rack-1", area: PictureArea(corners: [[0.5, 0.5], [1, 0.5], [1, 1], [0.5, 1]]))
    private typealias Activity = WaitingWatch.Activity

    /// A person whose feet are at `x` and 0.9; they are half as tall as the picture.
    private func person(_ id: Int, x: Float, zone: String? = nil) -> Track {
        var keypoints = [Keypoint](repeating: Keypoint(x: x, y: 0.4, confidence: 0.9), count: 18)
        for ankle in [Joint.leftAnkle, .rightAnkle] {
            keypoints[ankle.rawValue] = Keypoint(x: x, y: 0.9, confidence: 0.9)
        }
        return Track(id: id, pose: Pose(keypoints: keypoints), zone: zone)
    }

    private func frame(_ time: Double, _ tracks: [Track]) -> TrackedFrame {
        TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 400, heightPixels: 400, tracks: tracks, prominent: nil)
    }

    /// Who waits at each time while person 1 uses the rack.
    private func waiting(
        _ times: [Double], x: Float = 0.4, zone: String? = nil, exercisedAt: (Double) -> Double? = { _ in nil },
        isUsed: (Double) -> Bool = { _ in true }
    ) -> [Int] {
        var watch = WaitingWatch([Self.rack])
        // Seconds in between are looked at, too: a person who is not seen for ten begins anew.
        return stride(from: 0, through: times.last ?? 0, by: 1).map { time in
            let user = Activity(lastExercise: isUsed(time) ? time : nil, zone: "rack-1")
            let other = Activity(lastExercise: exercisedAt(time), zone: zone)
            let tracks = [person(1, x: 0.8, zone: "rack-1"), person(2, x: x, zone: zone)]
            return (time, watch.look(at: frame(time, tracks), [1: user, 2: other])["rack-1"] ?? 0)
        }.filter { times.contains($0.0) }.map(\.1)
    }

    @Test func `somebody who stands beside it for some seconds waits`() {
        #expect(waiting([0, 10, 19, 20, 30]) == [0, 0, 0, 1, 1])
    }

    @Test func `near is a half of one's own height in the picture`() {
        // Half of the picture is a person, so a quarter of it is near.
        #expect(waiting([0, 20], x: 0.26) == [0, 1] && waiting([0, 20], x: 0.24) == [0, 0])
    }

    @Test func `nobody waits for a zone that is free`() {
        #expect(waiting([0, 10, 20, 30, 40], isUsed: { $0 >= 20 }) == [0, 0, 0, 0, 1])
    }

    @Test func `who stands in a zone, or exercises beside it, does not wait`() {
        #expect(waiting([0, 10, 20], zone: "mat") == [0, 0, 0])
        #expect(waiting([0, 10, 20, 30, 35], exercisedAt: { min($0, 15) }) == [0, 0, 0, 0, 1])
    }

    @Test func `who has just exercised there shares it`() {
        var watch = WaitingWatch([Self.rack])
        let both = [1: Activity(lastExercise: 0, zone: "rack-1"), 2: Activity(lastExercise: 0, zone: "rack-1")]
        _ = watch.look(at: frame(0, [person(1, x: 0.8, zone: "rack-1"), person(2, x: 0.7, zone: "rack-1")]), both)
        func look(_ time: Double) -> Int {
            let rests = [1: Activity(lastExercise: time, zone: "rack-1")]
            return watch.look(at: frame(time, [person(1, x: 0.8, zone: "rack-1"), person(2, x: 0.4)]), rests)["rack-1"]
                ?? 0
        }
        #expect(stride(from: 1.0, through: 290, by: 1).map(look).allSatisfy { $0 == 0 })
        #expect(stride(from: 291.0, through: 325, by: 1).map(look).last == 1)
    }

    @Test func `a person who was hidden for a moment goes on waiting under the number of before`() {
        var watch = WaitingWatch([Self.rack])
        let used = [1: Activity(lastExercise: 0, zone: "rack-1")]
        func look(_ time: Double, _ ids: [Int]) -> Int {
            watch.look(at: frame(time, ids.map { person($0, x: 0.4) }), used)["rack-1"] ?? 0
        }
        #expect([look(0, [2]), look(9, [2]), look(15, []), look(18, [3])] == [0, 0, 0, 0])
        watch.rename(3, to: 2)
        #expect(look(20.5, [2]) == 1)
        #expect(look(40, [2]) == 0, "after ten seconds they begin anew")
    }

    @Test func `a distance of 0 switches it off`() {
        var rules = RecognitionRules.Waiting()
        (rules.distance, rules.seconds) = (0, 0)
        var watch = WaitingWatch([Self.rack], rules: rules)
        let used = [1: Activity(lastExercise: 0, zone: "rack-1")]
        #expect(watch.look(at: frame(0, [person(2, x: 0.49)]), used).isEmpty)
    }
}
