import Foundation
import Synchronization
import TestSupport
import Testing

/// Clients that waste memory and time.
extension PageAttackTests {
    @Test func `a body of ten megabytes is refused, and takes no memory`() throws {
        let page = try start()
        #expect(page.isThere)
        let before = try page.memory()
        for _ in 0..<3 {
            let client = try TCPClient(port: page.port)
            client.send(
                page.request(
                    "POST", "/api/v1/login", origin: "http://localhost",
                    ["Content-Type: application/json", "Content-Length: 10000000"]))
            client.send([UInt8](repeating: 120, count: 10_000_000))
            let answer = AttackedPage.Answer(text: client.read())
            #expect(answer.status == 413 && answer.body.contains("too_large") && answer.hasPolicy)
        }
        let growth = try page.memory() - before
        #expect(growth < 8, "\(growth) MB")
        #expect(page.isThere)
    }

    @Test func `header lines without end are cut off, and delay nobody`() throws {
        let page = try start()
        #expect(page.isThere)
        let before = try page.memory()
        let port = page.port
        let sent = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            guard let client = try? TCPClient(port: port) else { return }
            client.send("GET / HTTP/1.1\r\nX: ")
            let part = [UInt8](repeating: 120, count: 64 << 10)
            var count = 0
            // A gigabyte at most: the server ends it.
            while count < 16_384, client.send(part, within: 30) == part.count { count += 1 }
            sent.withLock { $0 = max($0, count) }
        }
        #expect(sent.withLock { $0 } < 1000)
        let growth = try page.memory() - before
        #expect(growth < 20, "\(growth) MB")
        let start = Date()
        #expect(page.isThere)
        #expect(try Date().timeIntervalSince(start) < 5 * Program.slowness())
    }

    @Test func `a hundred silent connections hold the page up for ten seconds at most`() throws {
        let page = try start()
        #expect(page.isThere)
        let clients = try (0..<100).map { _ in try TCPClient(port: page.port) }
        let start = Date()
        #expect(Program.wait(60) { page.isThere })
        #expect(try Date().timeIntervalSince(start) < 15 * Program.slowness())
        // The server has closed them all by now; the clients keep theirs until here.
        withExtendedLifetime(clients) {}
        #expect(try Program.wait(60) { try page.descriptors() < 60 })
    }

    @Test func `of 33 streams the last is told why there is none for it`() throws {
        let page = try start()
        let streams = try (0..<32).map { _ in
            let client = try TCPClient(port: page.port)
            client.send(page.request("GET", "/api/v1/live"))
            #expect(client.read { $0.contains("event: state") }.hasPrefix("HTTP/1.1 200 "))
            return client
        }
        let refused = try page.get("/api/v1/live")
        #expect(refused.status == 503 && refused.hasPolicy && refused.head.contains("Retry-After: "))
        #expect(refused.body.contains("32 connections are open") && refused.body.contains("close another page"))
        // The others go on.
        for client in streams {
            #expect(client.read(within: 20) { $0.contains("event: pose") }.contains("event: pose"))
        }
    }

    @Test func `somebody who reads nothing takes no memory, and the others get their events`() throws {
        let page = try start()
        let reader = try TCPClient(port: page.port)
        reader.send(page.request("GET", "/api/v1/live"))
        _ = reader.read { $0.contains("event: pose") }
        let (before, descriptors) = (try page.memory(), try page.descriptors())
        let slow = try (0..<10).map { _ in
            let client = try TCPClient(port: page.port, receiveBytes: 2048)
            client.send(page.request("GET", "/api/v1/live"))
            return client
        }
        // The node sends about 30 poses a second.
        let text = reader.read(within: 20) { $0.components(separatedBy: "event: pose").count > 150 }
        #expect(text.components(separatedBy: "event: pose").count > 150)
        let growth = try page.memory() - before
        #expect(growth < 15, "\(growth) MB")
        // Nobody may read here: a client that reads again is not slow any more.
        #expect(try Program.wait(60) { try page.descriptors() <= descriptors + 1 })
        withExtendedLifetime(slow) {}
        #expect(reader.read(within: 20) { $0.contains("event: pose") }.contains("event: pose"))
    }

    @Test func `a thousand connections leave no thread, no descriptor and little memory`() throws {
        let page = try start()
        for _ in 0..<50 { #expect(page.isThere) }
        let (threads, descriptors, memory) = (try page.threads(), try page.descriptors(), try page.memory())
        for index in 0..<1000 {
            let client = try TCPClient(port: page.port)
            if index % 3 == 0 { client.send(page.request("GET", "/api/v1/live")) }
            if index % 3 == 1 { client.send("GET / HT") }
        }
        #expect(try Program.wait(60) { try page.descriptors() <= descriptors + 4 })
        #expect(try page.threads() <= threads + 8)
        let growth = try page.memory() - memory
        #expect(growth < 15, "\(growth) MB")
        #expect(page.isThere)
    }

    @Test func `a node without free descriptors gets its page back`() throws {
        let line = "ulimit -n 48; exec \(Program.executable.path) run --config \(configuration) --realtime"
        let page = try AttackedPage { try Child("/bin/bash", ["-c", line], in: Program.root) }
        #expect(page.isThere)
        // The server does not listen for a moment when it runs out of descriptors.
        var clients = (0..<200).compactMap { _ in try? TCPClient(port: page.port) }
        for client in clients { client.send("GET / HT", within: 1) }
        #expect(Program.wait(60) { page.isThere })
        clients = []
        #expect(Program.wait(60) { page.isThere } && page.process.isRunning, "\(page.log.text)")
    }

    @Test func `open connections do not delay the end of the node`() throws {
        let page = try start()
        let clients = try (0..<20).map { index in
            let client = try TCPClient(port: page.port, receiveBytes: 2048)
            client.send(
                index % 2 == 0 ? page.request("GET", "/api/v1/live") : "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
            return client
        }
        #expect(try page.descriptors() > 20)
        let asked = Date()
        page.process.terminate()
        page.process.wait()
        #expect(try Date().timeIntervalSince(asked) < 2 * Program.slowness())
        #expect(page.process.status == 0)
        for client in clients { #expect(client.isClosed(within: 10)) }
    }
}
