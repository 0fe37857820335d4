import Foundation
import Synchronization

/// An HTTP server that answers every request in the same way, on a free port.
package final class HTTPCamera: Sendable {
    package enum Answer: Sendable {
        /// Accepts connections and never answers.
        case silence
        /// Sends one byte a second of an endless response.
        case trickle
        /// Serves this file. Without a length it looks like a live stream.
        case file(Data, tellsLength: Bool)
        /// Sends these parts of a live stream, one after each pause, and then closes the connection.
        case parts([Data], type: String, everySeconds: Double)
    }

    /// The requests of all connections.
    private final class Requests: Sendable {
        let text = Mutex("")
    }

    private let requests: Requests
    private let server: LoopbackServer

    /// The port that is listened on.
    package var port: Int { server.port }

    /// All requests so far.
    package var asked: String { requests.text.withLock { $0 } }

    package init(_ answer: Answer) throws {
        let requests = Requests()
        self.requests = requests
        server = try LoopbackServer { connection in Self.serve(connection, answer, requests) }
    }

    /// Stops accepting connections.
    package func stop() { server.stop() }

    private static func serve(_ connection: Int32, _ answer: Answer, _ requests: Requests) {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { return }
            let request = String(decoding: buffer[..<count], as: UTF8.self)
            requests.text.withLock { $0 += request }
            switch answer {
            case .silence: continue
            case .trickle: return trickle(connection)
            case .parts(let parts, let type, let seconds): return pace(parts, type, seconds, to: connection)
            case .file(let data, let tellsLength):
                // An address with a user name also carries the password.
                guard request.contains("Authorization: Basic") else {
                    let refusal = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"gym\"\r\n"
                    _ = write(Data((refusal + "Content-Length: 0\r\n\r\n").utf8), to: connection)
                    continue
                }
                let length = tellsLength ? "Content-Length: \(data.count)\r\n" : ""
                let head = "HTTP/1.1 200 OK\r\nContent-Type: video/x-matroska\r\nConnection: close\r\n\(length)\r\n"
                _ = write(Data(head.utf8) + data, to: connection)
                return
            }
        }
    }

    private static func pace(_ parts: [Data], _ type: String, _ seconds: Double, to connection: Int32) {
        guard write(Data("HTTP/1.0 200 OK\r\nContent-Type: \(type)\r\n\r\n".utf8), to: connection) else { return }
        let began = Date()
        for (index, part) in parts.enumerated() {
            guard write(part, to: connection) else { return }
            // A camera sends at its own pace.
            Thread.sleep(forTimeInterval: max(0, Double(index + 1) * seconds + began.timeIntervalSinceNow))
        }
    }

    private static func trickle(_ connection: Int32) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"
        for byte in Data(head.utf8) + Data(repeating: 0x41, count: 3600) {
            guard write(Data([byte]), to: connection) else { return }
            // The test needs this delay.
            Thread.sleep(forTimeInterval: 1)
        }
    }

    private static func write(_ data: Data, to connection: Int32) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            var done = 0
            while let base = bytes.baseAddress, done < bytes.count {
                let count = send(connection, base + done, bytes.count - done, Int32(MSG_NOSIGNAL))
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }
}
