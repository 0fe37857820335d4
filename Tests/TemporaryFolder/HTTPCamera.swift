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
    }

    package let port: Int
    private let listener: Int32
    private let answer: Answer
    private let requests = Mutex("")

    /// All requests so far.
    package var asked: String { requests.withLock { $0 } }

    package init(_ answer: Answer) throws {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                Thread { self.serve(connection) }.start()
            }
        }.start()
    }

    /// Stops accepting connections.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { return }
            let request = String(decoding: buffer[..<count], as: UTF8.self)
            requests.withLock { $0 += request }
            switch answer {
            case .silence: continue
            case .trickle: return trickle(connection)
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

    private func trickle(_ connection: Int32) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"
        for byte in Data(head.utf8) + Data(repeating: 0x41, count: 3600) {
            guard write(Data([byte]), to: connection) else { return }
            // The test needs this delay.
            Thread.sleep(forTimeInterval: 1)
        }
    }

    private func write(_ data: Data, to connection: Int32) -> Bool {
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
