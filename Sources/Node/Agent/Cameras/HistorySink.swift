import Actions
import History

/// Stores one camera's predictions and sessions, and answers requests to end sessions.
package struct HistorySink: ResultSink {
    private let camera: String
    private let writer: HistoryWriter
    private let reports: CameraStatusBoard
    private let sessionEnds: SessionEndRequests
    private var occupancy: OccupancyMeter

    /// A sink for one camera's results.
    ///
    /// - Parameter floor: counts the people of all cameras.
    package init(
        camera: String, writer: HistoryWriter, reports: CameraStatusBoard, sessionEnds: SessionEndRequests,
        floor: FloorCount = FloorCount()
    ) {
        occupancy = OccupancyMeter(camera: camera, floor: floor)
        self.camera = camera
        self.writer = writer
        self.reports = reports
        self.sessionEnds = sessionEnds
    }

    /// Stores the predictions and session events of a frame, and how many people were seen.
    package mutating func receive(_ result: CameraResult) {
        let frame = result.frameResult.frame
        // What two cameras see at once is credited once.
        let doubles = result.frameResult.doubles
        let seen = occupancy.add(
            frame, doubles: doubles, waiting: result.frameResult.waiting, at: result.date(of: frame.time))
        if let seen { writer.add(seen.sum, to: seen.slot, now: result.now) }
        for link in result.frameResult.links {
            writer.link(link, camera: camera, since: result.date(of: link.since), now: result.now)
        }
        for prediction in result.frameResult.predictions where prediction.track.map(doubles.contains) != true {
            writer.credit(prediction, camera: camera, wall: result.date(of: prediction.end), now: result.now)
        }
        let ended = store(result.frameResult.events, now: result.now)
        if result.frameResult.endedSessions {
            sessionEnds.ended(camera, sessions: ended.sessions, batch: ended.batch, now: result.now)
        }
    }

    /// Stores the end of the open sessions, and tells ``SessionEndRequests`` that the pipeline has ended.
    package mutating func close(_ ending: CameraEnding) {
        if let seen = occupancy.close() { writer.add(seen.sum, to: seen.slot, now: ending.now) }
        let ended = store(ending.events, now: ending.now)
        sessionEnds.ended(camera, sessions: ended.sessions, batch: ended.batch, now: ending.now)
        sessionEnds.end(camera)
    }

    /// - Returns: the ids of the sessions that ended, and the number of the batch that stores them; 0 when none ended.
    private func store(_ events: [SessionEvent], now: ContinuousClock.Instant) -> (sessions: [String], batch: Int64) {
        var ended: [String] = []
        var batch: Int64 = 0
        for event in events {
            let number = writer.enqueue(event, now: now)
            guard let reason = event.session.endReason, case .ended = event else { continue }
            ended.append(event.session.id)
            batch = number
            reports.update(camera) { $0.endedSessions[reason.rawValue, default: 0] += 1 }
        }
        return (ended, batch)
    }
}
