import Foundation
import HTTPServing
import Synchronization
import TestSupport
import Testing
import Web

@Suite struct FileTicketTests {
    private let tickets = FileTickets()
    private let now = ContinuousClock.now

    @Test func `a link works once, for ten minutes`() {
        let token = tickets.make("w1", now: now)
        #expect(token.utf8.count == 32 && tickets.begin("0123", now: now) == nil)
        #expect(tickets.begin(token, now: now + .seconds(599)) == "w1")
        tickets.end(token, isComplete: true)
        #expect(tickets.begin(token, now: now) == nil, "it was used")
        let late = tickets.make("w1", now: now)
        #expect(tickets.begin(late, now: now + .seconds(600)) == nil, "it is too old")
    }

    @Test func `a download that broke off may be tried again, and two at once may not`() {
        let token = tickets.make("w1", now: now)
        #expect(tickets.begin(token, now: now) == "w1" && tickets.begin(token, now: now) == nil)
        tickets.end(token, isComplete: false)
        #expect(tickets.begin(token, now: now) == "w1")
    }

    @Test func `of very many links the oldest make room`() {
        let first = tickets.make("w0", now: now)
        for number in 1...FileTickets.maximumCount { _ = tickets.make("w\(number)", now: now + .seconds(number)) }
        #expect(tickets.begin(first, now: now + .seconds(200)) == nil)
    }

    @Test func `an answer tells whether the client has taken all of it`() async throws {
        let told = Mutex<[Bool]>([])
        let size = 64 << 20
        try await withServer { request in
            var response = HTTPResponse(.ok, body: Data(count: request.path == "/large" ? size : 10))
            response.whenSent = { isComplete in told.withLock { $0.append(isComplete) } }
            return .response(response)
        } _: { (port: Int) async throws in
            _ = try await HTTPListenerTests.ask("/small", at: port)
            #expect(try await PictureFixture.wait { told.withLock { $0 } == [true] })
            try await apart {
                let client = try TCPClient(port: port)
                client.send(HTTPListenerTests.request("/large"))
                // It leaves in the middle.
                _ = client.readBytes { $0.count > 1000 }
            }
            #expect(try await PictureFixture.wait { told.withLock { $0 } == [true, false] })
        }
    }
}
