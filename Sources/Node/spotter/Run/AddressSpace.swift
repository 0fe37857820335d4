import Agent
import Foundation

/// If it is too small, no thread can be started, and a process without threads does not handle signals. So it is
/// checked before anything else.
enum AddressSpace {
    /// MB. Measured with two malloc arenas on amd64: 440 MB for one source, 37 MB for each further one; rounded up.
    private static let (first, further) = (512, 64)

    /// Limits malloc to two arenas instead of eight per core: each reserves 64 MB of addresses, and more do not help on
    /// a machine with little memory.
    static func keepSmall() {
        // Swift's Glibc module omits <malloc.h>, so the function is looked up by name; -8 is M_ARENA_MAX.
        typealias Mallopt = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Mallopt.self)(-8, 2)
    }

    /// - Throws: ``TooSmall`` when recognition of this many sources would not fit.
    static func check(sources: Int) throws(TooSmall) {
        let needed = first + further * max(0, sources - 1)
        if let limitMB, limitMB < needed { throw TooSmall(limitMB: limitMB, neededMB: needed) }
    }

    /// Whether the limit is too small even for one source.
    static var isTooSmall: Bool { limitMB.map { $0 < first } ?? false }

    /// The limit in MiB; `nil` if there is none.
    private static var limitMB: Int? {
        var limit = rlimit()
        // RLIM_INFINITY is the largest number.
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur >> 20)
    }

    struct TooSmall: Error, CustomStringConvertible {
        let limitMB: Int
        let neededMB: Int
        var description: String {
            "the address space is limited to \(limitMB) MB, and recognition needs \(neededMB) MB: "
                + "raise the limit (`ulimit -v`, or LimitAS= of the service)"
        }
    }
}
