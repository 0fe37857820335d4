import Actions
import Agent
import Foundation
import HTTPServing
import Logging
import Poses
import Synchronization

/// Records the prominent person of one camera as a labelled clip, after a countdown. One recording at a time.
///
/// Only poses are kept. Standing still before and after is cut off, as `spotter record` does it.
package final class CameraClipRecorder: ResultObserver {
    /// Frames per second of the clips.
    private static let rate = 30.0
    /// A pause of the camera that is longer ends the recording, since a clip has no gaps.
    private static let longestPause = 1.0
    /// How long after its time a recording waits for a camera that delivers no frames.
    static let patience = Duration.seconds(5)

    private struct Run {
        let id: Int
        let order: RecordingOrder
        let begins: ContinuousClock.Instant
        var recorder = ClipRecorder(rate: CameraClipRecorder.rate)
        var lastTime: Double?
        var isRecording: Bool { lastTime != nil }
    }

    private struct State {
        var run: Run?
        var count = 0
        var isSaving = false
        var last: RecordingStatus.Outcome?
    }

    private let library: ClipLibrary
    private let pool: WorkPool
    private let logger: Logger
    private let state = Mutex(State())

    /// A recorder that saves to a library.
    ///
    /// - Parameter pool: where files are written.
    package init(library: ClipLibrary, pool: WorkPool, logger: Logger) {
        (self.library, self.pool, self.logger) = (library, pool, logger)
    }

    // MARK: - Orders

    /// Starts the countdown.
    ///
    /// - Parameter now: when the countdown begins.
    /// - Returns: the recording's number.
    /// - Throws: ``WebFailure`` when another recording is going on, or there is no room.
    @discardableResult package func begin(_ order: RecordingOrder, now: ContinuousClock.Instant = .now) throws -> Int {
        try library.checkRoom()
        let id = try state.withLock { state in
            guard state.run == nil, !state.isSaving else {
                throw WebFailure(.conflict, "recording", "A recording is going on: wait for its end, or stop it.")
            }
            state.count += 1
            state.run = Run(id: state.count, order: order, begins: now + .seconds(order.countdown))
            state.last = nil
            return state.count
        }
        // The wait ends by itself, also when the camera is silent.
        let seconds = Double(order.countdown) + order.seconds + Self.patience / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.expire(id) }
        return id
    }

    /// Ends the recording. What was recorded is kept; a countdown is called off.
    package func stop() { end(nil, "The recording was called off before it began.") }

    /// Ends a recording whose time is over although its camera has not delivered enough frames.
    package func expire(_ id: Int) {
        guard state.withLock({ $0.run?.id == id }) else { return }
        end(nil, "The camera delivered no frames: check it, then record again.")
    }

    /// What is going on, and how the last recording ended.
    package func status(now: ContinuousClock.Instant = .now) -> RecordingStatus {
        state.withLock { state in
            guard let run = state.run else {
                return RecordingStatus(state: state.isSaving ? .saving : .idle, last: state.last)
            }
            let left = run.isRecording ? run.order.seconds - run.recorder.seconds : (run.begins - now) / .seconds(1)
            return RecordingStatus(
                state: run.isRecording ? .recording : .countdown, order: run.order,
                left: max(left, 0).rounded(decimals: 1), last: nil)
        }
    }

    // MARK: - What the cameras tell

    /// Takes a frame, if it belongs to a recording.
    package func receive(_ result: CameraResult, camera: String) {
        let frame = result.frameResult.frame
        enum Next { case goOn, finish, fail }
        let next = state.withLock { state -> Next in
            guard let run = state.run, run.order.camera == camera, result.now >= run.begins else { return .goOn }
            // A recording that begins anew, or a camera that hung.
            if let last = run.lastTime, !(0..<Self.longestPause).contains(frame.time - last) { return .fail }
            state.run?.lastTime = frame.time
            state.run?.recorder.add(frame)
            return (state.run?.recorder.seconds ?? 0) >= run.order.seconds ? .finish : .goOn
        }
        switch next {
        case .goOn: break
        case .finish: end(camera, "")
        case .fail: fail(camera, "The camera paused, so nothing was kept: record again.")
        }
    }

    /// Ends the recording of a camera that has ended.
    package func close(_ ending: CameraEnding, camera: String) {
        fail(
            camera,
            ending.isLost
                ? "The camera was lost, so nothing was kept: check its cable, then record again."
                : "The camera was switched off or its recording ended, so nothing was kept.")
    }

    // MARK: - The end

    private func fail(_ camera: String, _ message: String) {
        state.withLock { state in
            guard state.run?.order.camera == camera else { return }
            state.run = nil
            state.last = RecordingStatus.Outcome(message: message)
        }
    }

    /// Keeps what was recorded.
    ///
    /// - Parameters:
    ///   - camera: whose recording; `nil` for any.
    ///   - excuse: the message when nothing was recorded.
    private func end(_ camera: String?, _ excuse: String) {
        let run = state.withLock { state -> Run? in
            guard let run = state.run, camera == nil || run.order.camera == camera else { return nil }
            state.run = nil
            if run.isRecording { state.isSaving = true } else { state.last = RecordingStatus.Outcome(message: excuse) }
            return run.isRecording ? run : nil
        }
        guard let run else { return }
        let (order, whole) = (run.order, run.recorder.clip())
        // Writing takes too long for the camera's executor.
        Task {
            // Only the end of the node calls it off.
            let outcome = try? await pool.change(.long, mustHappen: true) { [self] in save(whole, order) }
            state.withLock { state in
                state.last = outcome
                state.isSaving = false
            }
        }
    }

    private func save(_ whole: LabelledClip?, _ order: RecordingOrder) -> RecordingStatus.Outcome {
        guard let whole else {
            return .init(message: "Nobody was seen: check that the whole person is in the picture, then record again.")
        }
        // Only a label without motion may hold still.
        guard let kept = order.label == "none" ? whole : StillnessTrim.trimmed(whole) else {
            return .init(message: "There was no motion to keep. To show people who do nothing, use the label 'none'.")
        }
        do {
            let name = try ClipName(label: order.label, person: order.person, at: Date())
            try library.save(kept.with(label: name.label), as: name)
            logger.notice("the page recorded a clip of \(name.label)")
            let cut = max(whole.seconds - kept.seconds, 0).rounded(decimals: 1)
            return .init(clip: name.id, figures: ClipFigures(kept), still: cut)
        } catch {
            logger.error("the clip cannot be written: \(error)")
            return .init(message: "The clip cannot be written; the node's log says why.")
        }
    }
}
