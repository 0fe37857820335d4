import Foundation

/// Whether the machine's clock can be believed; stands in every record.
public enum ClockState: String, Sendable, Codable {
    case synced
    case unsynced

    /// What the kernel says (adjtimex(2), which answers `TIME_ERROR`, 5, while nobody keeps the clock right).
    public static func now() -> ClockState {
        // Swift's Glibc module leaves <sys/timex.h> out, so the function is found by name. With `modes` 0 it only
        // reads; its structure has 208 bytes on 64-bit Linux.
        typealias Adjtimex = @convention(c) (UnsafeMutableRawPointer) -> Int32
        guard let symbol = dlsym(nil, "adjtimex") else { return .unsynced }
        let adjtimex = unsafeBitCast(symbol, to: Adjtimex.self)
        var buffer = [UInt64](repeating: 0, count: 64)
        let answer = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map(adjtimex) ?? -1 }
        return (0..<5).contains(answer) ? .synced : .unsynced
    }
}
