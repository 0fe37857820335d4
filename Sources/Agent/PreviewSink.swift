import Foundation
import Poses
import Synchronization

/// Draws skeletons on black while a command asks for them: once a second, beside the chain, one picture at a time.
struct PreviewSink: MomentSink {
    let camera: String
    let requests: RemotePreview
    let publish: @Sendable (CameraMessage) -> Void
    let warn: @Sendable (String) -> Void
    private let drawing = DrawingQueue()

    init(
        camera: String, requests: RemotePreview, publish: @escaping @Sendable (CameraMessage) -> Void,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.camera = camera
        self.requests = requests
        self.publish = publish
        self.warn = warn
    }

    func receive(_ moment: CameraMoment) {
        guard requests.isDue(camera, now: moment.now) else { return }
        let frame = moment.moment.frame
        let (tracks, width, height) = (frame.tracks, frame.widthPixels, frame.heightPixels)
        drawing.submit { [publish, warn, camera] in
            do {
                publish(.preview(try RemotePreview.picture(of: tracks, widthPixels: width, heightPixels: height)))
            } catch {
                warn("no preview of \(camera): \(error)")
            }
        }
    }

    func close(_ ending: CameraEnding) {}
}

/// One picture at a time; what comes while one is being drawn is left out.
private final class DrawingQueue: Sendable {
    private let queue = DispatchQueue(label: "preview", qos: .utility)
    private let isBusy = Atomic(false)

    func submit(_ draw: @escaping @Sendable () -> Void) {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else { return }
        queue.async { [self] in
            draw()
            isBusy.store(false, ordering: .releasing)
        }
    }
}
