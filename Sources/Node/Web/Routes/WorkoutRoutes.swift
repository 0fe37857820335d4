import Agent
import Foundation
import HTTPServing
import History
import Messaging
import Records
import Workouts

/// Workouts: the plans, those that go on, starting and stopping, names, and the board of the day.
struct WorkoutRoutes {
    private static let usualRows = 20

    let status: NodeStatus

    var all: [Route] {
        [
            Route(.GET, "/api/v1/workouts", .role(.viewer), answer: overview),
            Route(.GET, "/api/v1/history/workouts", .role(.viewer), answer: past),
            Route(.GET, "/api/v1/workouts/{id}", .role(.viewer), answer: workout),
            Route(.POST, "/api/v1/workouts/start", .role(.operator), answer: start),
            Route(.POST, "/api/v1/workouts/{id}/stop", .role(.operator)) { request in
                try await status.carryOut(.workout(.stop(request.parameters["id"])))
            },
            Route(.POST, "/api/v1/workouts/{id}/skip", .role(.operator)) { request in
                try await status.carryOut(.workout(.skip(request.parameters["id"])))
            },
            Route(.POST, "/api/v1/workouts/{id}/pain", .role(.operator)) { request in
                struct Body: Decodable { let pain: Int }
                let pain = try request.body(Body.self).pain
                guard (0...10).contains(pain) else {
                    throw WebFailure(.badRequest, "invalid_arguments", "The pain is a number from 0 to 10.")
                }
                return try await status.carryOut(.workout(.answerPain(request.parameters["id"], pain: pain)))
            },
            Route(.POST, "/api/v1/names/delete", .role(.operator), answer: deleteName),
        ]
    }

    private struct Overview: Encodable {
        var plans: [Plan]
        var workouts: [Running]
        /// The best challenges of the day; `nil` where the board is switched off.
        var board: [WorkoutRow]?

        struct Plan: Encodable {
            var id: String
            var plan: WorkoutPlan?
            var error: String?
        }

        struct Running: Encodable {
            var camera: String
            var state: WorkoutState

            enum CodingKeys: String, CodingKey { case camera }

            func encode(to encoder: any Encoder) throws {
                try state.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(camera, forKey: .camera)
            }
        }
    }

    private func overview(_ request: WebRequest) async throws -> HTTPResponse {
        let workouts = status.node.workouts
        let plans = try await status.pool.ask(.short) { _ in
            workouts.library.entries.map { entry in
                switch entry.plan {
                case .success(let plan): Overview.Plan(id: entry.id, plan: plan)
                case .failure(let error): Overview.Plan(id: entry.id, error: "\(error)")
                }
            }
        }
        let seesNames = Self.seesNames(request)
        let running = status.cameraIDs.flatMap { camera in
            status.workouts(of: camera, seesNames: seesNames).map { Overview.Running(camera: camera, state: $0) }
        }
        let board = try await board()
        guard !seesNames else {
            return try WebResponse.json(Overview(plans: plans, workouts: running, board: board))
        }
        // A viewer gets neither plans that were prescribed nor files that cannot be read.
        return try WebResponse.json(
            Overview(
                plans: plans.filter { $0.plan?.isPrivate == false }, workouts: running,
                board: board?.filter { $0.body.nickname != nil && $0.body.isPrivate != true }.map(\.forEverybody)))
    }

    /// Only the operator sees names, private plans and pain.
    private static func seesNames(_ request: WebRequest) -> Bool { request.role == .operator }

    private func board() async throws -> [WorkoutRow]? {
        guard status.node.configuration.workouts.board else { return nil }
        let zone = status.timeZone
        guard let day = TypedMoment("0h").day(in: zone), let start = TypedMoment(day).date(in: zone) else { return [] }
        return try await status.query { try $0.board(since: start, until: .distantFuture) }
    }

    private func past(_ request: WebRequest) async throws -> HTTPResponse {
        let isFile = try request.asksForCSV()
        try request.checkFilters(of: "workouts")
        let typedZone = try request.typedZone()
        let zone = typedZone ?? status.timeZone
        let typed = try HistoryFilter(request, zone: zone)
        let name = request.query("name")
        let seesNames = Self.seesNames(request)
        guard seesNames || name == nil else {
            throw WebFailure(.forbidden, "forbidden", "Only the operator may ask for a name: log in as operator.")
        }
        let list: @Sendable (HistoryQuery) throws -> (rows: [WorkoutRow], count: RowCount) = { query in
            let known = try status.known(typed, query)
            let filter = WorkoutFilter(
                since: known.since, until: known.until, camera: known.camera, name: name, action: known.action,
                limit: known.limit ?? (isFile ? HTTPResponse.maximumFileRows : Self.usualRows))
            let rows = try query.workouts(filter).map { seesNames ? $0 : $0.forEverybody }
            return (rows, RowCount(shown: rows.count, found: try query.workoutCount(filter)))
        }
        guard isFile else { return try await status.answerList(zone: typedZone, list) }
        return try await status.query(.long) { query in
            try HTTPResponse(csv: .workouts(in: zone), of: try list(query), name: "workouts", zone: zone)
        }
    }

    private struct Detail: Encodable {
        var workout: WorkoutRow
        /// The last workout of the same name and plan; `nil` for none.
        var before: WorkoutRow?
        /// The sets of its steps, for the operator.
        var sets: [StepSet]?
    }

    private func workout(_ request: WebRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        let seesNames = Self.seesNames(request)
        return try await status.answer { query in
            guard let workout = try query.workout(id) else {
                throw WebFailure(.notFound, "unknown_workout", "There is no workout '\(id)': the history lists them.")
            }
            // The last time would tell that both are of the same person.
            guard seesNames else { return Detail(workout: workout.forEverybody) }
            return Detail(
                workout: workout, before: try query.workout(before: workout), sets: try query.stepSets(of: workout))
        }
    }

    /// Deletes a name everywhere on this node: see `spotter person forget`, which also looks at the broker.
    private func deleteName(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let name: String }
        let name = try request.body(Body.self).name
        guard PersonName(name) != nil else {
            throw WebFailure(.badRequest, "invalid_args", "'name' is no name: \(PersonName.rule).")
        }
        return try await status.carryOut(.workout(.deleteName(name)))
    }

    private func start(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable {
            let plan: String
            let camera: String?
            let name, nickname: String?
        }
        let body = try request.body(Body.self)
        if let camera = body.camera, !status.cameraIDs.contains(camera) { throw status.unknown(camera) }
        let (name, nickname) = (body.name ?? "", body.nickname ?? "")
        return try await status.carryOut(
            .workout(
                .start(
                    plan: body.plan, camera: body.camera, name: name.isEmpty ? nil : name,
                    nickname: nickname.isEmpty ? nil : nickname)))
    }
}
