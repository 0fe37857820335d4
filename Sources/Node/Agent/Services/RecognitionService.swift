import Capture
import Configuration
import Foundation
import History
import ServiceLifecycle

/// Runs every camera until it ends or the node stops. A failure of one camera does not stop the others.
struct RecognitionService: Service {
    let node: Node
    let reports: CameraStatusBoard
    let realtime: Bool
    /// Whether to wait for a camera that is missing at the start.
    let isPatient: Bool
    private let stopping = StopSignal()
    private let load: SharedLoad

    init(node: Node, reports: CameraStatusBoard, realtime: Bool, isPatient: Bool) {
        self.node = node
        self.reports = reports
        self.realtime = realtime
        self.isPatient = isPatient
        load = node.configuration.sharedLoad()
    }

    /// - Throws: the first camera's error, once all other cameras have ended too.
    func run() async throws {
        // Recordings that are switched off are left out. Cameras stay, because they may be switched on later.
        let cameras = node.configuration.cameras.filter { node.commands.switches.isOn($0.id) || $0.isEndless }
        node.commands.onSwitch { camera in
            node.describe()
            if !node.commands.switches.isOn(camera) { stopping.stop(camera) }
        }
        if isPatient {
            node.writer.enqueue(.watched(cameras: node.configuration.cameras.map(\.id), at: Date()), now: .now)
        }
        let first = await withGracefulShutdownHandler {
            await withTaskGroup(of: (any Error)?.self) { group in
                for camera in cameras {
                    group.addTask(executorPreference: SerialTaskExecutor(label: camera.id)) {
                        await failure(of: camera, among: cameras.count)
                    }
                }
                return await group.reduce(nil) { $0 ?? $1 }
            }
        } onGracefulShutdown: {
            stopping.stopAll()
        }
        if let first { throw first }
    }

    private func failure(of camera: Configuration.Camera, among count: Int) async -> (any Error)? {
        var supervisor = CameraSupervisor(
            camera: camera, node: node, reports: reports, realtime: realtime, isPatient: isPatient, stopping: stopping,
            load: load)
        node.commands.sessionEnds.supervise(camera.id)
        defer { node.commands.sessionEnds.giveUp(camera.id) }
        do {
            try await supervisor.run()
            return nil
        } catch {
            // A single camera's error ends the run and is reported by the caller.
            if count > 1 { supervisor.reportGivenUp(error) }
            return error
        }
    }
}

extension Configuration.Camera {
    /// Whether the source is a camera or a stream, judged by its name.
    var isEndless: Bool { source.hasPrefix("/dev/") || source.contains("://") }
}
