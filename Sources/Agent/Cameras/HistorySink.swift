import Actions
import History

/// Stores what one camera sees: predictions and sessions. Answers requests to end sessions with what it stored.
package struct HistorySink: ResultSink {
    private let camera: String
    private let writer: HistoryWriter
    private let reports: CameraStatusBoard
    private let sessionEnds: SessionEndRequests

    package init(
        camera: String, writer: HistoryWriter, reports: CameraStatusBoard, sessionEnds: SessionEndRequests
    ) {
        self.camera = camera
        self.writer = writer
        self.reports = reports
        self.sessionEnds = sessionEnds
    }

    package func receive(_ moment: CameraResult) {
        for prediction in moment.moment.predictions {
            writer.credit(prediction, camera: camera, wall: moment.date(of: prediction.end), now: moment.now)
        }
        let ended = store(moment.moment.events, now: moment.now)
        if moment.moment.endedSessions {
            sessionEnds.ended(camera, sessions: ended.sessions, batch: ended.batch, now: moment.now)
        }
    }

    package func close(_ ending: CameraEnding) {
        let ended = store(ending.events, now: ending.now)
        sessionEnds.ended(camera, sessions: ended.sessions, batch: ended.batch, now: ending.now)
        sessionEnds.end(camera)
    }

    /// - Returns: the sessions that ended, and the number of the batch that stores them; 0 when none did.
    private func store(_ events: [SessionEvent], now: ContinuousClock.Instant) -> (sessions: [String], batch: Int64) {
        var ended: [String] = []
        var batch: Int64 = 0
        for event in events {
            let number = writer.store(event, now: now)
            guard let reason = event.session.endReason, case .ended = event else { continue }
            ended.append(event.session.id)
            batch = number
            reports.update(camera) { $0.endedSessions[reason.rawValue, default: 0] += 1 }
        }
        return (ended, batch)
    }
}
