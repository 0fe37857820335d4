import Actions
import Agent
import Synchronization

/// Advises on how the cameras stand, for those who ask. Nobody aims most of the time, so nothing is computed then.
final class AimWatch: ResultObserver {
    /// How long a question keeps the advice going; the page asks every second.
    private static let patience = Duration.seconds(10)

    private struct Watched {
        var adviser: AimAdviser
        var until: ContinuousClock.Instant
    }
    private let fresh: AimAdviser
    private let cameras = Mutex<[String: Watched]>([:])

    /// - Parameter fresh: an adviser that has seen nothing yet.
    init(_ fresh: AimAdviser) { self.fresh = fresh }

    func receive(_ result: CameraResult, camera: String) {
        cameras.withLock { cameras in
            guard let watched = cameras[camera] else { return }
            guard result.now < watched.until else { return cameras[camera] = nil }
            cameras[camera]?.adviser.watch(result.frameResult.frame)
        }
    }

    func close(_ ending: CameraEnding, camera: String) { cameras.withLock { $0[camera] = nil } }

    /// The advice of now. The first answer knows nothing yet.
    func advice(for camera: String, now: ContinuousClock.Instant = .now) -> AimAdvice {
        cameras.withLock { cameras in
            cameras[camera, default: Watched(adviser: fresh, until: now)].until = now + Self.patience
            return cameras[camera]?.adviser.advice ?? fresh.advice
        }
    }
}
