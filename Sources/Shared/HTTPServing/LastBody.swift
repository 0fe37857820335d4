import FlyingFox
import FlyingSocks

/// The body of a response after which the connection ends: the server would take what is left of the request for the
/// next one.
struct LastBody: AsyncBufferedSequence {
    typealias Element = UInt8
    let bytes: [UInt8]
    /// What is left of the request.
    let rest: HTTPBodySequence

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes, rest: rest) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var bytes: [UInt8]?
        fileprivate let rest: HTTPBodySequence

        mutating func next() async throws -> UInt8? {
            preconditionFailure("the server reads whole buffers")
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if let bytes {
                self.bytes = nil
                return bytes
            }
            // A client that is still sending would be cut off before it reads the response. The connection's limits
            // of bytes and time end this.
            for try await _ in rest {}
            // An error is what ends a connection.
            throw CancellationError()
        }
    }
}
