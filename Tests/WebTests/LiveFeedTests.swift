import Actions
import Foundation
import Testing
import Web

@Suite struct LiveFeedTests {
    private let feed = LiveFeed(labels: LiveFixture.labels)

    /// The names and data of the events that wait for a viewer.
    private func events(_ viewer: Viewer) async throws -> [(name: String, data: [String: Any])] {
        let bytes = try #require(await viewer.next())
        return try String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n").dropLast().map { text in
            let lines = text.components(separatedBy: "\n")
            return (lines[0], lines.count == 2 ? try object(lines[1].dropFirst("data: ".count).utf8) : [:])
        }
    }

    private func join(camera: String? = nil) -> Viewer {
        feed.join(camera: camera, first: Array("event: state\ndata: {}\n\n".utf8))
    }

    private func persons(_ camera: String = "rack1") throws -> [[String: Any]] {
        try feed.state(of: camera).persons.map { try object(JSONEncoder().encode($0)) }
    }

    @Test func `a camera that has shown nothing is unknown`() throws {
        let state = feed.state(of: "rack1")
        #expect(state.persons.isEmpty && state.time == nil && state.size == nil && !state.hasEnded)
        #expect(feed.changes(of: "rack1") == 0 && feed.currentViewers().isEmpty)
    }

    @Test func `the newest frame tells who is in view`() throws {
        feed.receive(LiveFixture.result(at: 1, tracks: [1, 2]), camera: "rack1")
        feed.receive(LiveFixture.result(at: 2, tracks: [2, 3]), camera: "rack1")
        #expect(try persons().map { $0["track"] as? Int } == [2, 3])
        #expect(try persons().map { $0["prominent"] as? Bool } == [true, false])
        let state = feed.state(of: "rack1")
        #expect(state.time == LiveFixture.origin + 2)
        #expect(state.size?.width == 640 && state.size?.height == 480)
        #expect(try persons("rack2").isEmpty)
    }

    @Test func `somebody keeps label and sets from frame to frame`() throws {
        let session = LiveFixture.session([LiveFixture.set(1, from: 0, to: 2, reps: 1)])
        feed.receive(
            LiveFixture.result(at: 2, predictions: [LiveFixture.prediction()], events: [.started(session)]),
            camera: "rack1")
        feed.receive(LiveFixture.result(at: 2.1), camera: "rack1")
        let person = try #require(try persons().first)
        #expect(person["label"] as? String == "squat" && (person["set"] as? [String: Any])?["reps"] as? Int == 1)
        #expect(feed.state(of: "rack1").since == LiveFixture.origin + 2)
    }

    @Test func `what the page shows at once counts as a change, and another frame does not`() {
        feed.receive(LiveFixture.result(at: 1), camera: "rack1")
        var changes = feed.changes(of: "rack1")
        #expect(changes > 0)
        feed.receive(LiveFixture.result(at: 1.1), camera: "rack1")
        #expect(feed.changes(of: "rack1") == changes)
        for result in [
            LiveFixture.result(at: 2, predictions: [LiveFixture.prediction()]),
            LiveFixture.result(at: 3, events: [.started(LiveFixture.session([]))]),
            LiveFixture.result(at: 4, tracks: [1, 2]), LiveFixture.result(at: 5, tracks: []),
        ] {
            feed.receive(result, camera: "rack1")
            #expect(feed.changes(of: "rack1") > changes)
            changes = feed.changes(of: "rack1")
        }
        feed.close(LiveFixture.ending(), camera: "rack1")
        #expect(feed.changes(of: "rack1") > changes)
    }

    @Test func `a viewer gets every pose and window, and nothing of other cameras`() async throws {
        let (all, one) = (join(), join(camera: "rack1"))
        for viewer in [all, one] { #expect(try await events(viewer).map(\.name) == ["event: state"]) }
        feed.receive(LiveFixture.result(at: 2, predictions: [LiveFixture.prediction()]), camera: "rack1")
        feed.receive(LiveFixture.result(at: 2), camera: "rack2")
        for viewer in [all, one] { viewer.flush() }
        let (ofAll, ofOne) = (try await events(all), try await events(one))
        #expect(ofAll.map(\.name) == ["event: window", "event: pose", "event: pose"])
        #expect(ofOne.map(\.name) == ["event: window", "event: pose"])
        #expect(ofAll.compactMap { $0.data["camera"] as? String } == ["rack1", "rack1", "rack2"])
        #expect(ofOne.allSatisfy { $0.data["camera"] as? String == "rack1" })
        #expect(ofOne.last?.data["time"] as? Int64 == LiveFixture.milliseconds(2))
    }

    @Test func `a new viewer gets the windows of the last minute, oldest first`() async throws {
        for second in 0...100 {
            let prediction = LiveFixture.prediction(end: Double(second))
            feed.receive(
                LiveFixture.result(at: Double(second), predictions: [prediction]),
                camera: second % 2 == 0 ? "rack1" : "rack2")
        }
        let all = try await events(join()).dropFirst()
        // Each camera's own minute counts: rack2 has seen its last frame a second earlier.
        #expect(all.compactMap { $0.data["end"] as? Int64 } == (39...100).map { LiveFixture.milliseconds(Double($0)) })
        let one = try await events(join(camera: "rack2")).dropFirst()
        #expect(one.count == 31 && one.allSatisfy { $0.data["camera"] as? String == "rack2" })
    }

    @Test func `a viewer that has gone is forgotten`() async {
        let (gone, here) = (join(), join())
        gone.close()
        feed.receive(LiveFixture.result(at: 1), camera: "rack1")
        #expect(feed.currentViewers().map { ObjectIdentifier($0) } == [ObjectIdentifier(here)])
        #expect(await gone.next() == nil)
    }

    @Test func `a camera that ended shows nobody until it is back`() throws {
        feed.receive(LiveFixture.result(at: 1, predictions: [LiveFixture.prediction()]), camera: "rack1")
        feed.close(LiveFixture.ending(), camera: "rack1")
        #expect(feed.state(of: "rack1").hasEnded && feed.state(of: "rack1").time == nil)
        #expect(try persons().isEmpty)
        feed.receive(LiveFixture.result(at: 70), camera: "rack1")
        #expect(!feed.state(of: "rack1").hasEnded)
        #expect(try persons().map { $0["label"] as? String } == ["starting"])
    }

    @Test func `the end of a camera keeps the windows for the timeline`() async throws {
        feed.receive(LiveFixture.result(at: 1, predictions: [LiveFixture.prediction(end: 1)]), camera: "rack1")
        feed.close(LiveFixture.ending(), camera: "rack1")
        #expect(try await events(join()).map(\.name) == ["event: state", "event: window"])
    }

    @Test func `events of somebody who is not in view are no reason to fail`() throws {
        let session = LiveFixture.session([LiveFixture.set(1, from: 0, to: 1, reps: 1)], track: 9)
        feed.receive(
            LiveFixture.result(
                at: 2, tracks: [1],
                predictions: [LiveFixture.prediction(track: nil), LiveFixture.prediction(track: 8)],
                events: [.ended(session)]),
            camera: "rack1")
        #expect(try persons().map { $0["track"] as? Int } == [1])
    }

    @Test func `cameras on several threads do not mix`() async throws {
        let feed = feed
        let viewer = join()
        await withTaskGroup(of: Void.self) { group in
            for camera in 0..<4 {
                group.addTask {
                    for frame in 0..<200 {
                        feed.receive(LiveFixture.result(at: Double(frame), tracks: [camera]), camera: "rack\(camera)")
                    }
                }
            }
        }
        for camera in 0..<4 {
            #expect(try persons("rack\(camera)").map { $0["track"] as? Int } == [camera])
        }
        _ = try await events(viewer)
        viewer.flush()
        if viewer.hasWaiting { #expect(try await events(viewer).allSatisfy { $0.name == "event: pose" }) }
    }
}
