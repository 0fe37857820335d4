import Foundation
import Synchronization

/// Standard output: data for people and programs.
///
/// A failed write ends the program, so that nobody mistakes a partial answer for a complete one. The exit code is 141
/// when the reader has gone, as with `head`. Otherwise it is 74, with the reason on standard error.
package enum Output {
    private static let buffer = Mutex<[UInt8]>([])
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Prints a line for people. Control characters are replaced, so that text from outside cannot control the
    /// terminal.
    package static func line(_ text: String = "", terminator: String = "\n") { raw(text.printable + terminator) }

    /// Prints text unchanged: JSON, or a line with colours.
    package static func raw(_ text: String) { raw(text.utf8) }

    /// Prints bytes unchanged.
    package static func raw(_ bytes: some Sequence<UInt8>) {
        let count = buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            return buffer.count
        }
        if isTerminal || count >= 65_536 { flush() }
    }

    /// Writes the buffered text. Call it before the program ends, and after each line of live output.
    package static func flush() {
        let bytes = buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
        do { try Descriptor.write(bytes, to: STDOUT_FILENO) } catch { end(error) }
    }

    private static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "spotter"
    }

    private static func end(_ error: Errno) -> Never {
        if error.code != EPIPE {
            Terminal.print(
                "\(program): writing standard output failed (\(error)): free some disk space, or name another file")
        }
        exit(error.code == EPIPE ? ExitStatus.brokenPipe.rawValue : ExitStatus.inputOutput.rawValue)
    }
}

/// The error code of a failed system call.
package struct Errno: Error, CustomStringConvertible {
    /// `errno`.
    package let code: Int32
    package var description: String { String(cString: strerror(code)) }
}

/// File descriptors 0 to 2, which may be closed, full, or without a reader.
package enum Descriptor {
    /// Opens closed descriptors, so that no file of the program gets the number of standard output. Writing there still
    /// fails, because the stand-in is read-only. Also ignores SIGPIPE, so that a reader that goes away causes an
    /// ordinary error.
    package static func prepareStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) takes the lowest free number, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes all bytes; blocks while the descriptor is full.
    ///
    /// - Throws: the error that prevented it.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
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

    /// Writes if the descriptor accepts data within 100 ms, and otherwise gives up. For output that must never delay
    /// the program.
    ///
    /// - Returns: whether everything was written.
    package static func offer(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
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
    /// The text with control characters and direction marks replaced; line breaks and tabs stay.
    package var printable: String { replacingControls { $0 == "\n" || $0 == "\t" } }

    /// The same, with line breaks and tabs replaced too.
    package var singleLine: String { replacingControls { _ in false } }

    private func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        func isReplaced(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl && !isKept(scalar) }
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        guard unicodeScalars.contains(where: isReplaced) else { return self }
        var text = ""
        for scalar in unicodeScalars { text.unicodeScalars.append(isReplaced(scalar) ? "\u{FFFD}" : scalar) }
        return text
    }
}

extension Unicode.Scalar {
    /// C0, DEL and C1 controls, line and paragraph separators, and marks that change the direction of text.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
