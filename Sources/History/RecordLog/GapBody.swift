import Foundation

/// The `body` of a gap record: records that will never come.
public struct GapBody: Sendable, Codable, Equatable {
    public var fromSeq: Int64
    public var toSeq: Int64
    /// `retention` or `corruption`.
    public var reason: String
    public var records: Int
    /// The epoch the positions belong to, where it is not the envelope's.
    public var epoch: String?

    enum CodingKeys: String, CodingKey {
        case reason, records, epoch
        case fromSeq = "from_seq"
        case toSeq = "to_seq"
    }
}

extension GapBody {
    /// `nil` for text that is no gap's body.
    init?(json: String) {
        guard let body = try? JSONDecoder().decode(GapBody.self, from: Data(json.utf8)) else { return nil }
        self = body
    }
}
