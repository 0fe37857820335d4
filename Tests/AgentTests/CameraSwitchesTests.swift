import Agent
import Configuration
import Foundation
import History
import Synchronization
import TestSupport
import Testing

@Suite struct CameraSwitchesTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("spotter.db").path)
    }

    private func cameras(_ count: Int) -> [Configuration.Camera] {
        (0..<count).map { index in
            var camera = Configuration.Camera()
            camera.id = "cam\(index)"
            return camera
        }
    }

    @Test func `switching off all cameras at once leaves none on`() throws {
        for _ in 0..<20 {
            let switches = try CameraSwitches(cameras(8), store: store)
            let errors = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { index in
                do { try switches.set("cam\(index)", false) } catch { errors.withLock { $0.append("\(error)") } }
            }
            #expect(errors.withLock { $0 } == [])
            #expect((0..<8).filter { switches.isOn("cam\($0)") } == [])
            // The same holds after a restart.
            let reopened = try CameraSwitches(cameras(8), store: store)
            #expect((0..<8).filter { reopened.isOn("cam\($0)") } == [])
            for index in 0..<8 { try switches.set("cam\(index)", true) }
        }
    }

    @Test func `switches of several threads are the same on disk and in memory`() async throws {
        let switches = try CameraSwitches(cameras(4), store: store)
        let errors = Happenings<String>()
        await onThreads(4) { thread in
            for index in 0..<8 {
                // Every thread switches every camera.
                do {
                    try switches.set("cam\((thread + index) % 4)", (thread ^ index) & 2 == 0)
                } catch {
                    errors.add("\(error)")
                }
            }
        }
        #expect(errors.all == [])
        let reopened = try CameraSwitches(cameras(4), store: store)
        for index in 0..<4 { #expect(reopened.isOn("cam\(index)") == switches.isOn("cam\(index)")) }
    }

    @Test func `a camera that was never configured is off`() throws {
        #expect(try !CameraSwitches(cameras(1), store: store).isOn("cam7"))
    }

    @Test func `a switch back to the configured state is not stored as an override`() throws {
        let switches = try CameraSwitches(cameras(2), store: store)
        try switches.set("cam0", false)
        #expect(switches.isOverridden("cam0") && !switches.isOverridden("cam1"))
        try switches.set("cam0", true)
        #expect(!switches.isOverridden("cam0") && switches.isOn("cam0"))
        #expect(try store.value(of: .cameraSwitches) == "{}")
    }

    @Test func `an override that equals the configured state is deleted`() throws {
        try CameraSwitches(cameras(1), store: store).set("cam0", false)
        var off = cameras(1)
        off[0].enabled = false
        #expect(try !CameraSwitches(off, store: store).isOverridden("cam0"))
    }

    @Test func `switches that cannot be read have the configured state`() throws {
        try store.write("nonsense", as: .cameraSwitches)
        #expect(try CameraSwitches(cameras(1), store: store).isOn("cam0"))
    }

    @Test func `a switch that cannot be stored is not applied`() throws {
        let switches = try CameraSwitches(cameras(1), store: store)
        try store.simulateReadOnly(true)
        #expect(throws: HistoryError.self) { try switches.set("cam0", false) }
        #expect(switches.isOn("cam0") && !switches.isOverridden("cam0"))
    }
}
