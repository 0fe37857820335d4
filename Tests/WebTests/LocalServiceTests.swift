import Agent
import Foundation
import HTTPServing
import History
import Records
import Testing
import Web

/// Programs of this machine ask the node at a socket beside its database.
@Suite struct LocalServiceTests {
    private let fixture: NodeFixture
    private let node: Node

    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node()
    }

    private var path: String { Store.socketPath(database: node.store.path) }

    /// Runs the node's services that belong to HTTP while `body` asks.
    private func serving(_ body: @escaping @Sendable (LocalClient) async throws -> Void) async throws {
        let services = try WebServices.all(node: node, reports: CameraStatusBoard(), configurationPath: nil)
        let local = try #require(services.first { $0.name == "socket" }).service
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await local.run() }
            group.addTask {
                while access(path, F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
                try await body(LocalClient(path: path))
            }
            // The service ends when it is cancelled.
            try await group.next()
            group.cancelAll()
        }
    }

    /// Asks on a thread of its own, because whoever asks waits.
    private static func ask(
        _ client: LocalClient, _ method: String, _ route: String, _ body: String? = nil
    ) async throws -> (status: Int, body: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let answer = try client.ask(method, route, body, seconds: 20)
                        return (answer.status, String(decoding: answer.body, as: UTF8.self))
                    })
            }
        }
    }

    @Test func `it has the routes of the page without a log-in, and commands`() async throws {
        try await serving { client in
            let health = try await Self.ask(client, "GET", "/api/v1/health")
            #expect(health.status == 200 && health.body.contains("\"problems\""), "\(health)")
            let check = try await Self.ask(client, "POST", "/api/v1/commands/config_check", "{}")
            #expect(check.status == 200 && check.body.contains("restart_required"), "\(check)")
            let days = try await Self.ask(client, "GET", "/api/v1/history/days")
            #expect(days.status == 200 && days.body == "[]")
        }
    }

    @Test(arguments: [
        ("nonsense", "{}", "bad_request"), ("camera_set", #"{"camera":"rack9","enabled":true}"#, "unknown_camera"),
        ("workout_start", #"{"plan":"nowhere","camera":"rack1"}"#, "unknown_plan"),
        ("workout_start", "[]", "bad_request"),
        ("ping", "{}", "not_supported"),
    ]) func `a command that cannot be carried out is refused with its code`(name: String, body: String, code: String)
        async throws
    {
        try await serving { client in
            let answer = try await Self.ask(client, "POST", "/api/v1/commands/\(name)", body)
            #expect(answer.status >= 400 && answer.body.contains("\"\(code)\""), "\(answer)")
        }
    }

    @Test(arguments: [
        ("history/sessions?limit=1&cammera=rack", 400, "did you mean 'camera'"),
        ("history/sessions?since=2026-11-29&until=2026-11-20", 400, "end is before the beginning"),
        ("history/actions?zone=mat", 400, "does not suit actions"),
        ("history/predictions?zone=mat", 400, "does not suit predictions"),
        ("history/zones?action=squat", 400, "does not suit zones"),
        ("history/hours?action=squat", 400, "does not suit hours"),
        ("history/weekdays?action=squat", 400, "does not suit weekdays"),
        ("history/cameras?zone=mat", 400, "does not suit cameras"),
        ("history/alarms?action=squat", 400, "does not suit alarms"),
        ("history/workouts?zone=mat", 400, "does not suit workouts"), ("history/workouts?tz=Mars", 400, "invalid_tz"),
        ("history/workouts?until=never", 400, "invalid_until"), ("history/workouts?limit=5001", 400, "invalid_limit"),
        ("history/workouts?last=0h&limit=5000", 200, "[]"), ("history/sets?camera=RACK1", 200, "[]"),
        ("history/sets?camera=rack9", 404, "did you mean 'rack1'?"),
        ("history/hours?camera=rack9", 404, "unknown_camera"),
        ("history/days?action=sqat&format=csv", 404, "did you mean 'squat'?"),
        ("history/sessions?since=2026-11-30+17:00", 200, "[]"),
        ("history/sets?camera=rack+9", 404, "'rack 9'"),
        ("sessions/nope/predictions", 404, "unknown_session"),
    ]) func `what a list cannot be asked is refused, and names are looked for as people type them`(
        path: String, status: Int, words: String
    ) async throws {
        try await expect("GET", path, nil, status, words)
    }

    @Test(arguments: [
        ("workouts/start", #"{"plan":"nowhere","camera":"rack1"}"#, 404, "unknown_plan"),
        ("workouts/start", #"{"plan":"nowhere"}"#, 404, "unknown_plan"),
        ("workouts/nope/stop", "{}", 404, "unknown_workout"), ("alarms/nope/acknowledge", "{}", 404, "unknown_alarm"),
        ("models/nope/use", "{}", 404, "unknown_model"), ("names/delete", #"{"name":""}"#, 400, "invalid_args"),
        ("names/delete", #"{"name":"a\nb"}"#, 400, "invalid_args"),
    ]) func `a request that cannot be carried out has the status of its reason`(
        path: String, body: String, status: Int, code: String
    ) async throws {
        try await expect("POST", path, body, status, code)
    }

    /// Asks, and expects a status and some words in the answer.
    private func expect(
        _ method: String, _ path: String, _ body: String?, _ status: Int, _ words: String
    ) async throws {
        try await serving { client in
            let answer = try await Self.ask(client, method, "/api/v1/" + path, body)
            #expect(answer.status == status && answer.body.contains(words), "\(answer)")
        }
    }

    @Test func `only the node's own user reaches it, and nothing is left behind`() async throws {
        let path = path
        try await serving { _ in
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains(".socke") })
        #expect(throws: LocalClient.Failure.nobody) { try LocalClient(path: path).ask("GET", "/", nil, seconds: 1) }
    }

    @Test func `what a crashed node left is no obstacle`() async throws {
        try Data("left".utf8).write(to: URL(filePath: path))
        try await serving { client in
            var answer = (status: 0, body: "")
            for _ in 0..<200 where answer.status == 0 {
                answer = (try? await Self.ask(client, "GET", "/api/v1/health")) ?? answer
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(answer.status == 200)
        }
    }
}
