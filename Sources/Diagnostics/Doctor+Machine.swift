import Foundation
import History

extension Doctor {
    static func clock(_: Configuration) -> [DiagnosticResult] {
        ClockState.now() == .synced
            ? [.good("clock", "kept right")]
            : [
                .bad(
                    "clock", "nobody keeps the clock right; what is stored is marked as unsynced",
                    advice: "timedatectl set-ntp true, and see that the network is there")
            ]
    }

    static func temperature(_: Configuration) -> [DiagnosticResult] { temperature(Host.temperatureCelsius) }

    package static func temperature(_ celsius: Double?) -> [DiagnosticResult] {
        guard let celsius else { return [.unknown("temperature", "this machine does not tell")] }
        let text = "\(Int(celsius.rounded())) °C"
        return celsius < 80
            ? [.good("temperature", text)]
            : [.bad("temperature", text, advice: "a heat sink or a fan; from 80 °C a Raspberry Pi slows down")]
    }

    static func throttling(_: Configuration) -> [DiagnosticResult] { throttling(Host.isThrottled) }

    package static func throttling(_ isThrottled: Bool?) -> [DiagnosticResult] {
        switch isThrottled {
        case nil: [.unknown("throttling", "this machine does not tell")]
        case false?: [.good("throttling", "none")]
        case true?:
            [
                .bad(
                    "throttling", "the firmware slows the processor down, for heat or want of current",
                    advice: "a heat sink, and the power supply that belongs to the board")
            ]
        }
    }

    static func disk(_ configuration: Configuration) -> [DiagnosticResult] {
        let path = configuration.history.path
        guard let disk = Host.disk(at: nearestFolder(of: path) + "/x") else {
            return [.unknown("disk", "no free space is told for \(path)")]
        }
        let text = "\(disk.free >> 20) MB of \(disk.size >> 20) MB are free at \(nearestFolder(of: path))"
        let needed = configuration.history.maximumMegabytes << 20
        if disk.free < disk.size / 10 || disk.free < 200 << 20 {
            return [.bad("disk", text, advice: "make room; the history may grow to \(needed >> 20) MB")]
        }
        return [.good("disk", text)]
    }

    /// The folder of a file, or the first above it that is there.
    static func nearestFolder(of path: String) -> String {
        var folder = URL(filePath: path).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
            folder = folder.deletingLastPathComponent()
        }
        return folder.path
    }
}
