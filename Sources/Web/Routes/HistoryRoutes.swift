import FlyingFox
import Foundation
import HTTPServing
import History
import Records

/// The history, with the JSON of `spotter history … --json`.
struct HistoryRoutes {
    /// The most rows of one answer.
    private static let maximumRows = 5000

    let status: NodeStatus

    var all: [Route] {
        [
            list("actions") { query, filters in try query.actions(filters.days) },
            list("days") { query, filters in try query.days(filters.days) },
            list("sessions") { query, filters in
                try collected { try query.sessions(filters.sessions, each: $0) } as [SessionRow]
            },
            list("sets") { query, filters in
                try collected { try query.sets(filters.sessions, each: $0) } as [SetRow]
            },
            list("zones") { query, filters in try query.zones(filters.days) },
            list("predictions") { query, filters in
                try collected { try query.predictions(filters.sessions, each: $0) } as [StoredPrediction]
            },
            Route(.GET, "/api/v1/sessions/{id}", .role(.viewer), answer: session),
            Route(.GET, "/api/v1/sessions/{id}/predictions", .role(.viewer)) { request in
                let id = request.parameters["id"] ?? ""
                return try await status.answer(.long) { try $0.predictions(ofSession: id) }
            },
            Route(.POST, "/api/v1/sessions/{id}/delete", .role(.operator), answer: delete),
        ]
    }

    private func list<Row: Encodable & Sendable>(
        _ name: String, rows: @escaping @Sendable (HistoryQuery, Filters) throws -> [Row]
    ) -> Route {
        Route(.GET, "/api/v1/history/\(name)", .role(.viewer)) { [status] request in
            let filters = try Filters(request, zone: status.timeZone, maximumRows: Self.maximumRows)
            return try await status.answer(.long) { try rows($0, filters) }
        }
    }

    private func session(_ request: WebRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        return try await status.answer { query in
            guard let session = try query.session(id) else { throw WebFailure.unknownSession(id) }
            let kept = try query.keptSets(ofSession: id)
            return SessionDetail(session: session, keptPoses: kept.isEmpty ? nil : kept)
        }
    }

    private func delete(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let confirm: String }
        struct Answer: Encodable {
            let session: String
            let deleted = true
        }
        let id = request.parameters["id"] ?? ""
        guard try await request.body(Body.self).confirm == id else {
            throw WebFailure(.badRequest, "not_confirmed", "Repeat the session's id as 'confirm' to delete it.")
        }
        switch try await status.change({ try $0.deleteSession(id, wall: Date()) }) {
        case .unknown: throw WebFailure.unknownSession(id)
        case .open:
            throw WebFailure(.conflict, "session_open", "The session is still going on: wait until it has ended.")
        case .deleted:
            status.node.logger.notice("the page deleted the session \(id)")
            status.node.publisher?.recordsAvailable()
            return try WebResponse.json(Answer(session: id))
        }
    }

}

/// One session as the page shows it: with the numbers of the sets that can be replayed.
private struct SessionDetail: Encodable {
    let session: SessionRow
    let keptPoses: [Int]?

    enum CodingKeys: String, CodingKey { case keptPoses = "kept_poses" }

    func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(keptPoses, forKey: .keptPoses)
    }
}

extension WebFailure {
    static func unknownSession(_ id: String) -> WebFailure {
        WebFailure(.notFound, "unknown_session", "There is no session '\(id)': it may have been deleted.")
    }
}

/// All rows that a query passes on.
private func collected<Row>(_ query: ((Row) throws -> Void) throws -> Void) throws -> [Row] {
    var rows: [Row] = []
    try query { rows.append($0) }
    return rows
}

/// The filters of an address, which are those of the command line.
private struct Filters {
    let sessions: SessionFilter
    let days: DayFilter

    init(_ request: WebRequest, zone: TimeZone, maximumRows: Int) throws {
        func invalid(_ name: String, _ expected: String) -> WebFailure {
            WebFailure(.badRequest, "invalid_\(name)", "'\(name)' takes \(expected).")
        }
        let zone =
            try request.query("tz").map { name in
                guard let zone = TimeZone(identifier: name) else {
                    throw invalid("tz", "a time zone such as Europe/Berlin")
                }
                return zone
            } ?? zone
        let since = request.query("since") ?? request.query("last"), until = request.query("until")
        for (name, text) in [("since", since), ("until", until)] {
            guard let text, TypedMoment(text).date(in: zone) == nil else { continue }
            throw invalid(name, "a day such as 2026-11-21 or a time ago such as 7d")
        }
        let limit = try request.query("limit").map { text in
            guard let limit = Int(text), (1...maximumRows).contains(limit) else {
                throw invalid("limit", "a number from 1 to \(maximumRows)")
            }
            return limit
        }
        let (camera, action, place) = (request.query("camera"), request.query("action"), request.query("zone"))
        sessions = SessionFilter(
            since: since.flatMap { TypedMoment($0).date(in: zone) },
            until: until.flatMap { TypedMoment($0).date(in: zone, endOfDay: true) }, camera: camera, action: action,
            zone: place, limit: limit ?? maximumRows)
        days = DayFilter(
            from: since.flatMap { TypedMoment($0).day(in: zone) },
            through: until.flatMap { TypedMoment($0).day(in: zone) }, camera: camera, action: action,
            zone: place, limit: limit, timeZone: zone)
    }
}
