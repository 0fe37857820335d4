import Actions
import Foundation
import Poses
import Testing

/// Who lies on the floor and does not move.
@Suite struct LyingWatchTests {
    /// A body seen from the side, 160 pixels tall in a picture of 400 x 400. Its feet stay where they are.
    private struct Body {
        /// Degrees from upright, towards the right.
        var tilt = 0.0
        var place: Float = 0.3
        /// The trunk upright on the floor, with the legs along it.
        var isSitting = false
        /// Degrees by which the trunk of who sits leans forward.
        var lean = 0.0
        /// Arms straight down, as in a plank.
        var isPropped = false
        /// How far all but the head is moved, in own heights.
        var swing: Float = 0
        /// One shoulder and its arm above the other.
        var isOnSide = false
        /// On hands and knees, seen from the front.
        var isOnAllFours = false
        /// How far one ankle is lifted, in own heights.
        var lift: Float = 0
        /// How tall the person is in the picture.
        var scale: Float = 1

        /// Along the body and across it, in own heights.
        private static let joints: [(Joint, Float, Float)] = [
            (.leftAnkle, 0, 0), (.rightAnkle, 0, 0.01), (.leftKnee, 0.27, 0), (.rightKnee, 0.27, 0.01),
            (.leftHip, 0.53, 0), (.rightHip, 0.53, 0.01), (.leftShoulder, 0.86, 0), (.rightShoulder, 0.86, 0.01),
            (.neck, 0.86, 0), (.nose, 1, 0.02), (.leftEye, 1, 0), (.rightEye, 1, 0), (.leftEar, 1, 0),
            (.rightEar, 1, 0),
            (.leftElbow, 0.68, 0), (.rightElbow, 0.68, 0.01), (.leftWrist, 0.5, 0), (.rightWrist, 0.5, 0.01),
        ]

        /// Seen from the front: how high each joint is on hands and knees, in own heights.
        private static func heightOnAllFours(_ joint: Joint) -> Float {
            switch joint {
            case .leftKnee, .rightKnee, .leftWrist, .rightWrist: 0
            case .leftAnkle, .rightAnkle: 0.08
            case .leftElbow, .rightElbow: 0.13
            case .leftHip, .rightHip: 0.27
            case .leftShoulder, .rightShoulder, .neck: 0.25
            default: 0.3
            }
        }

        func pose(height: Float = 0.4) -> Pose {
            var keypoints = [Keypoint](repeating: .missing, count: 18)
            let angle = Float(tilt * .pi / 180)
            for (joint, along, across) in Self.joints {
                var (right, up) = (along * sin(angle) + across * cos(angle), along * cos(angle) - across * sin(angle))
                if isSitting {
                    let (above, lean) = (along - 0.53, Float(lean * .pi / 180))
                    (right, up) = above > 0 ? (0.53 + across - above * sin(lean), above * cos(lean)) : (along, 0.02)
                }
                let isHand = [.leftWrist, .rightWrist].contains(joint)
                if isPropped, isHand || [.leftElbow, .rightElbow].contains(joint) {
                    (right, up) = (0.86 * sin(angle), 0.86 * cos(angle) - (isHand ? 0.36 : 0.18))
                }
                if along < 0.9 { up += swing }
                if joint == .leftAnkle { up += lift }
                if isOnAllFours { (right, up) = (across, Self.heightOnAllFours(joint)) }
                if isOnSide, [.leftShoulder, .leftElbow, .leftWrist].contains(joint) { up += 0.18 }
                let size = height * scale
                keypoints[joint.rawValue] = Keypoint(x: place + right * size, y: 0.9 - up * size, confidence: 0.9)
            }
            return Pose(keypoints: keypoints)
        }
    }

    private static let rate = 10.0
    /// Stands, and lies on the floor from second 5.8 on.
    private static func fall(_ time: Double, seconds: Double = 0.8) -> Body {
        Body(tilt: min(max((time - 5) / seconds, 0), 1) * 88)
    }

    private struct Told: Equatable {
        let time: Double
        let person: LyingPerson
    }

    /// What is told, each time when it is told first, and that somebody is up.
    ///
    /// - Parameter body: who is seen under which number at a time; `nil` while nobody is.
    private func told(
        until end: Double, zone: String? = nil, lastExercise: (Double) -> Double? = { _ in nil },
        rules: (inout RecognitionRules.Lying) -> Void = { _ in }, _ body: (Double) -> (id: Int, body: Body)?
    ) -> [Told] {
        var limits = RecognitionRules.Lying()
        limits.isEnabled = true
        rules(&limits)
        var watch = LyingWatch(limits)
        var result: [Told] = []
        for time in stride(from: 0, through: end, by: 1 / Self.rate) {
            let tracks = body(time).map { [Track(id: $0.id, pose: $0.body.pose(), zone: zone)] } ?? []
            let frame = TrackedFrame(
                index: 0, time: time, image: nil, widthPixels: 400, heightPixels: 400, tracks: tracks, prominent: nil)
            for person in watch.look(at: frame, { _ in lastExercise(time) })
            where person.isUp || !result.contains(where: { $0.person.number == person.number }) {
                result.append(Told(time: time, person: person))
            }
        }
        return result
    }

    @Test func `who falls and lies still is told after eight seconds, once`() throws {
        let told = told(until: 40) { (1, Self.fall($0)) }
        let only = try #require(told.first)
        #expect(told.count == 1 && only.person.cause == .fall && (13.2...14.8).contains(only.time), "\(told)")
        #expect((5...6).contains(only.person.since))
    }

    @Test func `who falls towards the camera is told, though they look upright until they lie`() {
        let told = told(until: 40) { time in
            let falls = min(max(Float(time - 5) / 0.8, 0), 1)
            return (1, time < 5.8 ? Body(scale: 1 - 0.7 * falls) : Body(tilt: 88))
        }
        #expect(told.map(\.person.cause) == [.fall] && (told.first?.time ?? 40) < 16, "\(told)")
    }

    @Test func `who gets up is told once more`() {
        let told = told(until: 40) { (1, $0 < 25 ? Self.fall($0) : Body()) }
        #expect(told.map(\.person.isUp) == [false, true] && (told.last?.time ?? 0) > 25, "\(told)")
    }

    @Test func `who gets up in time is not told`() {
        #expect(told(until: 80) { (1, $0 < 12 ? Self.fall($0) : Body()) } == [])
    }

    @Test func `who lies down slowly is told when they have lain for a minute`() {
        let told = told(until: 90) { (1, Self.fall($0, seconds: 8)) }
        #expect(told.map(\.person.cause) == [.still] && (70...80).contains(told.first?.time ?? 0), "\(told)")
    }

    @Test func `who goes on moving one leg does not lie still, and a single twitch changes nothing`() {
        func told(_ lift: @escaping (Double) -> Float) -> [Told] {
            self.told(until: 100) { time in
                var body = Self.fall(time, seconds: 8)
                body.lift = lift(time)
                return (1, body)
            }
        }
        #expect(told { Float(0.05 * sin(2 * $0)) } == [])
        let twitch = told { (30..<33).contains($0) ? 0.12 : 0 }
        #expect(twitch.map(\.person.cause) == [.still] && (70...80).contains(twitch.first?.time ?? 0), "\(twitch)")
    }

    @Test func `who moves after a fall is not told while they move`() {
        let told = told(until: 90) { time in
            var body = Self.fall(time)
            if (5.8..<60).contains(time) { body.swing = Float(0.15 * sin(4 * time)) }
            return (1, body)
        }
        #expect(told.count == 1 && (told.first?.time ?? 0) > 66, "\(told)")
    }

    @Test func `who drops into a seat or a plank is not told`() {
        #expect(told(until: 100) { (1, $0 < 5 ? Body() : Body(isSitting: true)) } == [])
        #expect(told(until: 100) { (1, $0 < 5 ? Body() : Body(tilt: 70, isPropped: true)) } == [])
    }

    @Test func `who is on hands and knees before the camera is not told`() {
        #expect(told(until: 100) { _ in (1, Body(isOnAllFours: true)) } == [])
        let without = told(until: 100, rules: { $0.hangingArms = 9 }) { _ in (1, Body(isOnAllFours: true)) }
        #expect(without.map(\.person.cause) == [.still], "they look as if they lay")
    }

    @Test func `a joint that jumps for a moment makes nobody taller`() {
        // Every five seconds the joints are far apart in a single picture.
        func sitting(_ time: Double) -> Body {
            Body(isSitting: true, lean: 48, scale: Int((time * Self.rate).rounded()) % 50 == 49 ? 2.4 : 1)
        }
        #expect(told(until: 100) { (1, sitting($0)) } == [])
    }

    @Test func `a detector that loses who fell does not hide them`() {
        let told = told(until: 40) { $0 < 6 || (10...10.5).contains($0) ? (1, Self.fall($0)) : nil }
        #expect(told.map(\.person.cause) == [.fall], "\(told)")
    }

    @Test func `who is lost at the side of the picture has left it`() {
        let told = told(until: 40) { time in
            time < 5.7 ? (1, Body(tilt: Self.fall(time).tilt, place: 0.62)) : nil
        }
        #expect(told == [], "\(told)")
    }

    @Test func `a new number where somebody fell is the same person`() {
        let told = told(until: 40) { $0 < 5.7 ? (1, Self.fall($0)) : $0 < 8 ? nil : (2, Self.fall($0)) }
        #expect(told.map(\.person.cause) == [.fall], "\(told)")
    }

    @Test func `in a resting zone only falls are told`() {
        func rest(_ limits: inout RecognitionRules.Lying) { limits.restingZones = ["mat"] }
        #expect(told(until: 120, zone: "mat", rules: rest) { (1, Self.fall($0, seconds: 8)) } == [])
        #expect(told(until: 40, zone: "mat", rules: rest) { (1, Self.fall($0)) }.count == 1)
    }

    @Test func `who was told stays one person under a new number`() {
        let told = told(until: 60) { time in (time < 20 ? 1 : 2, time < 40 ? Self.fall(time) : Body()) }
        #expect(told.map(\.person.isUp) == [false, true] && Set(told.map(\.person.number)) == [1], "\(told)")
    }

    @Test func `who lies on a side with an arm below the body is no plank`() {
        // The shoulders are above each other, and the lower hand is far below the upper shoulder.
        let told = told(until: 40) { time in (1, time < 5.8 ? Self.fall(time) : Body(tilt: 88, isOnSide: true)) }
        #expect(told.map(\.person.cause) == [.fall], "\(told)")
    }

    @Test func `a number that changes in the middle of a fall is the same person`() {
        let told = told(until: 40) { ($0 < 5.4 ? 1 : 2, Self.fall($0)) }
        #expect(told.map(\.person.cause) == [.fall], "\(told)")
    }

    @Test func `a number that begins where somebody stood a moment ago is theirs`() {
        let told = told(until: 40) { $0 < 5.2 ? (1, Body()) : $0 < 6 ? nil : (2, Self.fall($0)) }
        #expect(told.map(\.person.cause) == [.fall], "\(told)")
    }

    @Test func `who kneels first and then lies down did not fall`() {
        let told = told(until: 50) { time in
            (1, time < 5 ? Body() : time < 8 ? Body(isSitting: true) : Body(tilt: 88))
        }
        #expect(told == [], "\(told)")
    }

    @Test func `who exercises there is not told, however little moves`() {
        let told = told(until: 120, lastExercise: { min($0, 50) }) { (1, Self.fall($0, seconds: 8)) }
        #expect(told.count == 1 && (told.first?.time ?? 0) >= 110, "\(told)")
    }

    @Test func `nobody is looked after without being asked`() {
        #expect(told(until: 40, rules: { $0.isEnabled = false }) { (1, Self.fall($0)) } == [])
    }

    @Test func `two numbers that become one are one person`() {
        var limits = RecognitionRules.Lying()
        limits.isEnabled = true
        var watch = LyingWatch(limits)
        var times: [Double] = []
        for time in stride(from: 0, through: 30, by: 0.1) {
            let track = Track(id: time < 7 ? 1 : time < 9 ? 2 : 1, pose: Self.fall(time).pose())
            if abs(time - 9) < 0.05 { watch.rename(2, to: 1) }
            let frame = TrackedFrame(
                index: 0, time: time, image: nil, widthPixels: 400, heightPixels: 400, tracks: [track], prominent: nil)
            if !watch.look(at: frame, { _ in nil }).isEmpty { times.append(time) }
        }
        #expect((13...16).contains(times.first ?? 0), "\(times.first ?? 0)")
    }
}
