import Foundation
import History
import Messaging
import Poses

/// Collects the health of a running node.
package struct NodeHealth: Sendable {
    let node: Node
    let reports: CameraStatusBoard
    private let started = ContinuousClock.now

    /// Uptime counts from here.
    package init(node: Node, reports: CameraStatusBoard) {
        self.node = node
        self.reports = reports
    }

    /// The current problems: the node's first, then the broker's, the machine's, then each camera's.
    package func problems() -> [Problem] {
        var problems = [node.storage.problem, node.commands.problem].compactMap { $0 }
        problems += node.publisher?.report.problems ?? []
        problems += node.machine.problems()
        problems += node.learning?.drifts.map(\.problem) ?? []
        for (_, camera) in reports.all.sorted(by: { $0.key < $1.key }) {
            problems += camera.problems.sorted { $0.key < $1.key }.map(\.value)
        }
        return problems
    }

    /// The most records that wait for one receiver; `nil` without a broker, and when they cannot be counted.
    var waitingRecords: Int? {
        guard node.publisher != nil else { return nil }
        return (try? node.waitingRecords())?.map(\.pending.count).max()
    }

    /// The health message.
    ///
    /// - Parameter processorPercent: the load of one core since the last message; `nil` when unknown.
    package func payload(_ problems: [Problem], processorPercent: Double?) -> HealthPayload {
        var payload = HealthPayload(
            ts: Date(), uptimeSeconds: Int((ContinuousClock.now - started).components.seconds), problems: problems,
            cams: reports.all.mapValues(Self.payload))
        payload.cpuPercent = processorPercent
        payload.memoryMB = Host.memoryMB
        payload.load1 = Host.load1
        payload.temperatureCelsius = Host.sensors.temperatureCelsius
        payload.throttled = Host.sensors.throttling?.isActive
        payload.commits = node.store.commits
        payload.writtenMB = Host.writtenMB
        payload.diskFreeMB = Host.diskFreeMB(at: node.store.path)
        payload.databaseMB = Host.megabytes(of: node.store.path)
        payload.walMB = Host.megabytes(of: node.store.path + "-wal")
        if let (connection, outbox) = try? node.publisher?.health(wall: Date()) {
            (payload.mqtt, payload.outbox) = (connection, outbox)
        }
        (payload.accuracy, payload.accuracyByCamera) = accuracy()
        let clock = ClockReading.now()
        payload.clock = HealthPayload.Clock(state: clock.state.rawValue, offsetMilliseconds: clock.offsetMs)
        return payload
    }

    /// How often the node is right, once there are enough answers. It stays away where it cannot be read.
    private func accuracy() -> (all: Accuracy?, byCamera: [Accuracy]?) {
        guard node.questions != nil, let sample = try? node.store.query.accuracySample(),
            let all = sample.rows().first, all.right != nil
        else { return (nil, nil) }
        return (all, sample.rows(by: .camera))
    }

    private static func payload(_ report: CameraStatusBoard.Report) -> HealthPayload.Camera {
        let silence = report.lastFrame.map { $0.duration(to: .now).seconds }
        // Rates cover the last 2 s, so they are zero after as long without a frame.
        let isSilent = silence.map { $0 > 2 } ?? true
        func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        return HealthPayload.Camera(
            fpsIn: isSilent ? 0 : tenths(report.arrivingHz), fpsProcessed: isSilent ? 0 : tenths(report.rateHz),
            stride: report.skipped.stride, skipped: report.skipped.count, dropped: report.dropped,
            peopleFPS: isSilent
                ? [:]
                : Dictionary(uniqueKeysWithValues: report.personHz.map { ("\($0.key)", tenths($0.value)) }),
            inferMillisecondsP50: tenths(report.inference.quantile(0.5).seconds * 1000),
            inferMillisecondsP95: tenths(report.inference.quantile(0.95).seconds * 1000),
            lastFrameSeconds: silence.map(tenths))
    }
}
