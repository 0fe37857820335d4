import FlyingSocks

/// Where the events of a stream come from.
package struct EventSource: Sendable {
    /// Waits for something to send; `nil` once the stream has ended.
    package let next: @Sendable () async -> [UInt8]?
    /// Ends the stream.
    let close: @Sendable () -> Void

    /// A source of these two actions.
    package init(next: @escaping @Sendable () async -> [UInt8]?, close: @escaping @Sendable () -> Void) {
        (self.next, self.close) = (next, close)
    }
}

/// Events as the body of a response.
struct EventStream: AsyncBufferedSequence {
    typealias Element = UInt8
    private let lifetime: Lifetime

    /// - Parameter ended: called once nobody reads the stream any more.
    init(source: EventSource, ended: @escaping @Sendable () -> Void) {
        lifetime = Lifetime(source: source, ended: ended)
    }

    func makeAsyncIterator() -> Iterator { Iterator(lifetime: lifetime) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let lifetime: Lifetime

        mutating func next() async throws -> UInt8? {
            preconditionFailure("the server reads whole buffers")
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { await lifetime.source.next() }
    }

    fileprivate final class Lifetime: Sendable {
        let source: EventSource
        private let ended: @Sendable () -> Void

        init(source: EventSource, ended: @escaping @Sendable () -> Void) {
            self.source = source
            self.ended = ended
        }

        deinit {
            source.close()
            ended()
        }
    }
}
