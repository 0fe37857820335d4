import Actions
import Agent
import Foundation
import HTTPServing
import History
import Testing
import Web

/// Correcting and deleting over the page's server.
@Suite struct CorrectionRouteTests {
    private let fixture: NodeFixture
    private let node: Node
    private let router: Router

    /// A node that has seen one session with one set of squats, ten minutes ago, and another that goes on.
    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node()
        router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        let start = Date() - 600
        for (id, reason) in [("done", Session.EndReason.idle), ("open", nil)] {
            let squats = ActionTotal(label: "squat", frames: 100, seconds: 10, reps: 8, meanConfidence: 0.9)
            let session = Session(
                id: id, camera: "rack1", track: 1, start: start, end: start + 10, endReason: reason, actions: [squats],
                sets: [SessionSet(number: 1, label: "squat", start: start, end: start + 9, reps: 8)])
            node.writer.enqueue(session, now: .now)
        }
        _ = try node.writer.flush(now: .now, wall: Date())
    }

    private func post(_ path: String, _ body: String, cookie: String? = nil) async throws -> (Int, [String: Any]) {
        var headers: HTTPHeaders = [.host: "localhost", .contentType: "application/json"]
        headers[.origin] = "http://localhost"
        headers[.cookie] = cookie
        let request = HTTPRequest(
            method: .POST, path: path, headers: headers, body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return (0, [:]) }
        return (response.statusCode, try object(response.body))
    }

    private func firstSet(_ session: [String: Any]) -> [String: Any] {
        (session["sets"] as? [[String: Any]])?.first ?? [:]
    }

    @Test func `a set is corrected and taken back, and the answer is the session as it is now`() async throws {
        let path = "/api/v1/sessions/done/sets/1/correct"
        let (status, session) = try await post(path, #"{"label": "lunge", "reps": 9}"#)
        #expect(status == 200 && session["id"] as? String == "done" && session["rev"] as? Int == 2)
        let set = firstSet(session)
        #expect(set["label"] as? String == "lunge" && set["reps"] as? Int == 9 && set["number"] as? Int == 1)
        let recognised = set["corrected"] as? [String: Any]
        #expect(recognised?["label"] as? String == "squat" && recognised?["reps"] as? Int == 8)
        #expect(try node.store.query.session("done")?.sets?.first?.label == "lunge")
        let (again, count) = try await post(path, #"{"reps": 7}"#)
        #expect(again == 200 && firstSet(count)["label"] as? String == "lunge" && firstSet(count)["reps"] as? Int == 7)
        let (back, restored) = try await post(path, #"{"undo": true}"#)
        #expect(back == 200 && firstSet(restored)["label"] as? String == "squat")
        #expect(firstSet(restored)["corrected"] == nil && restored["rev"] as? Int == 4)
        let records = try node.store.records.records(after: 0, limit: 99).filter { $0.id == "done" }
        #expect(records.map(\.rev) == [1, 2, 3, 4])
    }

    @Test(arguments: [
        ("done/sets/1", "{}", 400, "no_correction"), ("done/sets/1", #"{"undo": false}"#, 400, "no_correction"),
        ("done/sets/1", #"{"undo": true, "reps": 3}"#, 400, "no_correction"),
        ("done/sets/1", #"{"reps": 2.5}"#, 400, "invalid_body"), ("done/sets/1", "[]", 400, "invalid_body"),
        ("done/sets/1", #"{"reps": 10001}"#, 400, "invalid_reps"),
        ("done/sets/1", #"{"reps": -1}"#, 400, "invalid_reps"),
        ("done/sets/1", #"{"label": "none", "reps": 1}"#, 400, "invalid_reps"),
        ("done/sets/1", #"{"label": "<script>"}"#, 400, "invalid_label"),
        ("done/sets/2", #"{"reps": 3}"#, 404, "unknown_set"), ("done/sets/one", #"{"reps": 3}"#, 404, "unknown_set"),
        ("done/sets/99999999999999999999", #"{"reps": 3}"#, 404, "unknown_set"),
        ("open/sets/1", #"{"reps": 3}"#, 409, "session_open"), ("gone/sets/1", #"{"reps": 3}"#, 404, "unknown_session"),
    ])
    func `what cannot be corrected is refused with a reason`(
        path: String, body: String, status: Int, code: String
    ) async throws {
        let (found, answer) = try await post("/api/v1/sessions/\(path)/correct", body)
        let error = answer["error"] as? [String: Any]
        #expect(found == status && error?["code"] as? String == code, "\(answer)")
        #expect((error?["message"] as? String)?.hasSuffix(".") == true)
        #expect(try node.store.query.session("done")?.rev == 1)
    }

    @Test func `a label that nobody knows is refused with the nearest one, until it is said to be new`() async throws {
        let path = "/api/v1/sessions/done/sets/1/correct"
        let (status, answer) = try await post(path, #"{"label": "lugne", "reps": 9}"#)
        let error = answer["error"] as? [String: Any]
        #expect(status == 400 && error?["code"] as? String == "unknown_label")
        #expect((error?["message"] as? String)?.contains("did you mean 'lunge'?") == true, "\(answer)")
        #expect(try node.store.query.session("done")?.rev == 1)
        #expect(try await post(path, #"{"label": "sled_push", "reps": 9}"#).0 == 400)
        let (taken, session) = try await post(path, #"{"label": "sled_push", "reps": 9, "new_label": true}"#)
        #expect(taken == 200 && firstSet(session)["label"] as? String == "sled_push")
        // From now on it is known, and a change of the count alone keeps it.
        #expect(try await post(path, #"{"reps": 8}"#).0 == 200)
        #expect(try await post(path, #"{"label": "sled_push", "reps": 7}"#).0 == 200)
        // Once it is taken back nobody knows it.
        #expect(try await post(path, #"{"undo": true}"#).0 == 200)
        #expect(try await post(path, #"{"label": "sled_push"}"#).0 == 400)
        #expect(try await post(path, #"{"label": "none"}"#).0 == 200)
    }

    @Test func `a viewer corrects nothing`() async throws {
        let passwords = PasswordFile(folder: fixture.folder.url)
        _ = try passwords.generate(.operator)
        func cookie(_ role: WebRole) throws -> String {
            "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
        }
        let path = "/api/v1/sessions/done/sets/1/correct"
        #expect(try await post(path, #"{"reps": 3}"#).0 == 401)
        #expect(try await post(path, #"{"reps": 3}"#, cookie: try cookie(.viewer)).0 == 403)
        #expect(try node.store.query.session("done")?.rev == 1)
        #expect(try await post(path, #"{"reps": 3}"#, cookie: try cookie(.operator)).0 == 200)
    }

    @Test func `a session is deleted with its corrections`() async throws {
        _ = try await post("/api/v1/sessions/done/sets/1/correct", #"{"reps": 3}"#)
        let (status, answer) = try await post("/api/v1/sessions/done/delete", #"{"confirm": "done"}"#)
        #expect(status == 200 && answer["deleted"] as? Bool == true)
        #expect(try node.store.query.session("done") == nil)
        #expect(try await post("/api/v1/sessions/done/sets/1/correct", #"{"undo": true}"#).0 == 404)
    }
}
