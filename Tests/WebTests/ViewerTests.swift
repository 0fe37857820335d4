import Testing
import Web

@Suite struct ViewerTests {
    private func viewer(camera: String? = nil, first: [String] = []) async -> Viewer {
        let viewer = Viewer(camera: camera, first: first.map { Array($0.utf8) })
        // What it begins with is sent at once.
        if !first.isEmpty { _ = await viewer.next() }
        return viewer
    }

    private func text(_ viewer: Viewer) async -> String? {
        await viewer.next().map { String(decoding: $0, as: UTF8.self) }
    }

    private func offer(_ text: String, to viewer: Viewer, of camera: String? = nil) {
        viewer.offer(Array(text.utf8), of: camera)
    }

    private func offer(pose text: String, to viewer: Viewer, of camera: String = "a") {
        viewer.offer(pose: Array(text.utf8), of: camera)
    }

    @Test func `what a stream begins with is sent at once, in one piece`() async {
        let viewer = Viewer(camera: nil, first: ["state,", "window,"].map { Array($0.utf8) })
        #expect(await text(viewer) == "state,window,")
        #expect(!viewer.hasWaiting && !viewer.isClosed)
    }

    @Test func `what is offered is sent with the next flush, events first`() async {
        let viewer = await viewer(first: ["state"])
        offer(pose: "p1,", to: viewer)
        offer("e1,", to: viewer)
        offer("e2,", to: viewer)
        #expect(viewer.hasWaiting)
        viewer.flush()
        #expect(await text(viewer) == "e1,e2,p1,")
        #expect(!viewer.hasWaiting)
    }

    @Test func `a slow viewer gets the newest poses of each camera, and learns how many it lost`() async {
        let viewer = await viewer(first: ["state"])
        for index in 0..<100 { offer(pose: "b\(index),", to: viewer, of: "b") }
        offer(pose: "a0,", to: viewer, of: "a")
        viewer.flush()
        let newest = (100 - Viewer.poseCapacity..<100).map { "b\($0)," }.joined()
        #expect(await text(viewer) == "a0," + newest)
        #expect(viewer.takeLost() == 100 - Viewer.poseCapacity)
        #expect(viewer.takeLost() == 0)
    }

    @Test func `at most 300 events wait, and the oldest is lost`() async throws {
        #expect(Viewer.capacity == 300)
        let viewer = await viewer(first: ["state"])
        for index in 0..<1000 { offer("\(index),", to: viewer) }
        viewer.flush()
        let waiting = try #require(await text(viewer)).split(separator: ",").map { Int($0) }
        #expect(waiting == Array(700..<1000))
        #expect(viewer.takeLost() == 700)
    }

    @Test func `a stream that begins with more than 300 events loses none of them, and does not grow`() async throws {
        let first = (0..<500).map { Array("\($0),".utf8) }
        let viewer = Viewer(camera: nil, first: first)
        for index in 500..<2000 { offer("\(index),", to: viewer) }
        let waiting = try #require(await text(viewer)).split(separator: ",").compactMap { Int($0) }
        #expect(waiting == Array(0..<500) + Array(1700..<2000))
        #expect(viewer.takeLost() == 1200)
    }

    @Test func `a viewer of one camera gets nothing of the others`() async {
        let viewer = await viewer(camera: "a", first: ["state"])
        offer("b,", to: viewer, of: "b")
        offer(pose: "pb,", to: viewer, of: "b")
        #expect(!viewer.hasWaiting)
        offer("a,", to: viewer, of: "a")
        offer("all,", to: viewer)
        offer(pose: "pa,", to: viewer, of: "a")
        viewer.flush()
        #expect(await text(viewer) == "a,all,pa,")
        #expect(viewer.takeLost() == 0)
    }

    @Test(.timeLimit(.minutes(10)))
    func `closing ends the stream of a waiting viewer, and of one with events`() async {
        // The pauses vary whether the other task waits already.
        for pause in 0..<100 {
            let viewer = await viewer(first: ["state"])
            let waiter = Task { await viewer.next() }
            for _ in 0..<pause { await Task.yield() }
            viewer.close()
            #expect(await waiter.value == nil && viewer.isClosed)
        }
        let viewer = await viewer(first: ["state"])
        offer("late", to: viewer)
        viewer.flush()
        viewer.close()
        #expect(await viewer.next() == nil)
        viewer.close()
        #expect(await viewer.next() == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a waiting viewer gets what is flushed`() async {
        for pause in 0..<100 {
            let viewer = await viewer(first: ["state"])
            let waiter = Task { await viewer.next() }
            for _ in 0..<pause { await Task.yield() }
            // A flush with nothing to send must not end the wait, or send nothing.
            viewer.flush()
            offer("event", to: viewer)
            viewer.flush()
            #expect(await waiter.value == Array("event".utf8))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `cancellation ends the wait, and closes the viewer`() async {
        for pause in 0..<100 {
            let viewer = await viewer(first: ["state"])
            let waiter = Task { await viewer.next() }
            for _ in 0..<pause { await Task.yield() }
            waiter.cancel()
            #expect(await waiter.value == nil && viewer.isClosed)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `nothing is lost between threads that offer and one that reads`() async {
        let viewer = await viewer(first: ["state"])
        let reader = Task { () -> Int in
            var bytes = 0
            while let piece = await viewer.next() { bytes += piece.count }
            return bytes
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1000 {
                        viewer.offer([1])
                        viewer.flush()
                    }
                }
            }
        }
        // The last flush may still wait for its reader.
        while viewer.hasWaiting { await Task.yield() }
        let lost = viewer.takeLost()
        viewer.close()
        #expect(await reader.value + lost == 4000)
    }
}
