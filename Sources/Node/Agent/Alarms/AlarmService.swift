import Capture
import Foundation
import History
import Logging
import Messaging
import ServiceLifecycle

/// Stores the news of the alarm board, and tells the broker and the log.
///
/// An alarm is told at once, also while the disk fails. What could not be stored is tried again.
struct AlarmService: Service {
    private static let interval = Duration.milliseconds(250)

    let node: Node

    func run() async throws {
        await withTaskExecutorPreference(SerialTaskExecutor(label: "alarm")) {
            await cancelWhenGracefulShutdown { await watch() }
        }
    }

    private func watch() async {
        var unsaved: [String: Alarm] = [:]
        // Without the setting there is something to tell only where alarms of former runs are open.
        let open = node.alarms.open
        if node.configuration.alarm.enabled || !open.isEmpty { node.publisher?.alarms(open) }
        while !Task.isCancelled {
            pass(&unsaved)
            do { try await Task.sleep(for: Self.interval) } catch { break }
        }
        // What the cameras saw last.
        pass(&unsaved)
    }

    private func pass(_ unsaved: inout [String: Alarm]) {
        let news = node.alarms.takeNews()
        for one in news {
            tell(one)
            unsaved[one.alarm.id] = one.alarm
        }
        if !news.isEmpty { node.publisher?.alarms(node.alarms.open) }
        // The storage reports its own problems.
        if !unsaved.isEmpty, (try? node.store.save(Array(unsaved.values))) != nil { unsaved = [:] }
    }

    private func tell(_ news: AlarmBoard.News) {
        let alarm = news.alarm
        node.publisher?.event(CameraEvent(news))
        switch news.kind {
        case .raised: node.logger.warning("\(alarm.camera): \(alarm.advice)")
        case .ended: node.logger.notice("\(alarm.camera): the person who lay on the floor is up again")
        case .acknowledged: node.logger.notice("\(alarm.camera): the alarm of a person on the floor is acknowledged")
        }
    }
}

extension CameraEvent {
    fileprivate init(_ news: AlarmBoard.News) {
        let alarm = news.alarm
        switch news.kind {
        case .raised:
            self.init(
                .personDown, camera: alarm.camera, ts: alarm.raised,
                seconds: alarm.raised.timeIntervalSince(alarm.since), reason: alarm.cause.rawValue, zone: alarm.zone)
        case .ended:
            self.init(.personUp, camera: alarm.camera, ts: alarm.ended ?? alarm.raised, zone: alarm.zone)
        case .acknowledged:
            self.init(
                .alarmAcknowledged, camera: alarm.camera, ts: alarm.acknowledged ?? alarm.raised, zone: alarm.zone)
        }
        self.alarm = alarm.id
    }
}
