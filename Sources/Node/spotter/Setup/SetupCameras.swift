import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation
import Poses

/// Asks for the cameras, and shows what each one sees.
struct SetupCameras {
    let questions: Questions
    /// How long to look through each camera.
    let seconds: Double

    /// Asks until every camera answers, or until the answer shall be kept all the same.
    ///
    /// - Returns: the ids of the cameras that do not answer.
    /// - Throws: ``Questions/NoAnswer``, or the error of the pose models.
    func choose(_ configuration: inout Configuration) async throws -> [String] {
        let devices = CameraList().cameras().found
        if questions.areAsked { showDevices(devices) }
        while true {
            var copy = configuration
            let usual = configuration.cameras.map { "\($0.id)=\($0.source)" }.joined(separator: " ")
            if questions.areAsked {
                _ = try questions.text(
                    "Cameras, separated by blanks: numbers, addresses or files, [id=]source", usual: usual,
                    shown: Redaction.covered(in: usual)
                ) { answer in
                    if answer == usual { return nil }
                    let words = answer.split(separator: " ").map(String.init)
                    return Self.set(words, from: devices.map(\.source), in: &copy).map { "A camera \($0)." }
                }
            }
            configuration = copy
            guard seconds > 0 else { return [] }
            var silent: [String] = []
            for camera in configuration.cameras where camera.enabled {
                if try await !show(camera, configuration) { silent.append(camera.id) }
            }
            if silent.isEmpty || !questions.areAsked { return silent }
            if try questions.yes("Keep these cameras all the same", usual: false) { return silent }
        }
    }

    /// Asks what people call each camera.
    static func askForNames(_ questions: Questions, about configuration: inout Configuration) throws {
        for index in configuration.cameras.indices {
            var camera = configuration.cameras[index]
            _ = try questions.text("The name of the camera \(camera.id) for people", usual: camera.name) {
                camera.set("camera.name", to: $0).map { "The name \($0)." }
            }
            configuration.cameras[index] = camera
        }
    }

    private func showDevices(_ devices: [CameraDevice]) {
        if devices.isEmpty { Terminal.print("No camera is connected to this machine.") }
        for (index, device) in devices.enumerated() {
            Terminal.print("  \(index + 1)  \(device.name), \(device.device)")
        }
    }

    /// Replaces the cameras. A camera whose id or source is configured already keeps its other settings.
    ///
    /// - Parameters:
    ///   - words: a number of `devices`, counted from 1, or `[id=]source`.
    ///   - devices: the sources of the machine's cameras.
    /// - Returns: what is wrong with a word; `nil` if nothing is.
    static func set(_ words: [String], from devices: [String], in configuration: inout Configuration) -> String? {
        var cameras: [Configuration.Camera] = []
        for word in words {
            let named = word.wholeMatch(of: /([a-z0-9][a-z0-9_-]*)=(.+)/)
            var source = named.map { String($0.2) } ?? word
            if let number = Int(source) {
                guard devices.indices.contains(number - 1) else { return "\(number) is not in the list" }
                source = devices[number - 1]
            } else if source.isEmpty {
                return "needs a source, such as /dev/video0"
            } else if !source.contains("://"), !source.hasPrefix("/") {
                source = URL(filePath: source).path
            }
            let known = configuration.cameras.first { camera in
                named.map { $0.1 == camera.id } ?? (camera.source == source)
            }
            var camera = known ?? Configuration.Camera()
            let id = named.map { String($0.1) } ?? known?.id ?? unusedId(cameras + configuration.cameras)
            if known == nil { camera.name = Self.name(of: id) }
            for (key, value) in [("camera.id", id), ("camera.source", source)] {
                if let reason = camera.set(key, to: value) { return "'\(Redaction.covered(in: word))' \(reason)" }
            }
            guard !cameras.contains(where: { $0.id == id }) else { return "'\(id)' is named twice" }
            cameras.append(camera)
        }
        configuration.cameras = cameras
        return nil
    }

    /// A name for people, made of an id: `rack-1` becomes `Rack 1`.
    private static func name(of id: String) -> String {
        let words = id.replacing("-", with: " ").replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func unusedId(_ cameras: [Configuration.Camera]) -> String {
        var number = 1
        while cameras.contains(where: { $0.id == "camera\(number)" }) { number += 1 }
        return "camera\(number)"
    }

    /// Looks through a camera, and draws the people of its best picture.
    ///
    /// - Returns: whether pictures came.
    private func show(_ camera: Configuration.Camera, _ configuration: Configuration) async throws -> Bool {
        let source = Redaction.covered(in: camera.source)
        Terminal.print("Looking through \(camera.id), \(source), for \(seconds.formatted()) s …")
        var settings = configuration.sourceSettings(rateHz: 30, camera: camera)
        settings.realtime = true
        let (name, seconds, opening) = (camera.source, seconds, settings)
        let work = Task(executorPreference: SerialTaskExecutor(label: "setup")) {
            try await Self.bestFrame(of: name, seconds, opening)
        }
        do {
            guard let best = try await work.value else {
                Terminal.print("  bad: no picture came; try: spotter cameras test \(camera.id)")
                return false
            }
            let size = "\(best.widthPixels)×\(best.heightPixels)"
            guard !best.tracks.isEmpty else {
                Terminal.print("  good: pictures of \(size) came; nobody was in them")
                return true
            }
            Terminal.print("  good: pictures of \(size) came; \(best.tracks.count) in view:")
            let text = SkeletonText(columns: min(56, Terminal.columns - 4), hasBraille: ChartStyle.hasUTF8())
            for line in text.lines(best.tracks, widthPixels: best.widthPixels, heightPixels: best.heightPixels) {
                Terminal.print("  │\(line)│")
            }
            return true
        } catch let error as CaptureError {
            Terminal.print("  bad: \(Redaction.covered(in: "\(error)"))")
        } catch let error as PoseStreamError {
            Terminal.print("  bad: \(error)")
        }
        return false
    }

    /// The picture with the clearest joints.
    private static func bestFrame(
        of source: String, _ seconds: Double, _ settings: PoseSource.Settings
    ) async throws -> TrackedFrame? {
        let source = try PoseSource(opening: source, settings: settings)
        defer { source.stop() }
        let clarity = { (frame: TrackedFrame) in
            frame.tracks.map { track in Joint.allCases.map { track.pose[$0].confidence }.reduce(0, +) }.reduce(0, +)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var best: TrackedFrame?
        for try await frame in source.people {
            if best.map({ clarity(frame) > clarity($0) }) ?? true { best = frame }
            if .now > end { break }
        }
        return best
    }
}
