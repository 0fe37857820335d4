import Agent
import Configuration
import Foundation
import History
import Synchronization
import TemporaryFolder
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
            // And so it is after a restart.
            let reopened = try CameraSwitches(cameras(8), store: store)
            #expect((0..<8).filter { reopened.isOn("cam\($0)") } == [])
            for index in 0..<8 { try switches.set("cam\(index)", true) }
        }
    }
}
