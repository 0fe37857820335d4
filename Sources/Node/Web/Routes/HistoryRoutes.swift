import Foundation
import HTTPServing
import History
import Records
import TOMLSettings

/// The history, with the JSON of `spotter history … --json`.
struct HistoryRoutes {
    let status: NodeStatus

    var all: [Route] {
        [
            list("actions", csv: { _ in .actions }) { query, filter in
                try query.actions(filter).first(atMost: filter.limit)
            },
            list("days", csv: { _ in .days }) { query, filter in try query.newestDays(filter) },
            list("sessions", csv: CSVColumns.sessions(in:)) { query, filter in
                try collected { try query.sessions(filter.bounded, each: $0) }
            },
            list("sets", csv: CSVColumns.sets(in:)) { query, filter in
                try collected { try query.sets(filter.bounded, each: $0) }
            },
            list("zones", csv: { _ in .zones }) { [status] query, filter in
                let zones = status.node.configuration.zones.map { ($0.camera, $0.name) }
                return try query.zones(filter, configured: zones).first(atMost: filter.limit)
            },
            list("hours", csv: { _ in .occupancy(weekdays: false) }) { query, filter in
                try query.hours(filter).rows.first(atMost: filter.limit)
            },
            list("weekdays", csv: { _ in .occupancy(weekdays: true) }) { query, filter in
                try query.weekdays(filter).rows.first(atMost: filter.limit)
            },
            list("cameras", csv: CSVColumns.absences(in:)) { query, filter in
                try collected { try query.absences(filter.bounded, each: $0) }
            },
            list("alarms", csv: CSVColumns.alarms(in:)) { query, filter in
                try collected { try query.alarms(filter.bounded, each: $0) }
            },
            list("predictions", csv: CSVColumns.predictions(in:)) { query, filter in
                try collected { try query.predictions(filter.bounded, each: $0) }
            },
            Route(.GET, "/api/v1/sessions/{id}", .role(.viewer), answer: session),
            Route(.GET, "/api/v1/sessions/{id}/predictions", .role(.viewer)) { request in
                let id = request.parameters["id"] ?? ""
                return try await status.answer(.long) { query in
                    guard try query.session(id) != nil else { throw WebFailure(try query.missingSession(id)) }
                    return try query.predictions(ofSession: id)
                }
            },
            Route(.POST, "/api/v1/sessions/{id}/delete", .role(.operator), answer: delete),
        ]
    }

    private func list<Row: Encodable & Sendable>(
        _ name: String, csv columns: @escaping @Sendable (TimeZone) -> CSVColumns<Row>,
        rows: @escaping @Sendable (HistoryQuery, HistoryFilter) throws -> (rows: [Row], count: RowCount)
    ) -> Route {
        Route(.GET, "/api/v1/history/\(name)", .role(.viewer)) { [status] request in
            let typed = try request.typedZone()
            let zone = typed ?? status.timeZone
            try request.checkFilters(of: name)
            let filter = try HistoryFilter(request, zone: zone)
            guard try request.asksForCSV() else {
                return try await status.answerList(zone: typed) { try rows($0, try status.known(filter, $0)) }
            }
            return try await status.query(.long) { query in
                let filter = try status.known(filter.ofFile, query)
                return try HTTPResponse(csv: columns(zone), of: try rows(query, filter), name: name, zone: zone)
            }
        }
    }

    private func session(_ request: WebRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        return try await status.answer { query in
            guard let session = try query.session(id) else { throw WebFailure(try query.missingSession(id)) }
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
        guard try request.body(Body.self).confirm == id else {
            throw WebFailure(.badRequest, "not_confirmed", "Repeat the session's id as 'confirm' to delete it.")
        }
        switch try await status.change({ try $0.deleteSession(id, wall: Date()) }) {
        case .unknown(let missing): throw WebFailure(missing)
        case .open:
            throw WebFailure(.conflict, "session_open", "The session is still going on: wait until it has ended.")
        case .deleted:
            status.node.logger.notice("the page deleted the session \(id)")
            status.node.publisher?.recordsAvailable()
            return try WebResponse.json(Answer(session: id))
        }
    }

}

extension NodeStatus {
    /// The filter with its names as they are written.
    ///
    /// - Throws: ``WebFailure`` for a name that nothing is known of, with the nearest one.
    func known(_ filter: HistoryFilter, _ query: HistoryQuery) throws -> HistoryFilter {
        do {
            return try filter.resolved(query) {
                HistoryNames(
                    labels: node.classifier.description.labels, cameras: cameraIDs,
                    zones: node.configuration.zones.map(\.name))
            }
        } catch let unknown as KnownName.Unknown {
            throw WebFailure(.notFound, "unknown_\(unknown.kind)", WebFailure.sentence("\(unknown)"))
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

extension WebRequest {
    /// Refuses what the API's description of a list leaves out: what its rows do not have, and what is mistyped.
    func checkFilters(of list: String) throws {
        let path = "/api/v1/history/\(list)"
        let described = APIDescription.all.first { $0.path == path }?.query.map(\.name) ?? []
        let known = (APIDescription.span + [APIDescription.zone]).map(\.name)
        for name in queryNames where !described.contains(name) {
            if known.contains(name) { throw WebFailure.unsuited(name, to: list) }
            throw WebFailure.unknownOption(name, of: list, among: described)
        }
    }

    /// The time zone that an address asks for: `tz=Europe/Berlin`. `nil` for none.
    func typedZone() throws -> TimeZone? {
        guard let name = query("tz") else { return nil }
        guard let zone = TimeZoneName.zone(name) else { throw WebFailure.invalid("tz", TextRule.zoneExpected(name)) }
        return zone
    }
}

extension WebFailure {
    static func invalid(_ name: String, _ expected: String) -> WebFailure {
        WebFailure(.badRequest, "invalid_\(name)", "'\(name)' takes \(expected).")
    }

    /// The refusal of what the rows of a list do not have.
    static func unsuited(_ name: String, to list: String) -> WebFailure {
        WebFailure(.badRequest, "invalid_\(name)", "'\(name)' does not suit \(list): leave it away.")
    }

    /// The refusal of an option that no list has.
    static func unknownOption(_ name: String, of list: String, among known: [String]) -> WebFailure {
        let nearest = NearestName.of(name, among: known).map { "did you mean '\($0)'?" }
        let advice = nearest ?? "\(list) takes \(known.joined(separator: ", "))."
        return WebFailure(.badRequest, "unknown_option", "There is no option '\(name.prefix(40))': \(advice)")
    }

    init(_ missing: MissingSession) {
        self.init(.notFound, "unknown_session", Self.sentence(missing.description))
    }

    /// An error's text as a sentence.
    static func sentence(_ text: String) -> String {
        "\(text.prefix(1).uppercased())\(text.dropFirst())" + (text.last == "?" || text.last == "." ? "" : ".")
    }
}

/// All rows that a query passes on, and how many there are.
private func collected<Row>(
    _ query: ((Row) throws -> Void) throws -> RowCount
) throws -> (rows: [Row], count: RowCount) {
    var rows: [Row] = []
    let count = try query { rows.append($0) }
    return (rows, count)
}

extension HistoryFilter {
    /// The most rows of one answer.
    private static let maximumRows = 5000

    /// The same for lists that have no end.
    fileprivate var bounded: HistoryFilter {
        var filter = self
        filter.limit = limit ?? Self.maximumRows
        return filter
    }

    /// The same for a file, which has all rows or is refused.
    fileprivate var ofFile: HistoryFilter {
        var filter = self
        filter.limit = limit ?? HTTPResponse.maximumFileRows
        return filter
    }

    /// The filter of an address, which is that of the command line.
    init(_ request: WebRequest, zone: TimeZone) throws {
        let since = request.query("since") ?? request.query("last"), until = request.query("until")
        for (name, text) in [("since", since), ("until", until)] {
            guard let text, TypedMoment(text).date(in: zone) == nil else { continue }
            throw WebFailure.invalid(
                name, "a day (2026-11-21, today), a time (14:30, 2026-11-21 14:30) or a time ago (30m, 7d)")
        }
        let limit = try request.query("limit").map { text in
            guard let limit = Int(text), (1...Self.maximumRows).contains(limit) else {
                throw WebFailure.invalid("limit", "a number from 1 to \(Self.maximumRows)")
            }
            return limit
        }
        let now = Date()
        self.init(
            since: since.flatMap { TypedMoment($0).date(in: zone, now: now) },
            until: until.flatMap { TypedMoment($0).date(in: zone, endOfDay: true, now: now) },
            camera: request.query("camera"), action: request.query("action"), zone: request.query("zone"),
            limit: limit, timeZone: zone)
        if isReversed {
            throw WebFailure(.badRequest, "invalid_until", "The end is before the beginning: exchange since and until.")
        }
    }
}
