import Foundation

/// What a camera has seen of a person whom another camera counts.
public struct ViewNews: Sendable, Equatable {
    /// Sets that have ended.
    public var sets: [SessionSet] = []
    /// Until when the person was exercising, as far as this camera knows; `nil` where nothing is new.
    public var activeUntil: Date?
    /// The id of a session that was told before it was known that both see one person; it becomes a part of the other's.
    public var absorbs: String?
    /// Whether this camera sees the person better.
    public var isBetter = false

    /// Nothing new.
    public init() {}
}

/// What a camera's chain has to do about a person whom another camera sees as well.
public enum ViewOrder: Sendable, Equatable {
    /// Another camera counts the person from now on.
    case leave(track: Int)
    /// No other camera counts the person any more. Their session goes on where the other camera has not taken it over.
    case comeBack(track: Int, goesOn: Bool)
    /// Another camera has seen this of a person whom this one counts.
    case take(ViewNews, track: Int)
}

extension ViewOrder {
    /// The person's number.
    var track: Int {
        switch self {
        case .leave(let track), .comeBack(let track, _), .take(_, let track): track
        }
    }
}
