import Foundation
import HTTPServing
import Synchronization
import TestSupport
import Testing
import Web

/// The limits of size, time and number.
extension HTTPListenerTests {
    @Test(.timeLimit(.minutes(5)))
    func `a line without end is cut off soon, and delays nobody`() async throws {
        try await withServer(patience: HTTPListener.patience, answer: Self.answer) { (port: Int) async throws in
            let clients = try await apart {
                try (0..<8).map { _ in
                    let client = try TCPClient(port: port)
                    client.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100_000), within: 5)
                    return client
                }
            }
            let start = Date()
            #expect(try await Self.ask("/meanwhile", at: port).hasSuffix("path /meanwhile body 0\n"))
            // The lines are refused at their first 8 kB.
            #expect(Date().timeIntervalSince(start) < 30)
            for client in clients { #expect(try await apart { client.isClosed(within: 30) }) }
        }
    }

    @Test func `a head of many lines is cut off as well`() async throws {
        try await withServer(answer: Self.answer) { (port: Int) async throws in
            let lines = (0..<20_000).map { "X-\($0): y\r\n" }.joined()
            let text = try await Self.ask("GET / HTTP/1.1\r\nHost: localhost\r\n" + lines, port: port)
            #expect(text.hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `clients that send a byte a second delay no other, and are sent away`() async throws {
        try await withServer(patience: HTTPListener.patience, answer: Self.answer) { (port: Int) async throws in
            let slow = try await apart { try (0..<4).map { _ in try TCPClient(port: port) } }
            let text = Self.request("/slow", "Connection: close")
            Thread.detachNewThread {
                for byte in text.utf8.prefix(40) {
                    for client in slow { client.send([byte], within: 1) }
                    // The test needs these slow clients.
                    sleep(1)
                }
            }
            for number in 0..<3 {
                #expect(try await Self.ask("/\(number)", at: port).hasSuffix("path /\(number) body 0\n"))
            }
            // They have ten seconds; the requests would take longer.
            for client in slow { #expect(try await apart { client.isClosed(within: 39) }) }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [(4000, 4), (60_000, 30_000)])
    func `a body that does not come ends the connection`(said: Int, sent: Int) async throws {
        try await withServer(patience: .seconds(2), answer: Self.answer) { (port: Int) async throws in
            let isClosed = try await apart { () -> Bool in
                let client = try TCPClient(port: port)
                let head = Self.request("/", "Content-Length: \(said)", method: "POST")
                client.send(head + String(repeating: "x", count: sent))
                return client.isClosed(within: 40)
            }
            #expect(isClosed)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `who takes nothing of an answer is sent away, who waits for a long one is not`() async throws {
        let bytes = 20_000_000
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { request in
            if request.path == "/long" { try? await Task.sleep(for: .seconds(5)) }
            return .response(HTTPResponse(.ok, body: Data(repeating: 120, count: request.path == "/long" ? 4 : bytes)))
        }
        try await withServer(patience: .seconds(2), answer: answer) { (port: Int) async throws in
            async let long = Self.ask("/long", at: port)
            let taken = try await apart { () -> Int in
                let client = try TCPClient(port: port)
                client.send(Self.request("/big"))
                // What the buffers of the kernel hold arrives all the same.
                Thread.sleep(forTimeInterval: 6)
                return client.readBytes(within: 40).count
            }
            #expect(taken < bytes, "\(taken)")
            #expect(try await long.hasSuffix("xxxx"))
        }
    }

    // MARK: - Limits of number

    @Test(.timeLimit(.minutes(5)))
    func `whoever only holds connections keeps nobody out`() async throws {
        try await withServer(limit: 8, answer: Self.answer) { (port: Int) async throws in
            let idle = try await apart { () -> [TCPClient] in
                try (0..<40).map { index in
                    let client = try TCPClient(port: port)
                    if index % 2 == 0 { client.send("GET /") }
                    return client
                }
            }
            for number in 0..<10 {
                #expect(try await Self.ask("/\(number)", at: port).hasSuffix("path /\(number) body 0\n"))
            }
            // Those that have waited longest made room.
            for client in idle.prefix(32) { #expect(try await apart { client.isClosed(within: 30) }) }
            withExtendedLifetime(idle) {}
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `an answer that is under way makes room for nobody, and a connection too many is told so`() async throws {
        try await withServer(limit: 8, answer: Self.answer) { (port: Int) async throws in
            let streams = try await apart { () -> [TCPClient] in
                try (0..<8).map { _ in
                    let client = try TCPClient(port: port)
                    client.send(Self.request("/events"))
                    #expect(client.read { $0.contains("data: first") }.hasPrefix("HTTP/1.1 200 "))
                    return client
                }
            }
            let refused = try await Self.ask("/late", at: port)
            #expect(refused.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(refused.contains("8 connections are open, and no more are possible"))
            #expect(refused.contains("Retry-After: 5\r\n") && refused.contains("Content-Security-Policy: "))
            for client in streams { #expect(try await apart { !client.isClosed(within: 1) }) }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `an answer arrives whole, however many ask at the same time`() async throws {
        let bytes = 300_000
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { _ in
            // All at once, as those who wait for the same check.
            try? await Task.sleep(for: .milliseconds(100))
            return .response(HTTPResponse(.ok, body: Data(repeating: 120, count: bytes)))
        }
        try await withServer(limit: 8, answer: answer) { (port: Int) async throws in
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<7 {
                    group.addTask {
                        try await apart {
                            try (0..<15).map { _ in
                                let client = try TCPClient(port: port)
                                client.send(Self.request("/", "Connection: close"))
                                let answer = client.readBytes()
                                return answer.starts(with: Array("HTTP/1.1 200".utf8)) ? answer.count : bytes + 1
                            }
                        }
                    }
                }
                for try await sizes in group { #expect(sizes.allSatisfy { $0 > bytes }, "\(sizes)") }
            }
        }
    }

    /// An address of this machine by which it is not the loopback; `nil` in a container without a network.
    private static let ownAddress: String? = {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let address = entry?.pointee.ifa_addr, address.pointee.sa_family == AF_INET else { continue }
            var text = [CChar](repeating: 0, count: 64)
            getnameinfo(address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, 64, nil, 0, NI_NUMERICHOST)
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !host.hasPrefix("127.") { return host }
        }
        return nil
    }()

    @Test(.enabled(if: HTTPListenerTests.ownAddress != nil), .timeLimit(.minutes(5)))
    func `one address has eight connections at most, and this machine as many as there are`() async throws {
        let own = try #require(Self.ownAddress)
        try await withServer(listen: "0.0.0.0:0", answer: Self.answer) { (port: Int) async throws in
            let (strange, here) = try await apart {
                (
                    try (0..<20).map { _ in try TCPClient(port: port, host: own) },
                    try (0..<20).map { _ in try TCPClient(port: port) }
                )
            }
            for client in strange.prefix(12) { #expect(try await apart { client.isClosed(within: 30) }) }
            for client in strange.suffix(8) + here {
                let text = try await apart { () -> String in
                    client.send(Self.request("/still", "Connection: close"))
                    return client.read()
                }
                #expect(text.hasSuffix("path /still body 0\n"))
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `programs of this machine may hold as many connections to a file as there are`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("socket").path
        let listener = HTTPListener(place: .file(path), limit: 16) { _ in
            try? await Task.sleep(for: .seconds(1))
            return .response(HTTPResponse(.ok))
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            let serving = Task {
                try await listener.run { _ in
                } interrupted: { _ in
                }
            }
            defer { serving.cancel() }
            while access(path, F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
            for _ in 0..<12 {
                group.addTask {
                    try await apart { try LocalClient(path: path).ask("GET", "/", nil, seconds: 30).status }
                }
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `whoever finds the file of a socket can connect, and only its user`() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<30 {
            let path = folder.file("socket\(round)").path
            let found = Task {
                try await apart { () -> (mode: mode_t, status: Int) in
                    var status = stat()
                    let patience = Date() + 30
                    while stat(path, &status) != 0, Date() < patience {}
                    let answer = try LocalClient(path: path).ask("GET", "/", nil, seconds: 30)
                    return (status.st_mode & 0o777, answer.status)
                }
            }
            let serving = Task {
                let listener = HTTPListener(place: .file(path), limit: 16) { _ in .response(HTTPResponse(.ok)) }
                try await listener.run { _ in
                } interrupted: { _ in
                }
            }
            defer { serving.cancel() }
            let (mode, status) = try await found.value
            #expect(mode == 0o600 && status == 200)
        }
    }

    /// How many answers were called off.
    private final class CalledOff: Sendable {
        let count = Mutex(0)
    }

    @Test(arguments: [true, false])
    func `the answer is called off when its client leaves`(isReset: Bool) async throws {
        let calledOff = CalledOff()
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { _ in
            do { try await Task.sleep(for: .seconds(120)) } catch { calledOff.count.withLock { $0 += 1 } }
            return .response(HTTPResponse(.ok))
        }
        try await withServer(answer: answer) { (port: Int) async throws in
            let isOver = try await apart { () -> Bool in
                do {
                    let client = try TCPClient(port: port)
                    client.send(Self.request("/long"))
                    // The request must have begun.
                    Thread.sleep(forTimeInterval: 0.3)
                    #expect(calledOff.count.withLock { $0 } == 0)
                    if isReset { client.reset() }
                }
                for _ in 0..<600 where calledOff.count.withLock({ $0 }) == 0 { Thread.sleep(forTimeInterval: 0.05) }
                return calledOff.count.withLock { $0 } == 1
            }
            #expect(isOver)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func `a stream without events ends when its client leaves`(isReset: Bool) async throws {
        let viewers = Shared<[Viewer]>([])
        let answer: @Sendable (HTTPRequest) async -> HTTPAnswer = { _ in
            let viewer = Viewer(camera: nil, first: [Array("data: first\n\n".utf8)])
            viewers.change { $0.append(viewer) }
            return .events([:], viewer.events)
        }
        try await withServer(answer: answer) { (port: Int) async throws in
            try await apart {
                let client = try TCPClient(port: port)
                client.send(Self.request("/"))
                _ = client.read { $0.contains("data: first") }
                if isReset { client.reset() }
            }
            #expect(try await PictureFixture.wait { viewers.value.first?.isClosed == true })
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `of many streams at once no more than the limit are served`() async throws {
        try await withServer(limit: 8, answer: Self.answer) { (port: Int) async throws in
            let texts = try await apart { () -> [String] in
                let clients = try (0..<40).map { _ in try TCPClient(port: port) }
                for client in clients { client.send(Self.request("/events"), within: 2) }
                return clients.map { client in client.read(within: 2) { $0.contains("data: first") } }
            }
            let served = texts.count { $0.hasPrefix("HTTP/1.1 200 ") }
            #expect((1...8).contains(served))
            #expect(texts.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 200 ") || $0.hasPrefix("HTTP/1.1 503 ") })
            #expect(try await Self.ask("/after", at: port).hasPrefix("HTTP/1.1 "))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a thousand connections leave nothing behind`() async throws {
        try await withServer(patience: HTTPListener.patience, answer: Self.answer) { (port: Int) async throws in
            let before = try Self.descriptors()
            try await apart {
                for index in 0..<1000 {
                    let client = try TCPClient(port: port)
                    if index % 3 == 0 { client.send("GET / HT") }
                    if index % 3 == 1 { client.send(Self.request("/events")) }
                }
            }
            // Other tests open files, too.
            let isBack = try await apart { () -> Bool in
                for _ in 0..<900 {
                    if try Self.descriptors() < before + 50 { return true }
                    Thread.sleep(forTimeInterval: 0.1)
                }
                return false
            }
            #expect(isBack)
            #expect(try await Self.ask("/after", at: port).hasSuffix("path /after body 0\n"))
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
