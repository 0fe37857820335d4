@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Whether SIGTERM or SIGINT has asked the process to stop, across a restart.
///
/// The node's only listener for both signals. A node restarts itself by replacing its program: a signal that arrives while
/// the old program shuts down, or before the new one listens, is kept.
public enum StopRequest {
    private static let signals = [SIGTERM, SIGINT]
    private static let arrived = Atomic(false)
    private static let isReplacing = Atomic(false)

    /// Whether one of the signals has arrived.
    public static var hasArrived: Bool { arrived.load(ordering: .sequentiallyConsistent) }

    /// Listens from the first line of a program that has replaced another one. Blocked signals show that it has.
    ///
    /// Call it before the main thread first waits: Dispatch unblocks every signal then.
    public static func listenAfterRestart() {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        guard signals.allSatisfy({ sigismember(&mask, $0) == 1 }) else { return }
        // Otherwise `ps` would call it "exe", after the path that it was started by.
        Thread.current.name = "spotter"
        // The flag is made at its first use, which must not be in the handler.
        arrived.store(false, ordering: .sequentiallyConsistent)
        handle { _ in StopRequest.arrived.store(true, ordering: .sequentiallyConsistent) }
        for number in signals { sigdelset(&mask, number) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Runs an action when one of the signals arrives, at once if one has. It listens as long as the process lasts.
    package static func listen(_ action: @escaping @Sendable () -> Void) {
        for number in signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                arrived.store(true, ordering: .sequentiallyConsistent)
                action()
                // A handler that holds its source keeps it alive.
                _ = source
            }
            source.setRegistrationHandler { if hasArrived { action() } }
            source.resume()
        }
    }

    /// Replaces the program with a new one of the same arguments and process id, so that a service manager does not notice.
    ///
    /// A signal that arrives meanwhile stays pending for the new program.
    ///
    /// - Returns: only if the program was not replaced: 0 if a signal has arrived, otherwise `errno`.
    public static func replaceProgram() -> Int32 {
        isReplacing.store(true, ordering: .sequentiallyConsistent)
        defer { isReplacing.store(false, ordering: .sequentiallyConsistent) }
        // Threads that do not block the signal wait here with it blocked, until they end with the old program.
        handle { number in
            kill(getpid(), number)
            while StopRequest.isReplacing.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
        }
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in signals { sigaddset(&mask, number) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // Dispatch takes a moment to hand over a signal that came before.
        usleep(50_000)
        guard !hasArrived else { return 0 }
        let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        keepDescriptorsFromNewProgram()
        execv("/proc/self/exe", arguments)
        return errno
    }

    /// The new program opens what it needs. Some libraries open descriptors that would survive, some more at each restart.
    private static func keepDescriptorsFromNewProgram() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let descriptor = withUnsafePointer(to: &entry.pointee.d_name) {
                atoi(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }

    /// Installs a handler that neither of the signals interrupts.
    private static func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        for number in signals { sigaddset(&action.sa_mask, number) }
        for number in signals { sigaction(number, &action, nil) }
    }
}
