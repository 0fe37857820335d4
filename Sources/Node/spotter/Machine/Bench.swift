import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Capture
import Foundation
import NeuralNet
import Poses
import SyntheticMotion
import Training

extension KernelLevel: ExpressibleByArgument {
    /// The kernels of a name such as `avx2`; `nil` for an unknown name.
    public init?(argument: String) { self.init(name: argument) }
}

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures where the time of a frame goes on this machine.",
        discussion: """
            Each stage shows the fastest and the median of many runs; run nothing else on
            the machine meanwhile.

            preprocess cuts a person out of an RGB picture, preprocess_yuyv out of a
            camera's YUYV picture, preprocess_nv12 out of a picture in NV12. Pictures in
            other formats become RGB first, which costs about as much as convert.
            frame_tracking is the whole cost of a frame while one
            person is followed. With --clip the clip's people are followed as well, and
            scenes of 1280 x 960 with 0 to 8 of them show how the cost grows. The
            detector uses one thread; its multiplications include the zeros it skips.

            --board prints one page about this machine instead: what it is, frames/s for
            1, 2, 4 and 8 people, watts, temperature, clock, and whether heat or low
            voltage slowed it down. Stop the node first: sudo systemctl stop spotter.
            Root can read the power of the processor.

            EXAMPLES
              spotter bench
              spotter bench --threads 2 --brief
              spotter bench --clip Tests/Fixtures/clips/demo.mp4
              spotter bench --kernels avx2 --json | jq .stages
              sudo spotter bench --board --threads 3
            """)

    @OptionGroup var options: PoseOptions

    @Option(help: "Kernels: portable (4 lanes), neon, avx2, avx512 or half (default: the best of this machine).")
    var kernels: KernelLevel = .best

    @Option(help: ArgumentHelp("Threads that share a frame's work.", valueName: "count"))
    var threads = 1

    @Option(help: ArgumentHelp("Runs of each stage.", valueName: "count"))
    var rounds = 100

    @Option(help: ArgumentHelp("Also follow the people of this video, and say what a frame costs.", valueName: "file"))
    var clip: String?

    @Flag(help: "Print one page about this machine, to paste into a form.")
    var board = false

    @Option(help: ArgumentHelp("With --board: the time for each number of people.", valueName: "seconds"))
    var seconds = 10.0

    @Flag(help: "Leave out the layers.")
    var brief = false

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds takes a number above 0.") }
        guard 0.1...600 ~= seconds else { throw ValidationError("--seconds takes a number from 0.1 to 600.") }
        guard 1...64 ~= threads else { throw ValidationError("--threads takes a number from 1 to 64.") }
        guard KernelLevel.supported.contains(kernels) else {
            let known = KernelLevel.supported.map(\.name).joined(separator: ", ")
            throw ValidationError("This machine has no \(kernels.name) kernels; it has \(known).")
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let models = URL(filePath: configuration.recognition.poseModels)
        let team = threads > 1 ? ThreadTeam(count: threads) : nil
        let began = ContinuousClock.now
        let detector = try PoseDetector(
            model: models.appending(path: "pose_detection.tflite"), kernels: kernels, team: team)
        let landmarker = try LandmarkModel(
            model: models.appending(path: "pose_landmark_full.tflite"), kernels: kernels, team: team)
        let loaded = began.duration(to: .now)
        if board {
            let report = try boardReport(detector, landmarker, models: models)
            if json { try JSON.print(report) } else { report.lines.forEach { Output.line($0) } }
            return
        }
        let memoryMB = Double(Host.memoryMB ?? 0)
        let classifier = try ActionClassifier(contentsOf: URL(filePath: configuration.recognition.model))

        var report = BenchReport(
            kernels: kernels.name, threads: threads, peakGFLOPs: peak(), loadMilliseconds: loaded.milliseconds)
        report.memoryMB = memoryMB
        let picture = Self.picture()
        let region = RegionOfInterest(centerX: 320, centerY: 240, size: 380, angle: 0.1)
        landmarker.pass.prepare(picture, region: region, team)
        let landmarks = landmarker.pass.network, detections = detector.network
        report.add(
            network: "landmark", landmarks.layers, rounds: rounds, run: { landmarks.run(team) },
            timedRun: { landmarks.timedRun(team) })
        report.add(
            network: "detector", detections.layers, rounds: rounds, run: { detections.run() },
            timedRun: detections.timedRun)
        report.add("preprocess", measure(rounds) { landmarker.pass.prepare(picture, region: region, team) })
        let camera = Self.cameraPicture()
        report.add("preprocess_yuyv", measure(rounds) { landmarker.pass.prepare(camera, region: region, team) })
        let video = Self.nv12Picture()
        report.add("preprocess_nv12", measure(rounds) { landmarker.pass.prepare(video, region: region, team) })
        report.add("convert", try convert(camera))
        report.add("frame_tracking", measure(rounds) { _ = landmarker.landmarks(in: picture, region: region) })
        report.add("classifier", try classify(with: classifier))
        if let clip {
            let recording = try BenchScene.frames(of: clip)
            report.add("frame_clip", try follow(recording, models: models).durations)
            for people in [0, 1, 2, 4, 8] { report.scenes.append(try scene(people, of: recording, models: models)) }
        }
        if json { try JSON.print(report) } else { report.print(layers: !brief) }
    }

    private func classify(with classifier: ActionClassifier) throws -> [Duration] {
        let description = classifier.description
        // Generated squats, so that the classifier does all the work of a prediction.
        let seconds = Double(description.windowFrames) / description.framesPerSecond + 1
        let clip = SyntheticDataset.clips(of: ["squat"], each: 1, seed: 1, seconds: seconds, options: .exact)
            .map { $0.clip.resampled(to: description.framesPerSecond) }.first
        let values = description.windowFrames * Joint.allCases.count * 3
        let window = PoseWindow(
            track: 1, start: 0, end: seconds, keypoints: Array((clip?.keypoints ?? []).prefix(values)),
            posedFrames: description.windowFrames, aspect: clip?.aspect ?? 1)
        return try measure(rounds) { _ = try classifier.predict(window) }
    }

    /// The peak rate of the multiply-add units, in GFLOP/s.
    private func peak() -> Double {
        let table = kernels.kernels
        let operations = table.saturate(1000)
        let fastest = measure(200) { _ = table.saturate(1000) }.min() ?? .zero
        return operations / fastest.milliseconds / 1e6
    }

    /// Times pose estimation for every frame of a recording: detection, tracking, all people's joints. Decoding is not
    /// timed.
    func follow(_ recording: some Sequence<Frame>, models: URL) throws -> (durations: [Duration], poses: Int) {
        let settings = PoseEstimator.Settings(threads: threads)
        let estimator = try PoseEstimator(models: models, settings: settings, kernels: kernels)
        var durations: [Duration] = [], poses = 0
        for frame in recording {
            durations.append(ContinuousClock().measure { poses += estimator.poses(in: frame).poses.count })
        }
        return (durations, poses)
    }

    private func scene(_ people: Int, of recording: [Frame], models: URL) throws -> BenchReport.Scene {
        let (durations, poses) = try follow(BenchScene.tile(recording, times: people), models: models)
        let times = durations.map(\.milliseconds).sorted(), mean = times.reduce(0, +) / Double(max(times.count, 1))
        return BenchReport.Scene(
            people: people, mean: mean, median: times.isEmpty ? 0 : times[times.count / 2],
            framesPerSecond: mean > 0 ? 1000 / mean : 0, followed: Double(poses) / Double(max(times.count, 1)))
    }

    /// The same picture in YUYV.
    private static func cameraPicture() -> Image {
        let bytes = (0..<640 * 480 * 2).map { UInt8(truncatingIfNeeded: $0 / 2 % 640 + $0 / 1280 + ($0 % 2) * 40) }
        return Image(widthPixels: 640, heightPixels: 480, layout: .yuyv(isFullRange: false), bytes: bytes)
    }

    /// And in NV12.
    private static func nv12Picture() -> Image {
        let bytes = (0..<640 * 480 * 3 / 2).map { UInt8(truncatingIfNeeded: $0 % 640 + $0 / 640) }
        return Image(widthPixels: 640, heightPixels: 480, layout: .nv12(isFullRange: false), bytes: bytes)
    }

    /// Times the conversion of a whole picture to RGB, from UYVY, the format most like YUYV.
    private func convert(_ picture: Image) throws -> [Duration] {
        guard let converter = PixelConverter(PixelFormat("UYVY"), widthPixels: 640, heightPixels: 480) else {
            return []
        }
        var bytes = picture.bytes
        return try bytes.withUnsafeMutableBytes { bytes in try measure(rounds) { _ = try converter.image(from: bytes) }
        }
    }

    /// A 640 x 480 picture of gradients; the time does not depend on the content.
    static func picture() -> Image {
        let rgb = (0..<640 * 480 * 3).map { UInt8(truncatingIfNeeded: $0 / 3 % 640 + $0 / 1920 + ($0 % 3) * 40) }
        return Image(widthPixels: 640, heightPixels: 480, rgb: rgb)
    }
}
