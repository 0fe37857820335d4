import Agent
import Capture
import CommandLineProgram
import Foundation
import NeuralNet
import Poses
import Records

/// `spotter bench --board`.
extension Bench {
    /// The numbers of people for which a board is measured.
    private static let people = [1, 2, 4, 8]
    /// Beside people, a search for newcomers comes as often: one of the whole picture in two seconds, two of its squares in one.
    private static let framesBetweenSearches = 12
    private static let restSeconds = 2.0

    /// Measures this machine.
    func boardReport(_ detector: PoseDetector, _ landmarker: LandmarkModel, models: URL) throws -> BoardReport {
        let machine = Host.machine, sensors = Host.sensors
        let files = ["pose_detection.tflite", "pose_landmark_full.tflite"]
        let rest = PowerSample(sensors)
        Thread.sleep(forTimeInterval: Self.restSeconds)
        let idle = rest.watts()
        var report = BoardReport(
            version: Version.text,
            machine: BoardReport.Machine(
                model: machine.model, processor: machine.processor, cores: machine.cores, memoryMB: machine.memoryMB,
                os: machine.operatingSystem, kernel: machine.kernel, arch: Host.architecture,
                clockMHz: sensors.clockMHz.most),
            networks: try files.map { file in
                let data = try Data(contentsOf: models.appending(path: file))
                return BoardReport.Network(file: file, sha256: SHA256.hex(of: data))
            }, kernels: kernels.name, threads: threads, seconds: seconds,
            clip: clip.map { URL(filePath: $0).lastPathComponent }, idleWatts: idle,
            idleCelsius: sensors.temperatureCelsius)
        let recording = try clip.map(BenchScene.frames)
        for people in Self.people {
            try report.scenes.append(
                measured(people) { deadline in
                    guard let recording else {
                        return frames(of: people, detector, landmarker, until: deadline)
                    }
                    var durations: [Duration] = []
                    while durations.isEmpty || ContinuousClock.now < deadline {
                        durations += try follow(BenchScene.tile(recording, times: people), models: models).durations
                    }
                    return durations
                })
        }
        return report
    }

    /// Runs a scene, and asks the machine how it does.
    private func measured(
        _ people: Int, _ frames: (ContinuousClock.Instant) throws -> [Duration]
    ) rethrows -> BoardReport.Scene {
        let sensors = Host.sensors, power = PowerSample(sensors), before = sensors.throttling
        let times = try frames(.now + .seconds(seconds)).map(\.milliseconds).sorted()
        let after = sensors.throttling
        let mean = times.reduce(0, +) / Double(max(times.count, 1))
        return BoardReport.Scene(
            people: people, framesPerSecond: mean > 0 ? 1000 / mean : 0,
            median: times.isEmpty ? 0 : times[times.count / 2], watts: power.watts(),
            celsius: sensors.temperatureCelsius, clockMHz: sensors.clockMHz.now,
            throttled: after.map { $0.isActive || $0.count ?? 0 > before?.count ?? 0 })
    }

    /// Frames in which people are followed, as their networks see them: the time does not depend on the picture.
    private func frames(
        of people: Int, _ detector: PoseDetector, _ landmarker: LandmarkModel, until deadline: ContinuousClock.Instant
    ) -> [Duration] {
        let picture = Self.picture()
        let region = RegionOfInterest(centerX: 320, centerY: 240, size: 380, angle: 0.1)
        let regions = [RegionOfInterest](repeating: region, count: people)
        var durations: [Duration] = []
        while durations.isEmpty || ContinuousClock.now < deadline {
            durations.append(
                ContinuousClock().measure {
                    _ = landmarker.landmarks(in: picture, regions: regions)
                    if durations.count % Self.framesBetweenSearches == 0 { _ = detector.detections(in: picture) }
                })
        }
        return durations
    }
}

/// The power that a machine takes from a moment on.
private struct PowerSample {
    private let sensors: MachineSensors
    private let start = ContinuousClock.now
    private let joules: Double?

    init(_ sensors: MachineSensors) {
        self.sensors = sensors
        joules = sensors.energyJoules
    }

    /// The mean power since then in watts, or what the board says now; `nil` where neither is told.
    func watts() -> Double? {
        guard let before = joules, let now = sensors.energyJoules, now >= before else { return sensors.boardWatts }
        return (now - before) / start.duration(to: .now).seconds
    }
}
