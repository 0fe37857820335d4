import Foundation

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
