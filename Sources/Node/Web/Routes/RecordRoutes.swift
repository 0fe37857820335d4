import Agent
import Foundation
import HTTPServing
import History
import Records
import Workouts

/// What people with a name have reached, the loads that are offered, and the codes of members. All of it for the operator.
struct RecordRoutes {
    let status: NodeStatus

    var all: [Route] {
        [
            Route(.GET, "/api/v1/history/records", .role(.operator), answer: records),
            Route(.GET, "/api/v1/sessions/{id}/loads", .role(.operator)) { request in
                let id = request.parameters["id"] ?? ""
                return try await status.answer { query in
                    guard let loads = try query.lastLoads(ofSession: id) else {
                        throw WebFailure(try query.missingSession(id))
                    }
                    return loads
                }
            },
            Route(.GET, "/api/v1/members", .role(.operator)) { _ in
                try await status.answer { try $0.memberCodes().map(Member.init) }
            },
            Route(.POST, "/api/v1/members/code", .role(.operator), answer: makeCode),
            Route(.POST, "/api/v1/members/remove", .role(.operator), answer: removeCode),
        ]
    }

    private struct Member: Encodable {
        let name, nickname: String
        let made: String

        init(_ code: MemberCode) {
            (name, nickname, made) = (code.name, code.nickname, Timestamp.text(code.made))
        }
    }

    private func records(_ request: WebRequest) async throws -> HTTPResponse {
        guard let name = request.query("name") else {
            throw WebFailure(.badRequest, "no_name", "Say whose records: '?name=…'.")
        }
        let zone = status.timeZone
        return try await status.query(.long) { query in
            guard let records = try query.personalRecords(of: name, now: Date(), zone: zone) else {
                throw WebFailure(.notFound, "unknown_name", "No workout has this name: the history lists the names.")
            }
            return try WebResponse.json(records)
        }
    }

    private func makeCode(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let name, nickname: String? }
        struct Answer: Encodable { let name, nickname, code: String }
        let body = try request.body(Body.self)
        guard let name = PersonName(body.name ?? ""),
            let nickname = PersonName(body.nickname.flatMap { $0.isEmpty ? nil : $0 } ?? name.text)
        else { throw WebFailure(.badRequest, "invalid_name", "Say for whom: \(PersonName.rule).") }
        let answer: Answer
        do {
            answer = try await status.change { store in
                let (digits, code) = try MemberCode.new(name: name, nickname: nickname, now: Date(), path: store.path)
                try store.store(code)
                return Answer(name: code.name, nickname: code.nickname, code: digits)
            }
        } catch let refusal as MemberCodeRefusal {
            throw WebFailure(.conflict, "code_refused", WebFailure.sentence(refusal.description))
        }
        status.node.logger.notice("the page made a member's code")
        return try WebResponse.json(answer)
    }

    private func removeCode(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let name: String }
        let name = try request.body(Body.self).name
        let wasThere = try await status.change { try $0.removeCode(of: name) }
        return try WebResponse.json(["removed": wasThere])
    }
}
