import Foundation
import Glibc

extension ChildProcess {
    /// Starts a command. Returns its process ID and this side's ends of its pipes; `input` and `notes` are -1 without one.
    ///
    /// - Throws: ``CaptureError/decoderMissing(program:)``
    static func spawn(
        _ command: [String], _ source: Input, hasNotes: Bool
    ) throws -> (process: pid_t, input: Int32, out: Int32, err: Int32, notes: Int32) {
        let input = try pipe(for: source)
        let out = try pipe()
        let err = try pipe()
        let notes = hasNotes ? try pipe() : nil
        // A larger pipe saves context switches. A refusal does no harm.
        // 1031 is F_SETPIPE_SZ, which the C library hides behind _GNU_SOURCE.
        _ = fcntl(out.read, 1031, 1 << 20)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, out.write, 1)
        posix_spawn_file_actions_adddup2(&actions, err.write, 2)
        if let notes { posix_spawn_file_actions_adddup2(&actions, notes.write, 3) }
        // A browser's connection that a child holds open would never end, and a port could not be opened again. Glibc
        // ignores descriptors that have been closed since they were listed.
        for descriptor in openDescriptors() where descriptor > (hasNotes ? 3 : 2) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = attributes()
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, command[0], &actions, &attributes, &words, environ)
        close(out.write)
        close(err.write)
        if let notes { close(notes.write) }
        if let input { close(input.read) }
        guard failure == 0 else {
            if let input, input.write >= 0 { close(input.write) }
            close(out.read)
            close(err.read)
            if let notes { close(notes.read) }
            throw CaptureError.decoderMissing(program: command[0])
        }
        return (process, input?.write ?? -1, out.read, err.read, notes?.read ?? -1)
    }

    /// The child gets its own process group: Ctrl-C reaches only this program, and killing the group also ends what the
    /// child started. No signal is blocked, and those that end a program have their default action, whatever this program
    /// was started with. A shell's background job ignores SIGINT, and so would its children.
    private static func attributes() -> posix_spawnattr_t {
        var (none, ending) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&ending)
        for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTERM] { sigaddset(&ending, signal) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ending)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// This process's descriptors; none where `/proc` is missing.
    private static func openDescriptors() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap { Int32($0) }
    }

    /// The pipe for the standard input; `nil` without input. A text is written before the program starts, so the write
    /// neither blocks nor fails when the program ends.
    private static func pipe(for source: Input) throws -> (read: Int32, write: Int32)? {
        guard case .text(let text) = source else {
            if case .written = source { return try pipe() }
            return nil
        }
        let ends = try pipe()
        defer { close(ends.write) }
        _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
        let bytes = Array(text.utf8)
        guard bytes.count <= 4096, Glibc.write(ends.write, bytes, bytes.count) == bytes.count else {
            close(ends.read)
            throw CaptureError.decodingFailed(source: "a stream", reason: "its address is too long")
        }
        return (ends.read, -1)
    }

    /// A pipe that children do not inherit.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw CaptureError.decodingFailed(source: "a pipe", reason: String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
