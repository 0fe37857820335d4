import Foundation

/// Facts about the machine, where it reports them.
package enum Host {
    /// What the machine is.
    package static let machine = MachineDescription()

    /// `arm64` or `amd64`.
    package static var architecture: String {
        #if arch(arm64)
            "arm64"
        #else
            "amd64"
        #endif
    }

    /// Resident memory of this process, in MiB.
    package static var memoryMB: Int? {
        (files.text("proc/self/statm") ?? "").split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
            ($0 * Int(getpagesize())) >> 20
        }
    }

    /// The load average over one minute.
    static var load1: Double? { files.text("proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } }

    /// What the machine tells of heat, power and clock.
    package static let sensors = MachineSensors()

    /// Bytes that this process wrote to disks.
    static var writtenBytes: Int? {
        let line = files.lines("proc/self/io").first { $0.hasPrefix("write_bytes:") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    /// The same in MiB, rounded to a tenth.
    package static var writtenMB: Double? { writtenBytes.map { (Double($0) / 1_048_576 * 10).rounded() / 10 } }

    /// Free space and size, in bytes, of the file system that holds the file at `path`.
    package static func disk(at path: String) -> (free: Int, size: Int)? {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let free = attributes?[.systemFreeSize] as? NSNumber, let size = attributes?[.systemSize] as? NSNumber
        else { return nil }
        return (free.intValue, size.intValue)
    }

    /// Whether there is next to no room: less than a tenth of the file system, or less than 200 MiB.
    package static func isShort(_ disk: (free: Int, size: Int)) -> Bool {
        disk.free < disk.size / 10 || disk.free < 200 << 20
    }

    /// Free space in MiB of the file system that holds the file at `path`.
    package static func diskFreeMB(at path: String) -> Int? { disk(at: path).map { $0.free >> 20 } }

    /// The size of a file in bytes; 0 if it does not exist.
    static func bytes(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The size of a file in MiB, rounded to a tenth.
    static func megabytes(of path: String) -> Double? {
        FileManager.default.fileExists(atPath: path) ? (Double(bytes(of: path)) / 1_048_576 * 10).rounded() / 10 : nil
    }

    private static let files = KernelFiles(root: "")
}
