import Capture
import Foundation
import Synchronization
import TestSupport

/// Files for readers that need one, in a folder that is deleted with this process.
enum Scratch {
    private static let folder = Mutex<TemporaryFolder?>(nil)

    /// The folder, the same one for the whole run.
    static func url() throws -> URL {
        try folder.withLock { folder in
            if let folder { return folder.url }
            let made = try TemporaryFolder()
            folder = made
            atexit { Scratch.remove() }
            return made.url
        }
    }

    /// A file with these bytes in its own folder, so that two tests do not write to one file.
    static func file<T>(_ name: String, _ bytes: Data, _ read: (URL) throws -> T) throws -> T {
        let place = try url().appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appending(path: name)
        try bytes.write(to: file)
        return try read(file)
    }

    private static func remove() { folder.withLock { $0 = nil } }
}

/// Waits for asynchronous work, since libFuzzer's callback is synchronous.
///
/// The work has its own thread. Tests block threads of the shared pool here, so work on that pool could deadlock.
func finish(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Task.detached(executorPreference: SerialTaskExecutor(label: "fuzz")) {
        do { try await work() } catch { failure.withLock { $0 = error } }
        done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
