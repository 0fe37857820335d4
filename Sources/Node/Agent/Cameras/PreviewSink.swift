import Foundation

/// Publishes a picture of the skeletons once a second while a command asks for it.
struct PreviewSink: ResultSink {
    let camera: String
    let requests: RemotePreview
    let publish: @Sendable (CameraMessage) -> Void
    let warn: @Sendable (String) -> Void

    func receive(_ result: CameraResult) {
        guard requests.isDue(camera, now: result.now) else { return }
        requests.draw(result.frameResult.frame, of: camera) { [publish, warn, camera] picture in
            switch picture {
            case .success(let jpeg): publish(.preview(jpeg))
            case .failure(let error): warn("no preview of \(camera): \(error)")
            }
        }
    }

    func close(_ ending: CameraEnding) {}
}
