import Actions
import Agent
import Foundation
import HTTPServing
import History
import Records
import Testing
import Web
import Workouts

/// Members with a code, links to files, and records, over the page's server and a real database.
@Suite struct MemberRouteTests {
    private let fixture: NodeFixture
    private let node: Node
    private let router: Router
    private static let (today, earlier, other) = (id(1), id(2), id(3))

    private static let session = sessionId(0)

    private static func sessionId(_ number: Int) -> String { "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7b9\(number)" }

    private static func id(_ number: Int) -> String { "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a9\(number)" }

    /// A node with two workouts of Anna, one of them of this minute, and one of Ben.
    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node()
        router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        _ = try PasswordFile(folder: fixture.folder.url).generate(.operator)
        try add(Self.today, "Anna", at: Date() - 40, session: Self.session)
        try add(Self.earlier, "anna", at: Date() - 3 * 86_400, session: Self.sessionId(1))
        try add(Self.other, "Ben", at: Date() - 5 * 86_400, session: Self.sessionId(2))
    }

    private func add(_ id: String, _ name: String, at start: Date, session: String) throws {
        let plan = WorkoutPlan(id: "legs", name: "Legs", steps: [WorkoutPlan.Step(action: "squat", repetitions: 8)])
        var workout = Workout(id: id, plan: plan, camera: "rack1", name: name, start: start)
        (workout.steps[0].start, workout.steps[0].end) = (start + 1, start + 20)
        (workout.steps[0].repetitions, workout.steps[0].seconds) = (8, 19)
        (workout.end, workout.endReason) = (start + 21, .completed)
        let squats = ActionTotal(label: "squat", frames: 100, seconds: 19, reps: 8, meanConfidence: 0.9)
        node.writer.enqueue(
            Session(
                id: session, camera: "rack1", track: 1, start: start, end: start + 21, endReason: .idle,
                actions: [squats],
                sets: [SessionSet(number: 1, label: "squat", start: start + 2, end: start + 19, reps: 8)]), now: .now)
        node.writer.enqueue(workout, events: [], now: .now)
        _ = try node.writer.flush(now: .now, wall: start + 22)
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, _ body: String = "", cookie: String? = nil
    ) async -> HTTPResponse {
        var headers: HTTPHeaders = [.host: "localhost", .contentType: "application/json"]
        headers[.origin] = "http://localhost"
        headers[.cookie] = cookie
        let request = HTTPRequest(method: method, path: path, headers: headers, body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return HTTPResponse(.noContent) }
        return response
    }

    private func asOperator(_ method: HTTPMethod, _ path: String, _ body: String = "{}") async throws -> HTTPResponse {
        let key = try PasswordFile(folder: fixture.folder.url).signingKey()
        let cookie = "\(SessionCookie.name)=" + SessionCookie.make(.operator, now: Date(), key: key)
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var headers: HTTPHeaders = [.host: "localhost", .contentType: "application/json"]
        headers[.origin] = "http://localhost"
        headers[.cookie] = cookie
        let query = parts.count > 1 ? [(name: "name", value: String(parts[1].dropFirst(5)))] : []
        let request = HTTPRequest(
            method: method, path: parts[0], query: query, headers: headers, body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return HTTPResponse(.noContent) }
        return response
    }

    /// Logs a member in.
    ///
    /// - Returns: the cookie.
    private func logIn(_ name: String, nickname: String) async throws -> String {
        let made = try await asOperator(
            .POST, "/api/v1/members/code", #"{"name": "\#(name)", "nickname": "\#(nickname)"}"#)
        let code = try #require(try object(made.body)["code"] as? String)
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        let answer = await ask(
            .POST, "/api/v1/member/login", #"{"nickname": "\#(nickname.uppercased())", "code": "\#(code)"}"#)
        #expect(answer.statusCode == 200)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        return String(cookie.prefix { $0 != ";" })
    }

    @Test func `until a code was made nobody gets in, and no code is stored as it is`() async throws {
        for path in ["/api/v1/member", "/api/v1/member/workouts/\(Self.today)/fit"] {
            #expect(await ask(.GET, path).statusCode == 401)
        }
        let body = #"{"nickname": "anna", "code": "123456"}"#
        #expect(await ask(.POST, "/api/v1/member/login", body).statusCode == 401)
        _ = try await logIn("Anna", nickname: "falcon")
        let stored = try #require(try node.store.query.memberCodes().first)
        #expect(stored.name == "Anna" && stored.code.contains("hash") && stored.code.contains("salt"))
    }

    @Test func `a member sees their own workouts and records, and nothing else`() async throws {
        let cookie = try await logIn("Anna", nickname: "falcon")
        let answer = await ask(.GET, "/api/v1/member", cookie: cookie)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.statusCode == 200 && !text.contains("\"Ben\"") && !text.contains(Self.other))
        let own = try object(answer.body)
        let workouts = try #require(own["workouts"] as? [[String: Any]])
        #expect(workouts.map { $0["id"] as? String } == [Self.today, Self.earlier])
        #expect(workouts.map { $0["today"] as? Bool } == [true, false] && own["nickname"] as? String == "falcon")
        #expect((own["records"] as? [String: Any])?["workouts"] as? Int == 2)
        for path in ["/api/v1/state", "/api/v1/history/workouts", "/api/v1/history/records", "/api/v1/members"] {
            #expect(await ask(.GET, path, cookie: cookie).statusCode == 401, "\(path)")
        }
        let file = await ask(.GET, "/api/v1/member/workouts/\(Self.today)/fit", cookie: cookie)
        #expect(file.statusCode == 200 && Array(file.body[8..<12]) == Array(".FIT".utf8))
        #expect(await ask(.GET, "/api/v1/member/workouts/\(Self.other)/fit", cookie: cookie).statusCode == 404)
    }

    @Test func `a member enters load and exertion for their sets of today, and for no others`() async throws {
        let cookie = try await logIn("Anna", nickname: "falcon")
        func enter(_ id: String, _ step: String, _ body: String) async -> Int {
            await ask(.POST, "/api/v1/member/workouts/\(id)/steps/\(step)/effort", body, cookie: cookie).statusCode
        }
        let right = #"{"load_kg": 80, "rpe": 8.5}"#
        #expect(await enter(Self.today, "0", right) == 200)
        let set = try #require(try node.store.query.session(Self.session)?.sets?.first)
        #expect(set.loadKg == 80 && set.rpe == 8.5)
        #expect(await enter(Self.today, "0", #"{"rpe": 11}"#) == 400)
        #expect(await enter(Self.today, "0", "{}") == 400)
        #expect(await enter(Self.today, "1", right) == 404)
        #expect(await enter(Self.earlier, "0", right) == 403)
        #expect(await enter(Self.other, "0", right) == 404)
        #expect(try node.store.query.session(Self.sessionId(1))?.sets?.first?.loadKg == nil)
        #expect(try node.store.query.session(Self.sessionId(2))?.sets?.first?.loadKg == nil)
    }

    @Test func `a new code, a code that was taken back and a deleted name end the log-in`() async throws {
        let first = try await logIn("Anna", nickname: "falcon")
        let second = try await logIn("Anna", nickname: "falcon")
        #expect(await ask(.GET, "/api/v1/member", cookie: first).statusCode == 401)
        #expect(await ask(.GET, "/api/v1/member", cookie: second).statusCode == 200)
        let forged = second.replacing(/.{8}$/, with: "00000000")
        #expect(await ask(.GET, "/api/v1/member", cookie: forged).statusCode == 401)
        _ = try node.store.deleteName("ANNA", wall: Date())
        #expect(await ask(.GET, "/api/v1/member", cookie: second).statusCode == 401)
        #expect(try node.store.query.memberCodes().isEmpty)
        let ben = try await logIn("Ben", nickname: "ben")
        #expect(
            try object(try await asOperator(.POST, "/api/v1/members/remove", #"{"name": "ben"}"#).body)["removed"]
                as? Bool == true)
        #expect(await ask(.GET, "/api/v1/member", cookie: ben).statusCode == 401)
    }

    @Test func `wrong codes are limited, and leave the log-in with a password alone`() async throws {
        _ = try await logIn("Anna", nickname: "falcon")
        var statuses: [Int] = []
        for code in 0..<6 {
            statuses.append(
                await ask(.POST, "/api/v1/member/login", #"{"nickname": "falcon", "code": "00000\#(code)"}"#).statusCode
            )
        }
        #expect(statuses == [401, 401, 401, 429, 429, 429], "\(statuses)")
        #expect(await ask(.POST, "/api/v1/login", #"{"password": "wrong"}"#).statusCode == 401, "not 429")
    }

    @Test func `a link hands out the file once, and says nothing to anybody else`() async throws {
        let made = try await asOperator(.POST, "/api/v1/workouts/\(Self.today)/link")
        let link = try object(made.body)
        let address = try #require(URL(string: link["address"] as? String ?? ""))
        #expect(link["seconds"] as? Int == 600 && link["here"] as? Bool == true)
        #expect(address.absoluteString.hasPrefix("http://localhost/file/"))
        let file = await ask(.GET, address.path)
        #expect(file.statusCode == 200 && Array(file.body[8..<12]) == Array(".FIT".utf8))
        #expect(file.headers["Content-Disposition"]?.hasSuffix("-legs.fit\"") == true)
        #expect(!String(decoding: file.body, as: UTF8.self).contains("Anna"))
        #expect(await ask(.GET, address.path).statusCode == 404, "it is on its way")
        file.whenSent?(false)
        let again = await ask(.GET, address.path)
        #expect(again.statusCode == 200, "it broke off")
        again.whenSent?(true)
        #expect(await ask(.GET, address.path).statusCode == 404, "it was used")
        #expect(await ask(.GET, "/file/" + String(repeating: "0", count: 32)).statusCode == 404)
        #expect(try await asOperator(.POST, "/api/v1/workouts/\(Self.id(9))/link").statusCode == 404)
    }

    @Test func `records are for the operator, as the description says`() async throws {
        let answer = try await asOperator(.GET, "/api/v1/history/records?name=anna")
        let value = try JSONDecoder().decode(JSONValue.self, from: answer.body)
        #expect(value["name"]?.text == "Anna" && value["workouts"]?.integer == 2)
        #expect(try APIDescription.fault(of: value, .GET, "/api/v1/history/records") == nil)
        #expect(try await asOperator(.GET, "/api/v1/history/records?name=nobody").statusCode == 404)
        let cookie = try await logIn("Anna", nickname: "falcon")
        let own = try JSONDecoder().decode(
            JSONValue.self, from: await ask(.GET, "/api/v1/member", cookie: cookie).body)
        #expect(try APIDescription.fault(of: own, .GET, "/api/v1/member") == nil)
        let loads = try JSONDecoder().decode(
            JSONValue.self, from: try await asOperator(.GET, "/api/v1/sessions/\(Self.session)/loads").body)
        #expect(loads == .list([]))
    }
}
