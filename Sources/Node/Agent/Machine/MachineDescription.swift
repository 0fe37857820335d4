import Foundation

/// What a machine is: board, processor, memory and system, as the kernel tells.
package struct MachineDescription: Sendable {
    private let files: KernelFiles

    /// This machine.
    ///
    /// - Parameter root: a folder with `sys`, `proc` and `etc` of another machine, for tests.
    package init(root: String = "") { files = KernelFiles(root: root) }

    /// The board's name, such as `Raspberry Pi 5 Model B Rev 1.0`, or the product's name; empty if unknown.
    package var model: String {
        ["proc/device-tree/model", "sys/class/dmi/id/product_name"].lazy.compactMap(files.text).first { !$0.isEmpty }
            ?? ""
    }

    /// The processor's name, such as `Cortex-A76`; empty if unknown. Several kinds of cores are joined by ` and `.
    package var processor: String {
        let cores = files.lines("proc/cpuinfo").compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "model name": return parts[1]
            case "CPU part": return Self.armCores[parts[1].lowercased()] ?? "Arm core \(parts[1])"
            default: return nil
            }
        }
        return cores.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " and ")
    }

    /// The cores of boards that people use for cameras, by the part number in Arm's register MIDR_EL1.
    private static let armCores = [
        "0xd03": "Cortex-A53", "0xd04": "Cortex-A35", "0xd05": "Cortex-A55", "0xd07": "Cortex-A57",
        "0xd08": "Cortex-A72", "0xd09": "Cortex-A73", "0xd0a": "Cortex-A75", "0xd0b": "Cortex-A76",
        "0xd0c": "Neoverse-N1", "0xd0d": "Cortex-A77", "0xd40": "Neoverse-V1", "0xd41": "Cortex-A78",
        "0xd42": "Cortex-A78AE", "0xd49": "Neoverse-N2", "0xd4f": "Neoverse-V2",
    ]

    /// The cores that the system uses.
    package var cores: Int { files.lines("proc/cpuinfo").count { $0.hasPrefix("processor") } }

    /// The memory in MiB; `nil` if unknown.
    package var memoryMB: Int? {
        let line = files.lines("proc/meminfo").first { $0.hasPrefix("MemTotal:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 >> 10 }
    }

    /// The kernel's version; empty if unknown.
    package var kernel: String { files.text("proc/sys/kernel/osrelease") ?? "" }

    /// The system's name, such as `Debian GNU/Linux 13 (trixie)`.
    package var operatingSystem: String {
        for line in files.lines("etc/os-release") where line.hasPrefix("PRETTY_NAME=") {
            return String(line.dropFirst(12).replacing("\"", with: ""))
        }
        return "Linux"
    }
}
