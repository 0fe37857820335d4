import Agent
import Contract
import Foundation
import HTTPServing
import History
import Records

/// What a member sees who has logged in with a code: their own workouts, records and rows of weeks. They may enter load and
/// exertion for their sets of today, and change nothing else.
struct MemberRoutes {
    /// The workouts that are listed.
    private static let maximumRows = 50

    let status: NodeStatus
    let access: AccessControl

    var all: [Route] {
        [
            Route(.POST, "/api/v1/member/login", .open, answer: logIn),
            Route(.POST, "/api/v1/member/logout", .open) { _ in
                var response = WebResponse.json("{}")
                response.headers[.setCookie] = MemberCookie.clearingHeader
                return response
            },
            Route(.GET, "/api/v1/member", .member, answer: overview),
            Route(.GET, "/api/v1/member/workouts/{id}/fit", .member) { request in
                let id = request.parameters["id"] ?? ""
                _ = try await status.query { try own(id, request, $0) }
                return try await status.file(ofWorkout: id)
            },
            Route(.POST, "/api/v1/member/workouts/{id}/steps/{step}/effort", .member, answer: enterEffort),
        ]
    }

    private func logIn(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let nickname, code: String }
        let body = try request.body(Body.self)
        let cookie = try await access.logIn(nickname: body.nickname, code: body.code, request.http)
        var response = WebResponse.json("{}")
        response.headers[.setCookie] = cookie
        return response
    }

    /// A workout with the sets of its steps.
    private struct OwnWorkout: Encodable {
        let row: WorkoutRow
        let sets: [StepSet]
        /// Whether load and exertion may be entered.
        let isToday: Bool

        enum CodingKeys: String, CodingKey {
            case sets
            case isToday = "today"
        }

        func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(sets, forKey: .sets)
            try container.encode(isToday, forKey: .isToday)
        }
    }

    private struct Overview: Encodable {
        let nickname, timeZone: String
        /// The exercises' names for people.
        let names: [String: String]
        /// `nil` before the first workout.
        let records: PersonalRecords?
        /// The newest ones, and how many there are.
        let workouts: [OwnWorkout]
        let found: Int

        enum CodingKeys: String, CodingKey {
            case nickname, names, records, workouts, found
            case timeZone = "time_zone"
        }
    }

    private func overview(_ request: WebRequest) async throws -> HTTPResponse {
        guard let member = request.member else { throw WebFailure.noMember }
        let (zone, names) = (status.timeZone, status.node.classifier.description.displayNames)
        return try await status.query(.long) { query in
            let rows = try query.workouts(WorkoutFilter(name: member.name, limit: Self.maximumRows))
            let workouts = try rows.map { row in
                let isToday = isToday(row)
                let sets = isToday ? try query.stepSets(of: row) : try query.stepSets(ofWorkouts: [row.id])[row.id]
                return OwnWorkout(row: row, sets: sets ?? [], isToday: isToday)
            }
            let records = try query.personalRecords(of: member.name, now: Date(), zone: zone)
            return try WebResponse.json(
                Overview(
                    nickname: member.nickname, timeZone: zone.identifier, names: names, records: records,
                    workouts: workouts, found: try query.workoutCount(WorkoutFilter(name: member.name))))
        }
    }

    /// Whether a workout began on the present day of the gym.
    private func isToday(_ row: WorkoutRow) -> Bool {
        let calendar = Calendar.gregorian(in: status.timeZone)
        return Timestamp.date(text: row.body.start).map(calendar.dayText) == calendar.dayText(of: Date())
    }

    /// The member's workout; one of somebody else is as unknown as none.
    private func own(_ id: String, _ request: WebRequest, _ query: HistoryQuery) throws -> WorkoutRow {
        guard let member = request.member else { throw WebFailure.noMember }
        guard let row = try query.workout(id), let name = row.body.name, member.isCalled(name) else {
            throw WebFailure(.notFound, "unknown_workout", "You have no workout '\(id)'.")
        }
        return row
    }

    private func enterEffort(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable {
            let loadKg, rpe: Double?

            enum CodingKeys: String, CodingKey {
                case rpe
                case loadKg = "load_kg"
            }
        }
        let body = try request.body(Body.self)
        let (id, step) = (request.parameters["id"] ?? "", Int(request.parameters["step"] ?? ""))
        guard body.loadKg != nil || body.rpe != nil else {
            throw WebFailure(.badRequest, "no_effort", "Send 'load_kg' or 'rpe'.")
        }
        let set = try await status.query { query in
            let row = try own(id, request, query)
            guard isToday(row) else {
                throw WebFailure(.forbidden, "not_today", "Only sets of today can be changed: ask at the desk.")
            }
            guard let set = try query.stepSets(ofWorkouts: [id])[id]?.first(where: { $0.step == step }) else {
                throw WebFailure(
                    .notFound, "unknown_set",
                    "No set was recognised for this step alone, so nothing can be entered for it: ask at the desk.")
            }
            return set
        }
        try await CorrectionRoutes(status: status).change(
            set: set.set, of: set.session, to: .to(loadKg: body.loadKg, rpe: body.rpe), known: nil)
        return try await status.answer { query in
            let row = try own(id, request, query)
            return OwnWorkout(row: row, sets: try query.stepSets(of: row), isToday: true)
        }
    }
}
