import Actions
import Agent
import Foundation
import Records
import Synchronization

/// Passes what the cameras see on to the viewers. Without viewers it only remembers the last minute.
package final class LiveFeed: ResultObserver {
    /// How long the windows of the timeline are remembered.
    private static let rememberedSeconds = 60.0

    fileprivate struct Camera {
        var people: [Int: PersonProgress] = [:]
        var tracks: [Int] = []
        var prominent: Int?
        var size: (width: Int, height: Int)?
        var time: Date?
        /// The windows of the last minute, as events.
        var windows: [(end: Date, event: [UInt8])] = []
        var hasEnded = false
        /// Grows with every change that the page shows at once.
        var changes = 0
    }

    private let labels: [String]
    private let cameras = Mutex<[String: Camera]>([:])
    private let viewers = Mutex<[Viewer]>([])

    /// - Parameter labels: the model's labels, in the order of its probabilities.
    package init(labels: [String]) { self.labels = labels }

    /// The people of one camera.
    package struct CameraState {
        /// The people in the newest frame.
        package var persons: [CameraLive.Person] = []
        /// When the label of the prominent person last changed; of the first person where nobody is prominent.
        package var since: Date?
        /// The size of its pictures in pixels.
        package var size: (width: Int, height: Int)?
        /// The time of the newest frame.
        package var time: Date?
        /// Whether it has ended and was not seen since.
        package var hasEnded = false
    }

    // MARK: - What the cameras tell

    /// Takes over a frame, and offers it to the viewers.
    package func receive(_ result: CameraResult, camera: String) {
        let (frame, date) = (result.frameResult.frame, result.date)
        let windows = result.frameResult.predictions.compactMap { prediction in
            // Encoding fails for numbers that JSON cannot hold; such a window is left out.
            (try? LiveEvent.window(prediction, camera: camera, labels: labels, date: date)).map {
                (end: date(prediction.end), event: $0)
            }
        }
        cameras.withLock { $0[camera, default: Camera()].add(result, windows, keeping: Self.rememberedSeconds) }
        let watching = viewers.withLock { $0 }
        guard !watching.isEmpty else { return }
        let pose = LiveEvent.pose(frame, camera: camera, time: Timestamp.milliseconds(date(frame.time)))
        for viewer in watching {
            for window in windows { viewer.offer(window.event, of: camera) }
            viewer.offer(pose: pose, of: camera)
        }
    }

    /// Forgets the people of a camera that has ended.
    package func close(_ ending: CameraEnding, camera: String) {
        cameras.withLock { cameras in
            let changes = cameras[camera]?.changes ?? 0
            cameras[camera] = Camera(windows: cameras[camera]?.windows ?? [], hasEnded: true, changes: changes + 1)
        }
    }

    // MARK: - What the viewers get

    /// Grows with every change of a camera that the page shows at once.
    package func changes(of camera: String) -> Int { cameras.withLock { $0[camera]?.changes ?? 0 } }

    /// What is known of a camera now.
    package func state(of camera: String) -> CameraState {
        cameras.withLock { cameras in
            guard let camera = cameras[camera] else { return CameraState() }
            let now = camera.time ?? .distantPast
            return CameraState(
                persons: camera.tracks.compactMap { track in
                    camera.people[track]?.shown(track: track, isProminent: track == camera.prominent, now: now)
                },
                since: (camera.prominent ?? camera.tracks.first).flatMap { camera.people[$0]?.since },
                size: camera.size, time: camera.time, hasEnded: camera.hasEnded)
        }
    }

    /// The windows of the last minute, oldest first, as events.
    private func recentWindows(of camera: String?) -> [[UInt8]] {
        cameras.withLock { cameras in
            cameras.filter { camera == nil || $0.key == camera }.values.flatMap(\.windows)
                .sorted { $0.end < $1.end }.map(\.event)
        }
    }

    /// Adds a viewer.
    ///
    /// - Parameters:
    ///   - seesNames: whether it may get the names of people.
    ///   - first: the event to begin with.
    package func join(camera: String?, seesNames: Bool = false, first: [UInt8]) -> Viewer {
        let viewer = Viewer(camera: camera, seesNames: seesNames, first: [first] + recentWindows(of: camera))
        viewers.withLock { $0.append(viewer) }
        return viewer
    }

    /// Ends all streams. Who may go on comes back.
    package func closeAll() { for viewer in currentViewers() { viewer.close() } }

    /// The viewers that are still there.
    package func currentViewers() -> [Viewer] {
        viewers.withLock { viewers in
            viewers.removeAll(where: \.isClosed)
            return viewers
        }
    }
}

extension LiveFeed.Camera {
    /// Takes over what a frame shows.
    fileprivate mutating func add(
        _ result: CameraResult, _ new: [(end: Date, event: [UInt8])], keeping seconds: Double
    ) {
        let frame = result.frameResult.frame
        let now = result.date(of: frame.time)
        hasEnded = false
        time = now
        size = (frame.widthPixels, frame.heightPixels)
        if tracks != frame.tracks.map(\.id) || prominent != frame.prominent { changes += 1 }
        tracks = frame.tracks.map(\.id)
        prominent = frame.prominent
        for link in result.frameResult.links { people[link.to] = people.removeValue(forKey: link.from) }
        people = people.filter { tracks.contains($0.key) }
        for track in tracks where people[track] == nil { people[track] = PersonProgress(since: now) }
        for track in frame.tracks where people[track.id]?.zone != track.zone {
            people[track.id]?.zone = track.zone
            changes += 1
        }
        for prediction in result.frameResult.predictions {
            guard let track = prediction.track else { continue }
            people[track]?.add(prediction, at: result.date(of: prediction.end))
        }
        for event in result.frameResult.events { people[event.session.track]?.add(event) }
        if !result.frameResult.predictions.isEmpty || !result.frameResult.events.isEmpty { changes += 1 }
        windows.append(contentsOf: new)
        windows.removeAll { now.timeIntervalSince($0.end) > seconds }
    }
}
