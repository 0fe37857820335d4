import Agent
import Configuration
import Foundation
import History
import Records

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

    static func temperature(_: Configuration) -> [DiagnosticResult] { temperature(Host.sensors.temperatureCelsius) }

    /// Bad from 80 °C, where a Raspberry Pi begins to slow down; unknown for `nil`.
    package static func temperature(_ celsius: Double?) -> [DiagnosticResult] {
        guard let celsius else { return [.unknown("temperature", "this machine does not report it")] }
        let text = "\(Int(celsius.rounded())) °C"
        return celsius < 80
            ? [.good("temperature", text)]
            : [.bad("temperature", text, advice: "a heat sink or a fan; from 80 °C a Raspberry Pi slows down")]
    }

    static func throttling(_: Configuration) -> [DiagnosticResult] { throttling(Host.sensors.throttling) }

    /// Bad while heat or a low voltage slows the processor down, a warning where that has been; unknown for `nil`.
    package static func throttling(_ found: Throttling?) -> [DiagnosticResult] {
        guard let found else { return [.unknown("throttling", "this machine does not report it")] }
        var results: [DiagnosticResult] = []
        let cooling = Throttling.coolingAdvice
        let times = found.count.map { $0 > 0 ? ", \($0.counted("time"))" : "" } ?? ""
        if found.isHot {
            results.append(
                .bad("throttling", "the processor is slowed down because it is hot", advice: cooling))
        } else if found.wasHot || found.count ?? 0 > 0 {
            results.append(
                .warning(
                    "throttling", "the processor was slowed down since the start because it was hot\(times)",
                    advice: cooling))
        }
        let supply = Throttling.supplyAdvice
        if found.isVoltageLow {
            results.append(.bad("throttling", "the power supply gives too little voltage", advice: supply))
        } else if found.wasVoltageLow {
            results.append(
                .warning("throttling", "the power supply gave too little voltage since the start", advice: supply))
        }
        return results.isEmpty ? [.good("throttling", "none")] : results
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
