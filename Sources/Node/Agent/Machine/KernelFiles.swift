import Foundation

/// The files in which the kernel and the system tell of a machine.
struct KernelFiles: Sendable {
    /// The folder that stands for `/`: empty for this machine, or a made-up machine of a test.
    let root: String

    /// What a file says, without blanks around it; `nil` where it cannot be read.
    func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: "\(root)/\(path)").map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines.union(["\0"]))
        }
    }

    /// The lines of a file; empty where it cannot be read.
    func lines(_ path: String) -> [Substring] { text(path)?.split(separator: "\n") ?? [] }

    /// The number that a file holds.
    func number(_ path: String) -> Double? { text(path).flatMap { Double($0) } }

    /// The names in a folder, in order. A missing folder counts as empty.
    func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).sorted()
    }
}
