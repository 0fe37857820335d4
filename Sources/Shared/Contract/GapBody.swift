import Foundation
import Records

/// The `body` of a gap record: positions whose records are lost.
public struct GapBody: Sendable, Codable, Equatable {
    /// The first lost position.
    public var fromSeq: Int64
    /// The last lost position.
    public var toSeq: Int64
    /// Why they are lost: `retention` or `corruption`.
    public var reason: String
    /// The number of lost records.
    public var records: Int
    /// The epoch of the positions; `nil` if it is the envelope's.
    public var epoch: String?

    /// A gap of these values.
    package init(fromSeq: Int64, toSeq: Int64, reason: String, records: Int, epoch: String? = nil) {
        (self.fromSeq, self.toSeq, self.reason) = (fromSeq, toSeq, reason)
        (self.records, self.epoch) = (records, epoch)
    }

    enum CodingKeys: String, CodingKey {
        case reason, records, epoch
        case fromSeq = "from_seq"
        case toSeq = "to_seq"
    }
}

extension GapBody {
    /// Parses a body; `nil` for text that is none.
    package init?(json: String) {
        guard let body = try? JSONDecoder().decode(GapBody.self, from: Data(json.utf8)) else { return nil }
        self = body
    }
}

extension GapBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("from_seq", .required(.position)), ("to_seq", .required(.integer(minimum: 0, maximum: Int64.max - 2))),
        ("reason", .required(.text(words: ["retention", "corruption"], limit: .word))), ("records", .required(.count)),
        ("epoch", .optional(.uuid, "Where the positions are of another epoch than the envelope's.")),
    ])
}
