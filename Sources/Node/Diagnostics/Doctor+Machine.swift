import Agent
import Configuration
import Foundation
import History

extension Doctor {
    static func clock(_: Configuration) -> [DiagnosticResult] {
        ClockState.now() == .synced
            ? [.good("clock", "synchronised")]
            : [
                .bad(
                    "clock", "not synchronised; what is stored is marked as unsynced",
                    advice: "timedatectl set-ntp true, and check the network")
            ]
    }

    static func temperature(_: Configuration) -> [DiagnosticResult] { temperature(Host.temperatureCelsius) }

    /// Bad from 80 °C, where a Raspberry Pi begins to slow down; unknown for `nil`.
    package static func temperature(_ celsius: Double?) -> [DiagnosticResult] {
        guard let celsius else { return [.unknown("temperature", "this machine does not report it")] }
        let text = "\(Int(celsius.rounded())) °C"
        return celsius < 80
            ? [.good("temperature", text)]
            : [.bad("temperature", text, advice: "a heat sink or a fan; from 80 °C a Raspberry Pi slows down")]
    }

    static func throttling(_: Configuration) -> [DiagnosticResult] { throttling(Host.isThrottled) }

    /// Bad while the firmware throttles the processor; unknown for `nil`.
    package static func throttling(_ isThrottled: Bool?) -> [DiagnosticResult] {
        switch isThrottled {
        case nil: [.unknown("throttling", "this machine does not report it")]
        case false?: [.good("throttling", "none")]
        case true?:
            [
                .bad(
                    "throttling", "the firmware slows the processor down, because of heat or low voltage",
                    advice: "a heat sink, and the power supply that belongs to the board")
            ]
        }
    }

    static func disk(_ configuration: Configuration) -> [DiagnosticResult] {
        let path = configuration.history.path
        guard let disk = Host.disk(at: nearestFolder(of: path) + "/x") else {
            return [.unknown("disk", "the free space at \(path) is unknown")]
        }
        let text = "\(disk.free >> 20) MB of \(disk.size >> 20) MB are free at \(nearestFolder(of: path))"
        let needed = configuration.history.maximumMegabytes << 20
        if Host.isShort(disk) {
            return [.bad("disk", text, advice: "make room; the history may grow to \(needed >> 20) MB")]
        }
        return [.good("disk", text)]
    }

    /// The folder of a file, or its nearest ancestor that exists.
    static func nearestFolder(of path: String) -> String {
        var folder = URL(filePath: path).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
            folder = folder.deletingLastPathComponent()
        }
        return folder.path
    }
}
