import Foundation
import Records

/// Sends the viewers what changes slower than the poses: counts, labels, rates, totals.
struct LiveBroadcast {
    /// At most five events a second and camera.
    private static let interval = Duration.milliseconds(200)
    private static let keepAliveInterval = Duration.seconds(5)

    let feed: LiveFeed
    let status: NodeStatus

    /// Runs until the task is cancelled, and then ends all streams.
    func run() async {
        defer { for viewer in feed.currentViewers() { viewer.close() } }
        var sent: [String: (changes: Int, at: ContinuousClock.Instant)] = [:]
        var lastKeepAlive = ContinuousClock.now, lastLoss = ContinuousClock.now
        while true {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            let (viewers, now) = (feed.currentViewers(), ContinuousClock.now)
            guard !viewers.isEmpty else { continue }
            for camera in status.cameraIDs {
                let changes = feed.state(of: camera).changes
                if let last = sent[camera], last.changes == changes, now - last.at < .seconds(1) { continue }
                sent[camera] = (changes, now)
                guard let json = try? JSONText.encode(await status.camera(camera)) else { continue }
                let event = LiveEvent.bytes("camera", json: json)
                for viewer in viewers { viewer.offer(event, of: camera) }
            }
            if now - lastLoss >= .seconds(1) {
                lastLoss = now
                tellLosses(viewers)
            }
            if now - lastKeepAlive >= Self.keepAliveInterval {
                lastKeepAlive = now
                for viewer in viewers { viewer.offer(LiveEvent.keepAlive) }
            }
        }
    }

    private func tellLosses(_ viewers: [Viewer]) {
        for viewer in viewers {
            let lost = viewer.takeLost()
            if lost > 0 { viewer.offer(LiveEvent.bytes("lost", json: "{\"frames\":\(lost)}")) }
        }
    }
}
