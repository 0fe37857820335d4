import Foundation

/// The edge of its memory at which a buffer lies; see ``withGuardedBytes(count:edge:_:)``.
package enum GuardedEdge: CaseIterable {
    case start, end
}

/// Calls `body` with `count` zeros at one edge of their memory, as in a camera's buffer: an access beyond that edge is a
/// fault at once.
package func withGuardedBytes<Result>(
    count: Int, edge: GuardedEdge = .end, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
) throws -> Result {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let room = max(page, (count + page - 1) / page * page)
    guard
        let memory = mmap(nil, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        memory != MAP_FAILED
    else { throw POSIXError(.ENOMEM) }
    defer { munmap(memory, room + 2 * page) }
    mprotect(memory, page, PROT_NONE)
    mprotect(memory + page + room, page, PROT_NONE)
    let start = memory + page + (edge == .end ? room - count : 0)
    return try body(UnsafeMutableRawBufferPointer(start: start, count: count))
}

/// Calls `body` with a copy of `content` that ends where its memory ends.
package func withGuardedBytes<Result>(
    _ content: some Collection<UInt8>, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
) throws -> Result {
    try withGuardedBytes(count: content.count) { bytes in
        bytes.copyBytes(from: content)
        return try body(bytes)
    }
}
