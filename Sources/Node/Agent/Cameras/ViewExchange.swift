import Actions
import Foundation
import Synchronization

/// Lets the cameras with overlapping views tell each other what they see of the same people; see ``SharedPeople``.
final class ViewExchange: Sendable {
    private let people: Mutex<SharedPeople>

    /// - Parameter overlaps: for each camera those whose views overlap with its own.
    /// - Returns: `nil` where no views overlap.
    init?(overlaps: [String: [String]]) {
        guard overlaps.contains(where: { !$0.value.isEmpty }) else { return nil }
        people = Mutex(SharedPeople(overlaps: overlaps))
    }

    /// See ``SharedPeople/exchange(_:of:camera:origin:)``.
    func exchange(
        _ result: RecognitionChain.FrameResult, of chain: inout RecognitionChain, camera: String, origin: Date
    ) -> RecognitionChain.FrameResult {
        people.withLock { $0.exchange(result, of: &chain, camera: camera, origin: origin) }
    }

    /// See ``SharedPeople/close(_:_:camera:)``.
    func close(
        _ chain: inout RecognitionChain, _ reason: Session.EndReason, camera: String
    ) -> [SessionEvent] {
        people.withLock { $0.close(&chain, reason, camera: camera) }
    }
}
