import Agent
import Configuration
import Foundation
import HTTPServing
import History
import Logging
import TestSupport
import Testing
import Web
import Workouts

/// Who sees names, private plans and pain on the page: the operator, and on the wall nobody.
@Suite(.timeLimit(.minutes(2))) struct PrivacyTests {
    private let fixture: NodeFixture
    private let node: Node
    private let router: Router
    private let service: WebService

    init() throws {
        fixture = try NodeFixture()
        let plans = fixture.folder.file("plans")
        try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
        let step = String(repeating: "[[step]]\naction = \"squat\"\nrepetitions = 5\n", count: 2)
        try Data("name = \"Legs\"\n\(step)".utf8).write(to: plans.appending(path: "legs.toml"))
        try Data("name = \"Knee plan\"\n[prescription]\n\(step)".utf8).write(to: plans.appending(path: "knee.toml"))
        try Data("name = \"Knee broken".utf8).write(to: plans.appending(path: "broken.toml"))
        node = try fixture.node(plans: plans.path)
        _ = try PasswordFile(folder: fixture.folder.url).generate(.operator)
        service = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil)
        router = service.router
    }

    private func request(_ path: String, _ role: WebRole, query: [String: String] = [:]) throws -> HTTPRequest {
        let key = try PasswordFile(folder: fixture.folder.url).signingKey()
        return HTTPRequest(
            method: .GET, path: path, query: query.map { (name: $0.key, value: $0.value) },
            headers: [
                .host: "localhost", .cookie: "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: key),
            ], body: Data())
    }

    /// The text of an answer, or the first piece of a stream.
    private func text(_ path: String, _ role: WebRole, query: [String: String] = [:]) async throws -> String {
        switch await router.answer(try request(path, role, query: query)) {
        case .response(let response): return String(decoding: response.body, as: UTF8.self)
        case .events(_, let source): return String(decoding: await source.next() ?? [], as: UTF8.self)
        }
    }

    /// Two workouts that go on, and two that have ended; the private ones ask for the pain.
    private func doWorkouts() throws -> [String] {
        var ids: [String] = []
        for plan in ["legs", "knee"] {
            for _ in 0..<2 {
                let nickname = plan == "legs" ? "Falke" : "Igel"
                ids.append(
                    try node.workouts.start(plan: plan, camera: "rack1", name: "Zebrafink", nickname: nickname).id)
            }
            _ = try node.workouts.skip(ids[ids.count - 2])
        }
        _ = try node.workouts.stop(ids[1])
        _ = try node.workouts.stop(ids[3])
        _ = try node.writer.flush(now: .now, wall: Date())
        return ids
    }

    private static let secrets = ["Zebrafink", "Knee", "\"knee\"", "\"asks_pain\":true", "\"pain\":", "prescription"]

    @Test func `a viewer sees no name, no private plan and no pain anywhere`() async throws {
        let ids = try doWorkouts()
        let paths =
            ["/api/v1/state", "/api/v1/live", "/api/v1/workouts", "/api/v1/history/workouts"]
            + ids.map { "/api/v1/workouts/\($0)" }
        for path in paths {
            let text = try await text(path, .viewer)
            for secret in Self.secrets { #expect(!text.contains(secret), "\(path): \(secret) in \(text)") }
        }
        #expect(try await text("/api/v1/workouts", .viewer).contains("Falke"))
        #expect(try await text("/api/v1/history/workouts", .viewer, query: ["name": "Zebrafink"]).contains("forbidden"))
        #expect(
            try await text("/api/v1/history/workouts", .operator, query: ["name": "ZEBRAFINK"]).contains("Knee plan"))
        for path in paths.dropLast() { #expect(try await text(path, .operator).contains("Zebrafink"), "\(path)") }
    }

    @Test func `the wall sees no name, even where the operator is logged in`() async throws {
        _ = try doWorkouts()
        for (role, query) in [(WebRole.wall, [:]), (.operator, ["view": "wall"])] {
            for path in ["/api/v1/state", "/api/v1/live"] {
                let text = try await text(path, role, query: query)
                for secret in Self.secrets { #expect(!text.contains(secret), "\(path) for \(role): \(secret)") }
                #expect(text.contains("Falke") && text.contains("Igel") && text.contains("Private workout"))
            }
        }
    }

    @Test func `what the stream tells later has names for the operator alone`() async throws {
        let running = Task { [service] in try await service.run() }
        defer { running.cancel() }
        var sources: [WebRole: EventSource] = [:]
        for role in WebRole.allCases {
            guard case .events(_, let source) = await router.answer(try request("/api/v1/live", role)) else {
                Issue.record("no stream for \(role)")
                continue
            }
            _ = await source.next()
            sources[role] = source
        }
        _ = try doWorkouts()
        for (role, source) in sources {
            var told = ""
            while !told.contains("Falke") {
                told += String(decoding: try #require(await source.next(), "the stream ended"), as: UTF8.self)
            }
            #expect(told.contains("Zebrafink") == (role == .operator), "\(role)")
        }
    }

    @Test func `deleting a name on the page deletes its clips and copies, too`() async throws {
        _ = try doWorkouts()
        let clip = fixture.folder.file("clips").appending(path: "squat/zebrafink")
        try FileManager.default.createDirectory(at: clip, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: clip.appending(path: "odd name.txt"))
        let copy = fixture.folder.file("spotter.db.before-restore-1").path
        try node.store.query.backup(to: copy)
        var deletion = try request("/api/v1/names/delete", .operator)
        deletion.method = .POST
        deletion.headers[.origin] = "http://localhost"
        deletion.headers[.contentType] = "application/json"
        deletion.body = Data(#"{"name": "ZEBRAFINK"}"#.utf8)
        let answering = Task { [node] in
            // The commit service would write what waits.
            while !Task.isCancelled {
                _ = try? node.writer.flush(now: .now, wall: Date())
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { answering.cancel() }
        guard case .response(let response) = await router.answer(deletion) else { return }
        #expect(response.statusCode == 200)
        let answer = String(decoding: response.body, as: UTF8.self)
        #expect(answer.contains(#""clips":1"#) && answer.contains(#""copies":1"#), "\(answer)")
        #expect(answer.contains("not_reached") && !answer.lowercased().contains("zebrafink"), "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: clip.deletingLastPathComponent().path))
        #expect(try Data(contentsOf: URL(filePath: copy)).range(of: Data("Zebrafink".utf8)) == nil)
        #expect(try node.store.query.people().isEmpty && node.workouts.open.allSatisfy { $0.name == nil })
    }

    // MARK: - Clips

    @Test func `the clips of a person are found in every letter case, whatever the files are called`() throws {
        let library = NamedClips(folder: fixture.folder.file("clips"))
        for path in ["squat/anna/1.poses.jsonl", "squat/Anna/notes.txt", "lunge/ANNA/x", "lunge/ben/1.poses.jsonl"] {
            let url = library.folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url)
        }
        #expect(library.people() == ["ANNA", "Anna", "anna", "ben"])
        #expect(library.files(of: "aNNa").count == 3)
        #expect(try library.forget("anna") == ["lunge/ANNA/x", "squat/Anna/notes.txt", "squat/anna/1.poses.jsonl"])
        #expect(library.people() == ["ben"] && library.files(of: "anna").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: library.folder.appending(path: "squat").path))
    }

    // MARK: - Failed log-ins

    @Test func `failed log-ins are logged with their address, ten in a minute at most`() {
        let lines = Shared<[String]>([])
        let failures = FailedLogins(logger: Logger(label: "test") { _ in LineHandler(lines: lines) })
        let start = ContinuousClock.now
        for second in 0..<30 {
            failures.tell(.wrongPassword, from: "203.0.113.\(second)", now: start + .seconds(second))
        }
        #expect(lines.value.count == 10)
        #expect(lines.value.first == "warning a log-in to the page failed from 203.0.113.0: wrong password")
        failures.tell(.uselessLink, from: "2001:db8::1", now: start + .seconds(90))
        #expect(
            lines.value.last?.hasSuffix("2001:db8::1: a link that does not log in (20 more before it are not listed)")
                == true)
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("10.0.0.1, 203.0.113.7", "203.0.113.7"), ("2001:db8::1", "2001:db8::1"),
        ("evil failed from 203.0.113.7: wrong password", "127.0.0.1"), ("", "127.0.0.1"),
    ])
    func `a wrong password is logged with the address that the proxy saw`(forwarded: String, logged: String)
        async throws
    {
        let lines = Shared<[String]>([])
        let other = try NodeFixture()
        let node = try other.node(logger: Logger(label: "test") { _ in LineHandler(lines: lines) })
        let router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        let login = HTTPRequest(
            method: .POST, path: "/api/v1/login",
            headers: [
                .host: "localhost", .origin: "http://localhost", .contentType: "application/json",
                "X-Forwarded-For": forwarded,
            ],
            body: Data(#"{"password": "secret-attempt"}"#.utf8), client: ClientAddress("127.0.0.1"))
        _ = await router.answer(login)
        let line = "warning a log-in to the page failed from \(logged): wrong password"
        #expect(lines.value.filter { $0.contains("log-in") } == [line], "\(lines.value)")
        #expect(!lines.value.contains { $0.contains("secret-attempt") })
        withExtendedLifetime(other) {}
    }
}

private struct LineHandler: LogHandler {
    let lines: Shared<[String]>
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.change { $0.append("\(event.level) \(event.message)") } }
}
