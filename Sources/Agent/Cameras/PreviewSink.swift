import Foundation

/// Publishes skeletons on black while a command asks for them: once a second, drawn beside the chain.
struct PreviewSink: ResultSink {
    let camera: String
    let requests: RemotePreview
    let publish: @Sendable (CameraMessage) -> Void
    let warn: @Sendable (String) -> Void

    func receive(_ moment: CameraResult) {
        guard requests.isDue(camera, now: moment.now) else { return }
        requests.draw(moment.moment.frame, of: camera) { [publish, warn, camera] picture in
            switch picture {
            case .success(let jpeg): publish(.preview(jpeg))
            case .failure(let error): warn("no preview of \(camera): \(error)")
            }
        }
    }

    func close(_ ending: CameraEnding) {}
}
