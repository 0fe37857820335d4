import Foundation

/// Reads a file piece by piece, so that memory does not grow with its size.
final class ByteReader {
    /// The most bytes of a line, a record or an object.
    static let maximumBytes = 16 << 20
    private static let piece = 1 << 18

    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    /// The next byte in ``buffer``.
    private var place = 0
    private var isAtEnd = false
    /// Where ``buffer`` begins in the file.
    private var offset = 0

    /// - Throws: ``FileProblem``.
    init(_ path: String) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw FileProblem(path: path, reason: "it cannot be read: \(String(cString: strerror(errno)))")
        }
        (self.path, self.handle) = (path, handle)
    }

    deinit { try? handle.close() }

    /// Where the next byte lies in the file.
    var position: Int { offset + place }

    /// Goes on at another place.
    func seek(to position: Int) throws {
        do { try handle.seek(toOffset: UInt64(position)) } catch { throw problem(error) }
        (buffer, place, isAtEnd, offset) = ([], 0, false, position)
    }

    /// The next byte; `nil` at the end.
    func next() throws -> UInt8? {
        if place == buffer.count { try fill() }
        guard place < buffer.count else { return nil }
        defer { place += 1 }
        return buffer[place]
    }

    /// The next byte, which stays the next one.
    func peek() throws -> UInt8? {
        if place == buffer.count { try fill() }
        return place < buffer.count ? buffer[place] : nil
    }

    /// Passes the bytes up to the next line break to `body`. The line break itself is left out.
    ///
    /// - Returns: the result of `body`; `nil` at the end.
    /// - Throws: ``FileProblem`` for a line that is too long, or the error of `body`.
    func line<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T? {
        var searched = place
        while true {
            let found = buffer.withUnsafeBufferPointer { bytes in
                bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
            }
            if let found { return try pass(through: found, skipping: 1, body) }
            if isAtEnd { return place == buffer.count ? nil : try pass(through: buffer.count, skipping: 0, body) }
            let before = buffer.count - place
            guard before <= Self.maximumBytes else {
                throw FileProblem(path: path, reason: "it has a line of more than \(Self.maximumBytes >> 20) MB")
            }
            try fill()
            searched = place + before
        }
    }

    private func pass<T>(
        through end: Int, skipping count: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T
    ) throws -> T {
        let start = place
        place = end + count
        return try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Reads the next piece behind what is left.
    private func fill() throws {
        guard !isAtEnd else { return }
        offset += place
        buffer.removeFirst(place)
        place = 0
        do {
            let data = try handle.read(upToCount: Self.piece) ?? Data()
            isAtEnd = data.isEmpty
            buffer.append(contentsOf: data)
        } catch { throw problem(error) }
    }

    private func problem(_ error: any Error) -> FileProblem {
        FileProblem(path: path, reason: "it cannot be read: \(error.fileReason)")
    }
}
