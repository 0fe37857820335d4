import Agent
import Foundation
import HTTPServing
import Testing
import Web

/// What a new password ends, and what goes on while the disk is slow.
@Suite(.timeLimit(.minutes(5))) struct ExpulsionTests {
    private let fixture: NodeFixture
    private let node: Node
    private let pool = WorkPool()
    private let service: WebService
    private let passwords: PasswordFile

    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node(pictures: "aim")
        passwords = PasswordFile(folder: fixture.folder.url)
        for role in WebRole.allCases { _ = try passwords.generate(role) }
        service = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil, pool: pool)
    }

    /// The events of a stream, after its first piece.
    private func stream(_ role: WebRole) async throws -> EventSource {
        let source = try await open(role)
        #expect(await source.next() != nil)
        return source
    }

    private func open(_ role: WebRole) async throws -> EventSource {
        let cookie = "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
        let request = HTTPRequest(
            method: .GET, path: "/api/v1/live", query: [],
            headers: [.host: "localhost", .cookie: cookie], body: Data())
        guard case .events(_, let source) = await service.router.answer(request) else { throw POSIXError(.EACCES) }
        return source
    }

    /// Runs the page while `body` uses it.
    private func whileServing(_ body: () async throws -> Void) async throws {
        let running = Task { [service] in try await service.run() }
        defer { running.cancel() }
        try await body()
    }

    @Test(arguments: WebRole.allCases)
    func `a new password of either role ends every stream, and the pictures`(role: WebRole) async throws {
        try await whileServing {
            let streams = [try await stream(.viewer), try await stream(.operator)]
            service.pictures.start("rack1")
            // As another process does it.
            _ = try PasswordFile(folder: fixture.folder.url).generate(role)
            for source in streams { while await source.next() != nil {} }
            #expect(try await PictureFixture.wait { service.pictures.request(of: "rack1") == nil })
        }
    }

    @Test func `damaged and deleted passwords end the streams, too`() async throws {
        try await whileServing {
            let first = try await stream(.viewer)
            let whole = try Data(contentsOf: URL(filePath: passwords.path))
            try Data("{".utf8).write(to: URL(filePath: passwords.path))
            while await first.next() != nil {}
            try whole.write(to: URL(filePath: passwords.path), options: .atomic)
            // A look at the damaged file that is under way may end a stream that begins now.
            var second = try await open(.viewer)
            while await second.next() == nil { second = try await open(.viewer) }
            try FileManager.default.removeItem(atPath: passwords.path)
            while await second.next() != nil {}
        }
    }

    @Test func `the poses go on while both threads wait for the disk`() async throws {
        try await whileServing {
            let source = try await stream(.viewer)
            let (disk, waiting) = (DispatchSemaphore(value: 0), Shared(0))
            var slow: [Task<Void, any Error>] = []
            // The thread for long work would take the short one, too, if it came first.
            for (index, kind) in [WorkPool.Kind.long, .short].enumerated() {
                slow.append(
                    Task { [pool] in
                        try await pool.change(kind) {
                            waiting.change { $0 += 1 }
                            disk.wait()
                        }
                    })
                #expect(try await PictureFixture.wait { waiting.value == index + 1 })
            }
            var longest = Duration.zero
            let begin = ContinuousClock.now
            var last = begin
            // Totals are read every two seconds.
            while last - begin < .seconds(5) {
                service.feed.receive(LiveFixture.result(at: (last - begin) / .seconds(1)), camera: "rack1")
                #expect(await source.next() != nil)
                longest = max(longest, .now - last)
                last = .now
            }
            #expect(longest < .seconds(1), "\(longest)")
            for _ in slow { disk.signal() }
            for task in slow { try await task.value }
        }
    }
}
