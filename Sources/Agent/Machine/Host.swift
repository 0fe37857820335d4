import Foundation

/// The machine the node runs on, as far as it tells.
package enum Host {
    /// The board's name, such as `Raspberry Pi 5 Model B`; otherwise the product's, or empty.
    static var model: String {
        for path in ["/proc/device-tree/model", "/sys/class/dmi/id/product_name"] {
            let name = text(path).trimmingCharacters(in: .whitespacesAndNewlines.union(["\0"]))
            if !name.isEmpty { return name }
        }
        return ""
    }

    static var operatingSystem: String {
        for line in text("/etc/os-release").split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
            return String(line.dropFirst(12).replacing("\"", with: ""))
        }
        return "Linux"
    }

    static var architecture: String {
        #if arch(arm64)
            "arm64"
        #else
            "amd64"
        #endif
    }

    /// Resident memory of this process, megabytes.
    package static var memoryMB: Int? {
        text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
            ($0 * Int(getpagesize())) >> 20
        }
    }

    /// Load average of the last minute.
    static var load1: Double? { text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } }

    /// Temperature of the first thermal zone; absent on most virtual machines.
    static var temperatureCelsius: Double? {
        Double(text("/sys/class/thermal/thermal_zone0/temp").trimmingCharacters(in: .whitespacesAndNewlines))
            .map { $0 / 1000 }
    }

    /// Whether a Raspberry Pi's firmware slows the processor down now, for heat or want of current (its documentation
    /// of `get_throttled`, bits 0 to 3); absent elsewhere.
    static let throttledFile = firmware("get_throttled")
    static var isThrottled: Bool? { throttledFile.flatMap(isThrottled(file:)) }

    package static func isThrottled(file: String) -> Bool? {
        let digits = text(file).trimmingCharacters(in: .whitespacesAndNewlines).replacing("0x", with: "")
        return Int(digits, radix: 16).map { $0 & 0xF != 0 }
    }

    private static func firmware(_ name: String) -> String? {
        let root = "/sys/devices/platform"
        // An absent folder has no entries.
        let entries = { (path: String) in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        for chip in entries(root) where chip.hasPrefix("soc") {
            for part in entries("\(root)/\(chip)") where part.hasSuffix("firmware") {
                let file = "\(root)/\(chip)/\(part)/\(name)"
                if FileManager.default.fileExists(atPath: file) { return file }
            }
        }
        return nil
    }

    /// What this process gave to disks to write.
    static var writtenBytes: Int? {
        let line = text("/proc/self/io").split(separator: "\n").first { $0.hasPrefix("write_bytes:") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    /// The same in megabytes.
    package static var writtenMB: Double? { writtenBytes.map { (Double($0) / 1_048_576 * 10).rounded() / 10 } }

    /// Free space and size of the disk where the file at `path` lies, bytes.
    static func disk(at path: String) -> (free: Int, size: Int)? {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let free = attributes?[.systemFreeSize] as? NSNumber, let size = attributes?[.systemSize] as? NSNumber
        else { return nil }
        return (free.intValue, size.intValue)
    }

    static func diskFreeMB(at path: String) -> Int? { disk(at: path).map { $0.free >> 20 } }

    /// Size of a file; 0 where there is none.
    static func bytes(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Size of a file, megabytes.
    static func megabytes(of path: String) -> Double? {
        FileManager.default.fileExists(atPath: path) ? (Double(bytes(of: path)) / 1_048_576 * 10).rounded() / 10 : nil
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
