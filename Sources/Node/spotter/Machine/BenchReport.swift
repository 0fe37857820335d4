import CommandLineProgram
import Foundation
import NeuralNet
import Records

/// The output of `spotter bench`.
struct BenchReport: Encodable {
    struct Stage: Encodable {
        let name: String
        let fastest: Double
        let median: Double
        var gflops: Double?

        enum CodingKeys: String, CodingKey {
            case name, gflops
            case fastest = "ms_min"
            case median = "ms_median"
        }
    }

    /// The cost of a frame with this many people, all followed.
    struct Scene: Encodable {
        let people: Int
        /// The mean includes the searches for newcomers; the median mostly does not.
        let mean: Double
        let median: Double
        let framesPerSecond: Double
        /// People followed, on average over the frames.
        let followed: Double

        enum CodingKeys: String, CodingKey {
            case people, followed
            case mean = "ms_mean"
            case median = "ms_median"
            case framesPerSecond = "fps"
        }
    }

    let kernels: String
    let threads: Int
    let peakGFLOPs: Double
    let loadMilliseconds: Double
    var memoryMB = 0.0
    private(set) var stages: [Stage] = []
    private(set) var layers: [Stage] = []
    var scenes: [Scene] = []

    enum CodingKeys: String, CodingKey {
        case kernels, threads, stages, layers, scenes
        case peakGFLOPs = "peak_gflops"
        case loadMilliseconds = "load_ms"
        case memoryMB = "rss_mb"
    }

    init(kernels: String, threads: Int, peakGFLOPs: Double, loadMilliseconds: Double) {
        self.kernels = kernels
        self.threads = threads
        self.peakGFLOPs = peakGFLOPs
        self.loadMilliseconds = loadMilliseconds
    }

    mutating func add(_ name: String, _ durations: [Duration]) {
        stages.append(Self.stage(name, durations.map(\.milliseconds), megaMultiplications: 0))
    }

    /// Measures a network as a whole, then layer by layer.
    mutating func add(
        network name: String, _ layers: [NetworkLayer], rounds: Int, run: () -> Void, timedRun: () -> [Duration]
    ) {
        let whole = measure(rounds, run).map(\.milliseconds)
        let work = layers.reduce(0) { $0 + $1.megaMultiplications }
        stages.append(Self.stage(name, whole, megaMultiplications: work))
        let runs = (0..<rounds).map { _ in timedRun().map(\.milliseconds) }
        for (index, layer) in layers.enumerated() {
            self.layers.append(
                Self.stage(
                    "\(name) \(index + 1) \(layer.name)", runs.map { $0[index] },
                    megaMultiplications: layer.megaMultiplications))
        }
    }

    private static func stage(_ name: String, _ milliseconds: [Double], megaMultiplications work: Double) -> Stage {
        let sorted = milliseconds.sorted()
        guard let fastest = sorted.first else { return Stage(name: name, fastest: 0, median: 0) }
        // A multiplication and its addition are two operations.
        return Stage(
            name: name, fastest: fastest, median: sorted[sorted.count / 2],
            gflops: work > 0 && fastest > 0 ? 2 * work / fastest : nil)
    }

    func print(layers withLayers: Bool) {
        Output.line(
            "kernels \(kernels), \(threads.counted("thread")), peak \(Int(peakGFLOPs)) GFLOP/s a thread")
        Output.line(
            String(format: "networks loaded in %.0f ms, %.0f MB of memory in use\n", loadMilliseconds, memoryMB))
        var table = Table(["STAGE", "MS MIN", "MS MEDIAN", "GFLOP/S", "OF PEAK"], rightAligned: [1, 2, 3, 4])
        for stage in stages + (withLayers ? layers : []) {
            table.add([
                stage.name, String(format: "%.3f", stage.fastest), String(format: "%.3f", stage.median),
                stage.gflops.map { String(format: "%.0f", $0) } ?? "-",
                stage.gflops.map { String(format: "%.0f %%", 100 * $0 / peakGFLOPs) } ?? "-",
            ])
        }
        table.print()
        if !scenes.isEmpty { printScenes() }
    }

    private func printScenes() {
        Output.line("")
        var table = Table(["PEOPLE", "FOLLOWED", "MS MEAN", "MS MEDIAN", "FRAMES/S"], rightAligned: [0, 1, 2, 3, 4])
        for scene in scenes {
            table.add([
                "\(scene.people)", String(format: "%.1f", scene.followed), String(format: "%.2f", scene.mean),
                String(format: "%.2f", scene.median), String(format: "%.0f", scene.framesPerSecond),
            ])
        }
        table.print()
    }
}

/// The times of repeated runs, after one warm-up run.
func measure(_ rounds: Int, _ work: () throws -> Void) rethrows -> [Duration] {
    try work()
    return try (0..<rounds).map { _ in try ContinuousClock().measure(work) }
}

extension Duration {
    var milliseconds: Double { seconds * 1000 }
}
