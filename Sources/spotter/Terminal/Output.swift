import Foundation
import Synchronization

/// Standard output: data for people and programs.
///
/// A write that fails ends the program: with 141 when the reader has gone, as `head` does, and else with 74 and the
/// reason on standard error. Nobody takes half an answer for a whole one.
enum Output {
    private static let waiting = Mutex<[UInt8]>([])
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// A line for people; control characters in it are replaced, so that no text from outside rules the terminal.
    static func line(_ text: String = "", terminator: String = "\n") { raw(text.printable + terminator) }

    /// Text as it is: JSON, or a line with colours.
    static func raw(_ text: String) {
        let count = waiting.withLock { waiting in
            waiting.append(contentsOf: text.utf8)
            return waiting.count
        }
        if isTerminal || count >= 65_536 { flush() }
    }

    /// Writes what waits; to be called before the program ends, and by whoever is live.
    static func flush() {
        let bytes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do { try Descriptor.write(bytes, to: STDOUT_FILENO) } catch { end(error) }
    }

    private static func end(_ error: Errno) -> Never {
        if error.code != EPIPE {
            Terminal.print(
                "spotter: writing standard output failed (\(error)): free some disk space, or name another file")
        }
        exit(error.code == EPIPE ? ExitStatus.brokenPipe.rawValue : ExitStatus.inputOutput.rawValue)
    }
}

/// What the system says of a failed call.
struct Errno: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
}

/// File descriptors 0 to 2, which may be closed, full, or read by nobody.
enum Descriptor {
    /// Opens what is closed, so that no file of the program's own gets the number of standard output. Writing there
    /// still fails: the stand-in is open for reading only. A reader that goes away is an error like any other.
    static func prepareStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// - Throws: the error that kept some of the bytes from being written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                waitUntilWritable(descriptor, milliseconds: 1000)
            } else if count < 0, errno != EINTR {
                throw Errno(code: errno)
            }
        }
    }

    /// Writes if that is possible within a moment, and else leaves it: for what must never hold up the program.
    ///
    /// - Returns: whether all of it was written.
    static func offer(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        // A pipe that is reported writable takes 4096 bytes without blocking (pipe(7)).
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waitUntilWritable(descriptor, milliseconds: 100) else { return false }
            let count = rest.prefix(4096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    @discardableResult
    private static func waitUntilWritable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0 && request.revents & Int16(POLLOUT) != 0
    }
}

extension String {
    /// Control characters, and those that turn the direction of text, replaced; line breaks and tabs stay.
    var printable: String { replacingControls { $0 == "\n" || $0 == "\t" } }

    /// The same on one line.
    var singleLine: String { replacingControls { _ in false } }

    private func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        func isReplaced(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl && !isKept(scalar) }
        guard unicodeScalars.contains(where: isReplaced) else { return self }
        var text = ""
        for scalar in unicodeScalars { text.unicodeScalars.append(isReplaced(scalar) ? "\u{FFFD}" : scalar) }
        return text
    }
}

extension Unicode.Scalar {
    /// C0, DEL and C1, line and paragraph separators, and the marks that reorder what is shown.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
