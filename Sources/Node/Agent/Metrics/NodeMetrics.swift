import Records
import Foundation
import History
import Messaging
import Poses

/// The node's metrics as a Prometheus page.
package struct NodeMetrics {
    let node: Node
    let reports: [String: CameraStatusBoard.Report]
    /// Gap records in the log at the start, and those added since.
    let gaps: Int

    /// - Parameter gaps: gap records in the log at the start, and those added since.
    package init(node: Node, reports: [String: CameraStatusBoard.Report], gaps: Int) {
        self.node = node
        self.reports = reports
        self.gaps = gaps
    }

    /// The page in Prometheus' text format.
    ///
    /// - Throws: `HistoryError` when the record log cannot be read.
    package func text() throws -> String {
        var page = PrometheusText()
        page.add(
            "spotter_build_info", .gauge, "The program and its model.",
            [(["version": Version.text, "model": node.classifier.name], 1)])
        addCameras(to: &page)
        addMessaging(to: &page)
        try addRecords(to: &page)
        addHost(to: &page)
        return page.text
    }

    private func addCameras(to page: inout PrometheusText) {
        let cameras = reports.sorted { $0.key < $1.key }
        let seconds = 1 / node.classifier.description.framesPerSecond
        page.add(
            "spotter_camera_up", .gauge, "Whether the camera delivers.",
            cameras.map { (["camera": $0], $1.step == nil ? 0 : 1) })
        page.add(
            "spotter_last_frame_timestamp_seconds", .gauge, "When the last frame was looked at.",
            cameras.compactMap { name, report in
                report.lastFrameAt.map { (["camera": name], $0.timeIntervalSince1970) }
            })
        page.add(
            "spotter_frames_total", .counter, "Frames, by result.",
            cameras.flatMap { name, report in
                [
                    ("processed", report.frames), ("skipped", report.skipped.count),
                    ("dropped", report.dropped),
                ].map { (["camera": name, "result": $0.0], Double($0.1)) }
            })
        page.add(
            "spotter_people", .gauge, "People in view.", cameras.map { (["camera": $0], Double($1.people)) })
        page.add(
            "spotter_action_seconds_total", .counter, "Time credited to each label.",
            cameras.flatMap { name, report in
                report.credited.sorted { $0.key < $1.key }.map {
                    (["camera": name, "action": $0.key], Double($0.value) * seconds)
                }
            })
        page.add(
            "spotter_sessions_total", .counter, "Sessions that ended.",
            cameras.flatMap { name, report in
                report.endedSessions.sorted { $0.key < $1.key }.map {
                    (["camera": name, "reason": $0.key], Double($0.value))
                }
            })
        page.addHistogram(
            "spotter_inference_seconds", "What finding the poses of a frame took.",
            cameras.map { name, report in
                let histogram = report.inference.histogram
                return (
                    ["camera": name], DurationHistogram.bounds, histogram.counts, histogram.count, histogram.sumSeconds
                )
            })
    }

    private func addMessaging(to page: inout PrometheusText) {
        guard let report = node.publisher?.report else { return }
        page.add("spotter_mqtt_connected", .gauge, "Whether the broker is connected.", report.isOnline ? 1 : 0)
        page.add(
            "spotter_mqtt_reconnects_total", .counter, "Connections after the first.", Double(report.reconnects))
    }

    private func addRecords(to page: inout PrometheusText) throws {
        let now = Date().timeIntervalSince1970
        let waiting = try node.waitingRecords()
        if node.publisher != nil {
            page.add(
                "spotter_outbox_pending", .gauge, "Records the receiver has not acknowledged.",
                waiting.map { (["consumer": $0], Double($1.count)) })
            page.add(
                "spotter_outbox_oldest_seconds", .gauge, "Age of the oldest of them.",
                waiting.map { name, pending in
                    let age = pending.oldestMilliseconds.map { max(0, now - Double($0) / 1000) }
                    return (["consumer": name], age ?? 0)
                })
        }
        page.add(
            "spotter_records_gap_total", .counter, "Declared losses in the record log.", Double(gaps))
    }

    private func addHost(to page: inout PrometheusText) {
        let store = node.store
        page.add(
            "spotter_db_bytes", .gauge, "Size of the database and its log.",
            Double(Host.bytes(of: store.path) + Host.bytes(of: store.path + "-wal")))
        page.add(
            "spotter_db_commits_total", .counter, "Transactions since the start.", Double(store.commits))
        page.add(
            "spotter_disk_written_bytes_total", .counter, "Bytes the process wrote to disks.",
            Host.writtenBytes.map(Double.init))
        page.add(
            "spotter_disk_free_bytes", .gauge, "Free space where the history lies.",
            Host.disk(at: store.path).map { Double($0.free) })
        page.add(
            "spotter_disk_size_bytes", .gauge, "Size of that disk.", Host.disk(at: store.path).map { Double($0.size) })
        page.add(
            "spotter_clock_synced", .gauge, "Whether the clock is synchronised.", ClockState.now() == .synced ? 1 : 0)
        page.add(
            "spotter_temperature_celsius", .gauge, "Temperature of the processor.", Host.sensors.temperatureCelsius)
        page.add(
            "spotter_throttled", .gauge, "Whether the firmware slows the processor down.",
            Host.sensors.throttling.map { $0.isActive ? 1 : 0 })
        page.add(
            "process_cpu_seconds_total", .counter, "Processor time used.", ProcessorTime.seconds())
        page.add(
            "process_resident_memory_bytes", .gauge, "Memory held.", Host.memoryMB.map { Double($0) * 1_048_576 })
    }
}
