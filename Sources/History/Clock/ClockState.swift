import Foundation

/// Whether the machine's clock can be believed; stands in every record.
public enum ClockState: String, Sendable, Codable {
    case synced
    case unsynced

    /// What the kernel says.
    public static func now() -> ClockState { ClockReading.now().state }
}

/// What the kernel knows of the clock at one moment.
public struct ClockReading: Sendable, Equatable {
    public var state: ClockState
    /// How far it is still off, as the program that keeps it right has told the kernel.
    public var offsetMs: Int
    /// Since the machine started, sleep included; no step of the clock changes it.
    public var uptimeMs: Int64
    /// Which start of the machine this is: the first eight digits of the kernel's boot id.
    public var boot: String

    public init(state: ClockState, offsetMs: Int = 0, uptimeMs: Int64, boot: String) {
        self.state = state
        self.offsetMs = offsetMs
        self.uptimeMs = uptimeMs
        self.boot = boot
    }

    /// adjtimex(2) answers `TIME_ERROR`, 5, while nobody keeps the clock right.
    public static func now() -> ClockReading {
        // Swift's Glibc module leaves <sys/timex.h> out, so the function is found by name. With `modes` 0 it only
        // reads; its structure has 208 bytes on 64-bit Linux: the offset is the second word, the status the sixth.
        typealias Adjtimex = @convention(c) (UnsafeMutableRawPointer) -> Int32
        var buffer = [UInt64](repeating: 0, count: 64)
        var answer: Int32 = -1
        if let symbol = dlsym(nil, "adjtimex") {
            let adjtimex = unsafeBitCast(symbol, to: Adjtimex.self)
            answer = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map(adjtimex) ?? -1 }
        }
        var uptime = timespec()
        clock_gettime(CLOCK_BOOTTIME, &uptime)
        // STA_NANO says that the offset is nanoseconds instead of microseconds.
        let perMillisecond = buffer[5] & 0x2000 != 0 ? 1_000_000 : 1000
        return ClockReading(
            state: (0..<5).contains(answer) ? .synced : .unsynced,
            offsetMs: Int(Int64(bitPattern: buffer[1])) / perMillisecond,
            uptimeMs: Int64(uptime.tv_sec) * 1000 + Int64(uptime.tv_nsec) / 1_000_000, boot: BootId.current())
    }
}

/// Which start of the machine this is.
public enum BootId {
    /// Where the kernel tells none, no two boots can be told apart.
    static let unknown = "00000000"

    /// The first eight digits of the kernel's boot id; `00000000` where it tells none.
    public static func current() -> String {
        let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        let digits = data.map { String(decoding: $0.prefix(8), as: UTF8.self) } ?? ""
        return digits.count == 8 ? digits : unknown
    }
}
