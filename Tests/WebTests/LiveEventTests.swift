import Foundation
import Poses
import Testing
import Web

@Suite struct LiveEventTests {
    /// The name and the object of one event.
    private func event(_ bytes: [UInt8]) throws -> (name: String, data: [String: Any]) {
        // A carriage return ends a line, too.
        let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 13 }
        // A name, a line of data, and an empty line that ends the event.
        try #require(lines.count == 4 && lines[2].isEmpty && lines[3].isEmpty)
        try #require(lines[0].starts(with: "event: ".utf8) && lines[1].starts(with: "data: ".utf8))
        return (String(decoding: lines[0].dropFirst(7), as: UTF8.self), try object(lines[1].dropFirst(6)))
    }

    private func joints(_ joint: Keypoint) throws -> [Int] {
        let event = try event(LiveEvent.pose(LiveFixture.frame(joint: joint), camera: "rack1", time: 5))
        let people = try #require(event.data["people"] as? [[String: Any]])
        return try #require(people.first?["joints"] as? [Int])
    }

    @Test func `a pose is whole numbers of the picture's size`() throws {
        let frame = LiveFixture.frame(tracks: [3, 7], prominent: 7)
        let (name, data) = try event(LiveEvent.pose(frame, camera: "rack1", time: 1_795_258_800_123))
        #expect(name == "pose" && data["camera"] as? String == "rack1" && data["time"] as? Int == 1_795_258_800_123)
        #expect(data["width"] as? Int == 640 && data["height"] as? Int == 480)
        let people = try #require(data["people"] as? [[String: Any]])
        #expect(people.map { $0["track"] as? Int } == [3, 7])
        #expect(people.map { $0["prominent"] as? Bool } == [false, true])
        #expect(people[0]["joints"] as? [Int] == Array(repeating: [500, 250, 100], count: 18).flatMap(\.self))
    }

    @Test func `a frame without people is an event, too`() throws {
        let frame = LiveFixture.frame(tracks: [], prominent: nil)
        #expect(try event(LiveEvent.pose(frame, camera: "a", time: 0)).data["people"] as? [Int] == [])
    }

    @Test(arguments: [
        Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e30, -1e30, 3, -3,
        .leastNonzeroMagnitude, .signalingNaN, -0.0,
    ])
    func `a joint without a sensible place is still a number, near the picture`(value: Float) throws {
        for joint in [
            Keypoint(x: value, y: 0.5, confidence: 1), Keypoint(x: 0.5, y: value, confidence: 1),
            Keypoint(x: 0.5, y: 0.5, confidence: value), Keypoint(x: value, y: value, confidence: value),
        ] {
            let numbers = try joints(joint)
            #expect(numbers.count == 54 && numbers.allSatisfy { (-1000...2000).contains($0) }, "\(numbers)")
        }
    }

    @Test func `joints a little outside the picture keep their place`() throws {
        #expect(try joints(Keypoint(x: -0.1, y: 1.25, confidence: 0.5)).prefix(3) == [-100, 1250, 50])
    }

    @Test func `a window has its three most probable labels`() throws {
        let (name, data) = try event(
            LiveEvent.window(
                LiveFixture.prediction(end: 2.5), camera: "rack1", labels: LiveFixture.labels,
                date: { LiveFixture.origin + $0 }))
        #expect(name == "window" && data["camera"] as? String == "rack1" && data["track"] as? Int == 1)
        #expect(data["start"] as? Int64 == LiveFixture.milliseconds(0.5))
        #expect(data["end"] as? Int64 == LiveFixture.milliseconds(2.5))
        #expect(data["label"] as? String == "squat" && data["confidence"] as? Double == 0.9)
        let scores = try #require(data["scores"] as? [[Any]])
        #expect(scores.map { $0.first as? String } == ["squat", "lunge", "other"])
        #expect(scores.map { $0.last as? Double } == [0.9, 0.05, 0.04])
    }

    @Test(arguments: [
        "\"", "\\", "</script><script>alert(1)</script>", "a\nevent: lost\ndata: {}\n\n", "\r\n", "\u{0}\u{1}\u{1F}",
        "\u{2028}\u{2029}", "'; DROP TABLE session; --", "🤸🏽‍♀️", "e\u{301}", "",
        String(repeating: "ü", count: 5000),
    ])
    func `no label breaks out of the event`(label: String) throws {
        let (name, data) = try event(
            LiveEvent.window(
                LiveFixture.prediction(label), camera: "rack1", labels: [label, "b", "c", "d"],
                date: { LiveFixture.origin + $0 }))
        #expect(name == "window" && data["label"] as? String == label)
        let scores = try #require(data["scores"] as? [[Any]])
        #expect(scores.map { $0.first as? String } == ["c", label, "b"])
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func `a senseless confidence does no harm`(value: Float) throws {
        let prediction = LiveFixture.prediction(confidence: value, probabilities: [value, .nan, 0.5, value])
        // An event may be left out, but not be one that no browser can read.
        guard
            let bytes = try? LiveEvent.window(
                prediction, camera: "rack1", labels: LiveFixture.labels, date: { LiveFixture.origin + $0 })
        else { return }
        #expect(try event(bytes).name == "window")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func `a senseless time does no harm`(time: Double) throws {
        let bytes = try LiveEvent.window(
            LiveFixture.prediction(end: time), camera: "rack1", labels: LiveFixture.labels,
            date: { LiveFixture.origin + $0 })
        #expect(try event(bytes).data["end"] is Int64)
    }

    @Test func `fewer probabilities than labels, and nobody in view, are an event`() throws {
        let prediction = LiveFixture.prediction("no_person", track: nil, confidence: 0, probabilities: [])
        let data = try event(
            LiveEvent.window(
                prediction, camera: "rack1", labels: LiveFixture.labels, date: { LiveFixture.origin + $0 })
        ).data
        #expect(data["track"] == nil && (data["scores"] as? [Any])?.isEmpty == true)
    }

    @Test func `the event that keeps a stream open is a comment`() {
        #expect(String(decoding: LiveEvent.keepAlive, as: UTF8.self) == ": keep-alive\n\n")
    }
}
