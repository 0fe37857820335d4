import CommandLineProgram
import Foundation

/// The page of `spotter bench --board`: a machine, and what Spotter reaches on it.
struct BoardReport: Encodable {
    struct Machine: Encodable {
        let model, processor: String
        let cores: Int
        let memoryMB: Int?
        let os, kernel, arch: String
        /// The clock in MHz at most.
        let clockMHz: Double?

        enum CodingKeys: String, CodingKey {
            case model, processor, cores, os, kernel, arch
            case memoryMB = "memory_mb"
            case clockMHz = "clock_mhz"
        }
    }

    struct Network: Encodable {
        let file, sha256: String
    }

    /// What the machine reaches with this many people, and what it tells meanwhile; `nil` where it tells nothing.
    struct Scene: Encodable {
        let people: Int
        let framesPerSecond: Double
        let median: Double
        let watts, celsius, clockMHz: Double?
        /// Whether heat or low voltage slowed the processor down.
        let throttled: Bool?

        enum CodingKeys: String, CodingKey {
            case people, watts, throttled
            case framesPerSecond = "fps"
            case median = "ms_median"
            case celsius = "temp_c"
            case clockMHz = "clock_mhz"
        }
    }

    let version: String
    let machine: Machine
    let networks: [Network]
    let kernels: String
    let threads: Int
    /// Seconds of each scene.
    let seconds: Double
    /// The clip whose people are followed; `nil` for the networks alone.
    let clip: String?
    let idleWatts, idleCelsius: Double?
    var scenes: [Scene] = []

    enum CodingKeys: String, CodingKey {
        case version, machine, networks, kernels, threads, seconds, clip, scenes
        case idleWatts = "idle_watts"
        case idleCelsius = "idle_temp_c"
    }

    /// The page in Markdown, for people and for a form.
    var lines: [String] {
        let memory = machine.memoryMB.map { "\($0) MB" } ?? "unknown"
        let clock = machine.clockMHz.map { ", up to \(Int($0)) MHz" } ?? ""
        let facts = [
            ("Spotter", version), ("machine", machine.model.isEmpty ? "unknown" : machine.model),
            ("processor", (machine.processor.isEmpty ? "unknown" : machine.processor) + clock),
            ("cores, memory", "\(machine.cores), \(memory)"),
            ("system", "\(machine.os), \(machine.arch), kernel \(machine.kernel)"),
            ("networks", networks.map { "\($0.file) \($0.sha256.prefix(12))" }.joined(separator: ", ")),
            ("kernels, threads", "\(kernels), \(threads)"),
            ("at rest", [Self.watts(idleWatts), Self.celsius(idleCelsius)].joined(separator: ", ")),
            ("measured", "\(clip.map { "people of \($0)" } ?? "the networks alone"), \(Int(seconds)) s for each row"),
        ]
        let rows = scenes.map { scene in
            let number = { (value: Double) in String(format: value < 10 ? "%.1f" : "%.0f", value) }
            let cells = [
                "\(scene.people)", number(scene.framesPerSecond), String(format: "%.1f", scene.median),
                Self.watts(scene.watts), Self.celsius(scene.celsius), scene.clockMHz.map { "\(Int($0)) MHz" } ?? "-",
                scene.throttled.map { $0 ? "yes" : "no" } ?? "-",
            ]
            return Self.row(cells)
        }
        return [Self.row(["what", "value"]), "|---|---|"] + facts.map { Self.row([$0.0, $0.1]) } + [""]
            + [Self.row(["people", "frames/s", "ms, median", "power", "temperature", "clock", "slowed down"])]
            + ["|---:|---:|---:|---:|---:|---:|---|"] + rows
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "/") }.joined(separator: " | ") + " |"
    }

    private static func watts(_ watts: Double?) -> String { watts.map { String(format: "%.1f W", $0) } ?? "-" }

    private static func celsius(_ celsius: Double?) -> String { celsius.map { String(format: "%.0f °C", $0) } ?? "-" }
}
