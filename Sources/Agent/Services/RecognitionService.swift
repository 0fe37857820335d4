import Capture
import ServiceLifecycle

/// Runs every camera until it ends or the node is stopped. What one of them cannot do does not stop the others.
struct RecognitionService: Service {
    let node: Node
    let reports: CameraStatusBoard
    let realtime: Bool
    /// Whether a camera that is not there at the start is waited for.
    let isPatient: Bool
    private let stopping = StopSignal()

    init(node: Node, reports: CameraStatusBoard, realtime: Bool, isPatient: Bool) {
        self.node = node
        self.reports = reports
        self.realtime = realtime
        self.isPatient = isPatient
    }

    /// - Throws: what the first camera that was given up failed by, when all others have ended too.
    func run() async throws {
        // A recording that is switched off is nothing to wait for; a camera may be switched on again.
        let cameras = node.configuration.cameras.filter { node.commands.switches.isOn($0.id) || $0.isEndless }
        node.commands.onSwitch { camera in
            node.describe()
            if !node.commands.switches.isOn(camera) { stopping.stop(camera) }
        }
        let first = await withGracefulShutdownHandler {
            await withTaskGroup(of: (any Error)?.self) { group in
                for camera in cameras {
                    group.addTask(executorPreference: InferenceExecutor(label: camera.id)) {
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
        var lives = CameraSupervisor(
            camera: camera, node: node, reports: reports, realtime: realtime, isPatient: isPatient, stopping: stopping)
        do {
            try await lives.run()
            return nil
        } catch {
            // Alone, it is the end, and whoever started the node hears of it.
            if count > 1 { lives.reportGivenUp(error) }
            return error
        }
    }
}

extension Configuration.Camera {
    /// Whether the source is a camera or a stream, as far as its name tells.
    var isEndless: Bool { source.hasPrefix("/dev/") || source.contains("://") }
}
