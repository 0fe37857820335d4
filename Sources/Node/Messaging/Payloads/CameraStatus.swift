import Foundation
import Records

/// The status of a camera, as its source reports it.
public struct CameraStatus: Sendable, Equatable {
    /// Whether the camera delivers frames, does not, or is switched off.
    public enum State: String, Sendable, Codable { case online, offline, disabled }

    /// Whether the camera delivers frames.
    public var state: State
    /// Why it is not online: `no_frames`, `busy`, `no_permission`, `unplugged`, `stalled`, …. `degraded` is possible
    /// while it is online.
    public var reason: String?
    /// Since when the status has been the same.
    public var since: Date
    /// The stable path under /dev/v4l/by-id; never the address of a stream.
    public var device: String?
    /// Seconds until the next attempt to open it; `nil` when none is planned.
    public var retryInSeconds: Int?

    /// A status with these values.
    public init(
        state: State, reason: String? = nil, since: Date, device: String? = nil, retryInSeconds: Int? = nil
    ) {
        self.state = state
        self.reason = reason
        self.since = since
        self.device = device
        self.retryInSeconds = retryInSeconds
    }
}

/// `cam/<camera>/status`: whether a camera delivers frames.
struct CameraStatusPayload: Codable, Equatable {
    var v = 1
    var state: CameraStatus.State
    var reason: String?
    var since: Date
    var device: String?
    var retryInSeconds: Int?
    var sid: Int64

    init(_ status: CameraStatus, sid: Int64) {
        state = status.state
        reason = status.reason
        since = status.since
        device = status.device
        retryInSeconds = status.retryInSeconds
        self.sid = sid
    }

    enum CodingKeys: String, CodingKey {
        case v, state, reason, since, device, sid
        case retryInSeconds = "retry_in_s"
    }
}

extension CameraStatusPayload {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion), ("state", .required(.text(words: ["online", "offline", "disabled"]))),
        ("reason", .optional(.words)), ("since", .required(.moment)), ("device", .optional(.words)),
        ("retry_in_s", .optional(.count)), ("sid", .connectionNumber),
    ])
}
