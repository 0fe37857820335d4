import Synchronization

/// Follows the results of every camera, for example to show them on a page.
package protocol ResultObserver: Sendable {
    /// Called once for each frame, on the camera's executor; must not block.
    func receive(_ result: CameraResult, camera: String)
    /// Called once when a camera's pipeline has ended.
    func close(_ ending: CameraEnding, camera: String)
}

/// The observers of a node, which join before the cameras start.
package final class ResultObservers: Sendable {
    private let observers = Mutex<[any ResultObserver]>([])

    /// No observers.
    package init() {}

    /// Adds an observer of all pipelines that start from now on.
    package func add(_ observer: any ResultObserver) { observers.withLock { $0.append(observer) } }

    var all: [any ResultObserver] { observers.withLock { $0 } }
}

/// Passes one camera's results to the observers.
struct ObserverSink: ResultSink {
    let camera: String
    let observers: [any ResultObserver]

    func receive(_ result: CameraResult) { for observer in observers { observer.receive(result, camera: camera) } }

    func close(_ ending: CameraEnding) { for observer in observers { observer.close(ending, camera: camera) } }
}
