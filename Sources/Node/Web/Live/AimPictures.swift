import Agent
import Capture
import Foundation
import HTTPServing
import Logging
import Synchronization

/// The pictures that an operator asks for to aim a camera: the newest of each camera, for a limited time.
///
/// Nothing is taken while nobody asks. A picture is only in memory, and is forgotten at the end.
package final class AimPictures: ResultObserver {
    /// How long one request lasts on a node.
    package static let usualSeconds = 300
    /// The least time between two pictures of a camera.
    package static let interval = Duration.milliseconds(500)
    /// Larger pictures are scaled down to this length of their longer side.
    package static let longerSidePixels = 640

    /// How long a camera's pictures go on.
    package struct Request: Sendable {
        /// Tells this request from later ones.
        package let id: Int
        /// When the pictures end, on the wall clock.
        package let until: Date
        /// Seconds that are left, from 1.
        package let seconds: Int
    }

    fileprivate struct Run {
        let id: Int
        let until: ContinuousClock.Instant
        let date: Date
        /// When the next picture is due.
        var next: ContinuousClock.Instant
        var jpeg: [UInt8] = []
    }
    private struct State {
        var runs: [String: Run] = [:]
        var count = 0
        var isEncoding = false
    }
    private let state = Mutex(State())
    private let logger: Logger
    private let lengthSeconds: Int
    private let encode: @Sendable (Image) throws -> [UInt8]
    private let pool: WorkPool

    /// No pictures.
    ///
    /// - Parameters:
    ///   - pool: where pictures are encoded, apart from the cameras' chains.
    ///   - lengthSeconds: how long one request lasts.
    ///   - encode: makes a JPEG of a camera's picture.
    package init(
        logger: Logger, pool: WorkPool, lengthSeconds: Int = usualSeconds,
        encode: @escaping @Sendable (Image) throws -> [UInt8] = {
            try StillEncoder.jpeg($0.scaled(toLongerSide: AimPictures.longerSidePixels))
        }
    ) {
        self.logger = logger
        self.pool = pool
        self.encode = encode
        self.lengthSeconds = lengthSeconds
    }

    // MARK: - What the operator asks for

    /// Starts the pictures of a camera. Those that are going on keep their end.
    ///
    /// - Parameters:
    ///   - now: the beginning.
    ///   - date: the same on the wall clock.
    @discardableResult
    package func start(_ camera: String, now: ContinuousClock.Instant = .now, date: Date = Date()) -> Request {
        end { $0 == camera && now >= $1.until }
        let (request, isNew) = state.withLock { state -> (Request, Bool) in
            if let run = state.runs[camera] { return (self.request(run, now), false) }
            state.count += 1
            let run = Run(
                id: state.count, until: now + .seconds(lengthSeconds), date: date + Double(lengthSeconds),
                next: now)
            state.runs[camera] = run
            return (self.request(run, now), true)
        }
        guard isNew else { return request }
        logger.notice("the page shows pictures of \(camera) for \(lengthSeconds / 60) minutes")
        // The end comes by itself, also when the camera is silent.
        DispatchQueue.global().asyncAfter(deadline: .now() + Double(lengthSeconds)) { [weak self] in
            self?.expire(request.id)
        }
        return request
    }

    private func request(_ run: Run, _ now: ContinuousClock.Instant) -> Request {
        let left = (run.until - now) / Duration.seconds(1)
        return Request(id: run.id, until: run.date, seconds: min(lengthSeconds, Int(left.rounded(.up))))
    }

    /// Ends the pictures of a camera.
    package func stop(_ camera: String) { end { name, _ in name == camera } }

    /// Ends the pictures of all cameras.
    package func stopAll() { end { _, _ in true } }

    /// Ends a request, if it still goes on.
    package func expire(_ id: Int) { end { $1.id == id } }

    /// What goes on for a camera; `nil` when no pictures are shown.
    package func request(of camera: String, now: ContinuousClock.Instant = .now) -> Request? {
        state.withLock { state in
            guard let run = state.runs[camera], now < run.until else { return nil }
            return request(run, now)
        }
    }

    /// A camera's newest picture as a JPEG; `nil` before the first, and when no pictures are shown.
    package func newest(of camera: String, now: ContinuousClock.Instant = .now) -> Data? {
        state.withLock { state in
            guard let run = state.runs[camera], now < run.until, !run.jpeg.isEmpty else { return nil }
            return Data(run.jpeg)
        }
    }

    // MARK: - What the cameras tell

    /// Takes the frame's picture when one is due.
    package func receive(_ result: CameraResult, camera: String) {
        enum Turn { case pass, over, take(Int) }
        let turn = state.withLock { state -> Turn in
            guard let run = state.runs[camera] else { return .pass }
            guard result.now < run.until else { return .over }
            // One at a time: while a picture is encoded, newer frames pass by, and the newest after it is taken.
            guard result.now >= run.next, !state.isEncoding, result.frameResult.frame.image != nil else { return .pass }
            state.runs[camera]?.next = result.now + Self.interval
            state.isEncoding = true
            return .take(run.id)
        }
        switch turn {
        case .pass: break
        case .over: end { $0 == camera && result.now >= $1.until }
        case .take(let id):
            if let image = result.frameResult.frame.image { keep(image, of: camera, for: id) }
        }
    }

    /// Ends the pictures of a camera that has ended.
    package func close(_ ending: CameraEnding, camera: String) { stop(camera) }

    /// Whether a picture is being encoded.
    package var isEncoding: Bool { state.withLock { $0.isEncoding } }

    private func keep(_ image: Image, of camera: String, for id: Int) {
        Task {
            do {
                let jpeg = try await pool.ask(.short) { [encode] _ in try encode(image) }
                // The request may have ended meanwhile.
                state.withLock { if $0.runs[camera]?.id == id { $0.runs[camera]?.jpeg = jpeg } }
            } catch is WebFailure {
                // The node has too much to do; the next one is due soon.
            } catch { logger.warning("no picture of \(camera): \(error)") }
            state.withLock { $0.isEncoding = false }
        }
    }

    /// Ends requests, and forgets their pictures.
    private func end(where isOver: (String, Run) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.runs.filter { isOver($0.key, $0.value) }.keys
            for camera in ended { state.runs[camera] = nil }
            return ended
        }
        for camera in ended { logger.notice("the page shows no more pictures of \(camera)") }
    }
}
