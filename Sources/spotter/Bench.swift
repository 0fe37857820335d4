import Actions
import Agent
import ArgumentParser
import Capture
import Foundation
import NeuralNet
import Poses

extension KernelLevel: ExpressibleByArgument {}

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures where the time of a frame goes on this machine.",
        discussion: """
            One thread. Each figure is the fastest and the median of many runs; the machine should have nothing else
            to do.

            EXAMPLES
              spotter bench
              spotter bench --clip Tests/Fixtures/clips/demo.mp4
              spotter bench --kernels avx2 --json | jq .stages
            """)

    @OptionGroup var options: PoseOptions

    @Option(help: "Kernels: portable, avx2 or avx512 (default: the best of this machine).")
    var kernels: KernelLevel = .best

    @Option(help: ArgumentHelp("Runs of each stage.", valueName: "count"))
    var rounds = 100

    @Option(help: ArgumentHelp("Also follow the people of this video, and say what a frame costs.", valueName: "file"))
    var clip: String?

    @Flag(help: "Leave out the layers.")
    var brief = false

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds takes a number above 0.") }
        guard KernelLevel.supported.contains(kernels) else {
            let known = KernelLevel.supported.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("This machine has no \(kernels.rawValue); it has \(known).")
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let models = URL(filePath: configuration.recognition.poseModels)
        let began = ContinuousClock.now
        let detector = try PoseDetector(model: models.appending(path: "pose_detection.tflite"), kernels: kernels)
        let landmarker = try LandmarkModel(
            model: models.appending(path: "pose_landmark_full.tflite"), kernels: kernels)
        let loaded = began.duration(to: .now)
        let classifier = try ActionClassifier(contentsOf: URL(filePath: configuration.recognition.model))

        var report = BenchReport(kernels: kernels.rawValue, peakGFLOPs: peak(), loadMilliseconds: loaded.milliseconds)
        report.add(network: "landmark", landmarker.network.layers, rounds: rounds) {
            landmarker.network.run()
        } timedRun: {
            landmarker.network.timedRun()
        }
        report.add(network: "detector", detector.network.layers, rounds: rounds) {
            detector.network.run()
        } timedRun: {
            detector.network.timedRun()
        }
        let picture = Self.picture()
        let region = RegionOfInterest(centerX: 320, centerY: 240, size: 380, angle: 0.1)
        var cutout = [UInt8](repeating: 0, count: 256 * 256 * 3)
        report.add(
            "preprocess",
            measure(rounds) {
                landmarker.warp.cut(region, from: picture, into: &cutout)
                landmarker.network.setPicture(cutout, scale: 1 / 255, offset: 0)
            })
        let description = classifier.description
        let window = PoseWindow(
            track: 1, start: 0, end: 2, keypoints: Self.keypoints(frames: description.windowFrames),
            posedFrames: description.windowFrames, aspect: 1)
        report.add("classifier", try measure(rounds) { _ = try classifier.probabilities(of: window) })
        if let clip { report.add("frame_tracking", try frames(of: clip, models: models)) }
        report.memoryMB = Double(Host.memoryMB ?? 0)
        if json { try JSON.print(report) } else { report.print(layers: !brief) }
    }

    /// What the multiply-add units do at most, in GFLOP/s.
    private func peak() -> Double {
        let table = kernels.kernels
        let operations = table.saturate(1000)
        let fastest = measure(200) { _ = table.saturate(1000) }.min() ?? .zero
        return operations / fastest.milliseconds / 1e6
    }

    /// Every frame of a clip: finding, following, everyone's joints; decoding is not counted.
    private func frames(of clip: String, models: URL) throws -> [Duration] {
        let estimator = try PoseEstimator(models: models, kernels: kernels)
        let video = try VideoRecording(clip)
        defer { video.stop() }
        var durations: [Duration] = []
        while let frame = try video.next() {
            durations.append(try ContinuousClock().measure { _ = try estimator.poses(in: frame) })
        }
        return durations
    }

    /// Stripes and slopes of 640 x 480: the time does not depend on what is to be seen.
    private static func picture() -> Image {
        let rgb = (0..<640 * 480 * 3).map { UInt8(truncatingIfNeeded: $0 / 3 % 640 + $0 / 1920 + ($0 % 3) * 40) }
        return Image(widthPixels: 640, heightPixels: 480, rgb: rgb)
    }

    private static func keypoints(frames: Int) -> [Float] {
        (0..<frames * Joint.allCases.count * 3).map { $0 % 3 == 2 ? 1 : 0.3 + 0.4 * sin(Float($0) * 0.1) }
    }
}

private func measure(_ rounds: Int, _ work: () throws -> Void) rethrows -> [Duration] {
    try work()
    return try (0..<rounds).map { _ in try ContinuousClock().measure(work) }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
    }
}

/// What `spotter bench` found.
private struct BenchReport: Encodable {
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

    let kernels: String
    let peakGFLOPs: Double
    let loadMilliseconds: Double
    var threads = 1
    var memoryMB = 0.0
    private(set) var stages: [Stage] = []
    private(set) var layers: [Stage] = []

    enum CodingKeys: String, CodingKey {
        case kernels, threads, stages, layers
        case peakGFLOPs = "peak_gflops"
        case loadMilliseconds = "load_ms"
        case memoryMB = "rss_mb"
    }

    init(kernels: String, peakGFLOPs: Double, loadMilliseconds: Double) {
        self.kernels = kernels
        self.peakGFLOPs = peakGFLOPs
        self.loadMilliseconds = loadMilliseconds
    }

    mutating func add(_ name: String, _ durations: [Duration]) {
        stages.append(Self.stage(name, durations.map(\.milliseconds), megaMultiplications: 0))
    }

    /// Measures a network whole, then layer by layer.
    mutating func add(
        network name: String, _ known: [NetworkLayer], rounds: Int, run: () -> Void, timedRun: () -> [Duration]
    ) {
        let whole = measure(rounds, run).map(\.milliseconds)
        let work = known.reduce(0) { $0 + $1.megaMultiplications }
        stages.append(Self.stage(name, whole, megaMultiplications: work))
        let runs = (0..<rounds).map { _ in timedRun().map(\.milliseconds) }
        for (index, layer) in known.enumerated() {
            layers.append(
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
        Swift.print("kernels \(kernels), 1 thread, peak \(Int(peakGFLOPs)) GFLOP/s")
        Swift.print(
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
        Swift.print("\nThe detector's figures count the three quarters of its weights that are zero; they are skipped.")
    }
}
