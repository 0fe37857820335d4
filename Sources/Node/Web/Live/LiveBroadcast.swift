import Foundation
import Records

/// Sends the viewers what waits for them, and what changes slower than the poses: counts, labels, rates, totals.
struct LiveBroadcast {
    /// At the rate of most cameras, in one piece for all cameras: each piece costs a system call for each viewer.
    private static let interval = Duration.milliseconds(33)
    /// While nobody looks.
    private static let idleInterval = Duration.milliseconds(250)
    /// At most five events a second and camera.
    private static let cameraInterval = Duration.milliseconds(200)
    /// So often a camera's state is told where it does not change. A stream is never silent for a second, however the times of
    /// the loop fall.
    private static let unchangedInterval = Duration.milliseconds(750)
    private static let keepAliveInterval = Duration.seconds(5)

    let feed: LiveFeed
    let status: NodeStatus

    /// Runs until the task is cancelled, and then ends all streams.
    func run() async {
        async let totals: Void = refreshTotals()
        await send()
        await totals
    }

    /// Keeps the totals new while a person looks, beside the loop that sends: a slow disk must not hold up the poses.
    private func refreshTotals() async {
        while !Task.isCancelled {
            if !feed.currentViewers().isEmpty { await status.refreshTotals() }
            do { try await Task.sleep(for: NodeStatus.totalsAge) } catch { return }
        }
    }

    private func send() async {
        defer { feed.closeAll() }
        var sent: [String: (changes: Int, at: ContinuousClock.Instant)] = [:]
        var lastKeepAlive = ContinuousClock.now, lastLoss = ContinuousClock.now
        var viewers: [Viewer] = []
        while true {
            do { try await Task.sleep(for: viewers.isEmpty ? Self.idleInterval : Self.interval) } catch { return }
            viewers = feed.currentViewers()
            guard !viewers.isEmpty else { continue }
            let now = ContinuousClock.now
            for camera in status.cameraIDs { tell(viewers, of: camera, now, &sent) }
            if now - lastLoss >= .seconds(1) {
                lastLoss = now
                tellLosses(viewers)
            }
            if now - lastKeepAlive >= Self.keepAliveInterval {
                lastKeepAlive = now
                for viewer in viewers { viewer.offer(LiveEvent.keepAlive) }
            }
            for viewer in viewers where viewer.hasWaiting { viewer.flush() }
        }
    }

    /// Offers a camera's state when it has changed, and where it has not after a while.
    private func tell(
        _ viewers: [Viewer], of camera: String, _ now: ContinuousClock.Instant,
        _ sent: inout [String: (changes: Int, at: ContinuousClock.Instant)]
    ) {
        let changes = feed.changes(of: camera)
        if let last = sent[camera] {
            guard now - last.at >= (last.changes == changes ? Self.unchangedInterval : Self.cameraInterval) else {
                return
            }
        }
        sent[camera] = (changes, now)
        for (seesNames, viewers) in Dictionary(grouping: viewers, by: \.seesNames) {
            // Encoding fails only for numbers that JSON cannot hold, and there are none.
            guard let json = try? JSONText.encode(status.camera(camera, seesNames: seesNames)) else { return }
            let event = LiveEvent.bytes("camera", json: json)
            for viewer in viewers { viewer.offer(event, of: camera) }
        }
    }

    private func tellLosses(_ viewers: [Viewer]) {
        for viewer in viewers {
            let lost = viewer.takeLost()
            if lost > 0 { viewer.offer(LiveEvent.bytes("lost", json: "{\"frames\":\(lost)}")) }
        }
    }
}
