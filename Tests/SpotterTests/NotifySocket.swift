import Foundation

/// The service manager's end of sd_notify: a socket that records every datagram.
final class NotifySocket {
    let path: String
    private let descriptor: Int32
    /// Every message so far, with its time of arrival.
    private(set) var messages: [(time: Date, text: String)] = []

    init(in folder: URL) throws {
        path = folder.appending(path: "notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isBound = withUnsafePointer(to: address) { pointer in
            // sockaddr_un is laid out as a sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Listens for this long, or until the messages fulfil a condition.
    @discardableResult
    func listen(_ seconds: Double, until isEnough: ([String]) -> Bool = { _ in false }) -> Bool {
        let deadline = Date() + seconds
        while Date() < deadline {
            if isEnough(messages.map(\.text)) { return true }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) == 1 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { messages.append((Date(), String(decoding: bytes.prefix(count), as: UTF8.self))) }
        }
        return isEnough(messages.map(\.text))
    }

    /// How often a message arrived since a time.
    func count(_ word: String, since: Date = .distantPast) -> Int {
        messages.count { $0.time >= since && $0.text.split(separator: "\n").contains { $0 == word } }
    }
}

/// One thread of another process, stopped from outside while all others continue (ptrace(2)).
///
/// The thread that creates the value must also release it.
struct FrozenThread {
    private let thread: pid_t

    /// Stops the busiest thread, which is the one that finds poses.
    init?(busiestOf process: pid_t) {
        let before = Self.times(process)
        // Measure processor time over a second.
        Thread.sleep(forTimeInterval: 1)
        let work = Self.times(process).merging(before) { $0 - $1 }
        guard let busiest = work.max(by: { $0.value < $1.value }) else { return nil }
        thread = busiest.key
        // PTRACE_SEIZE, PTRACE_INTERRUPT
        guard Self.ptrace(0x4206, thread) == 0, Self.ptrace(0x4207, thread) == 0 else { return nil }
        var status: Int32 = 0
        // __WALL: threads as well.
        guard waitpid(thread, &status, Int32(bitPattern: 0x4000_0000)) == thread else { return nil }
    }

    /// Processor time of every thread, in ticks.
    private static func times(_ process: pid_t) -> [pid_t: Int] {
        let folder = "/proc/\(process)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: [:]) { times, name in
            guard let line = try? String(contentsOfFile: "\(folder)/\(name)/stat", encoding: .utf8),
                let fields = line.split(separator: ")").last?.split(separator: " "), fields.count > 12,
                let thread = pid_t(name), let time = Int(fields[11])
            else { return }
            times[thread] = time
        }
    }

    /// PTRACE_DETACH
    func letGo() { _ = Self.ptrace(17, thread) }

    /// Swift cannot call variadic functions; on Linux `ptrace` can be called like one with fixed arguments.
    private static func ptrace(_ request: Int, _ thread: pid_t) -> Int {
        typealias Function = @convention(c) (Int, pid_t, Int, Int) -> Int
        guard let symbol = dlsym(nil, "ptrace") else { return -1 }
        return unsafeBitCast(symbol, to: Function.self)(request, thread, 0, 0)
    }
}
