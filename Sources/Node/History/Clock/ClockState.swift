import Foundation

/// Whether the machine's clock is synchronised. Every record has this state.
public enum ClockState: String, Sendable, Codable {
    /// The clock is kept right, for example by NTP.
    case synced
    /// Nothing keeps the clock right.
    case unsynced

    /// The kernel's current state.
    public static func now() -> ClockState { ClockReading.now().state }
}

/// The kernel's state of the clock at one moment.
public struct ClockReading: Sendable, Equatable {
    /// Whether the clock is synchronised.
    public var state: ClockState
    /// How far the clock is still off, as the time daemon reported to the kernel, milliseconds.
    public var offsetMs: Int
    /// Time since the machine started, sleep included, milliseconds. Setting the clock does not change it.
    public var uptimeMs: Int64
    /// The boot: the first eight digits of the kernel's boot id.
    public var boot: String

    /// A reading with these values.
    public init(state: ClockState, offsetMs: Int = 0, uptimeMs: Int64, boot: String) {
        self.state = state
        self.offsetMs = offsetMs
        self.uptimeMs = uptimeMs
        self.boot = boot
    }

    /// The current reading. adjtimex(2) returns `TIME_ERROR`, 5, while the clock is not synchronised.
    public static func now() -> ClockReading {
        // Swift's Glibc module lacks <sys/timex.h>, so the function is looked up by name. With `modes` 0 it only reads.
        // Its structure has 208 bytes on 64-bit Linux: the offset is the second word, the status the sixth.
        typealias Adjtimex = @convention(c) (UnsafeMutableRawPointer) -> Int32
        var buffer = [UInt64](repeating: 0, count: 64)
        var answer: Int32 = -1
        if let symbol = dlsym(nil, "adjtimex") {
            let adjtimex = unsafeBitCast(symbol, to: Adjtimex.self)
            answer = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map(adjtimex) ?? -1 }
        }
        var uptime = timespec()
        clock_gettime(CLOCK_BOOTTIME, &uptime)
        // STA_NANO means that the offset is in nanoseconds instead of microseconds.
        let perMillisecond = buffer[5] & 0x2000 != 0 ? 1_000_000 : 1000
        return ClockReading(
            state: (0..<5).contains(answer) ? .synced : .unsynced,
            offsetMs: Int(Int64(bitPattern: buffer[1])) / perMillisecond,
            uptimeMs: Int64(uptime.tv_sec) * 1000 + Int64(uptime.tv_nsec) / 1_000_000, boot: BootId.current())
    }
}

/// Identifies one boot of the machine.
public enum BootId {
    /// The id when the kernel has none. Boots with this id cannot be told apart.
    static let unknown = "00000000"

    /// The first eight digits of the kernel's boot id; `00000000` when it has none.
    public static func current() -> String {
        let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        let digits = data.map { String(decoding: $0.prefix(8), as: UTF8.self) } ?? ""
        return digits.count == 8 ? digits : unknown
    }
}
