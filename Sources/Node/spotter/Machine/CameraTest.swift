import Agent
import ArgumentParser
import Capture
import CommandLineProgram
import Configuration
import Foundation

extension Cameras {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Streams from a camera or an address for some seconds and says what came.",
            discussion: """
                Sets the camera as it is configured. Ends with 0 when pictures came as they
                should; with 1 when the rate was below 80 % of what the camera promised, the
                picture was frozen most of the time or black, or pictures stayed away for more
                than two seconds or ended early; with 69, 75 or 77 when it is not there, is in
                use, or is not permitted; with 74 when what is there cannot be read as video.

                EXAMPLES
                  spotter cameras test
                  spotter cameras test rack1 --seconds 10
                  spotter cameras test /dev/video2 --width 1280 --height 720 --json
                  spotter cameras test /dev/video2 --format MJPG
                """)
        @OptionGroup var options: Options

        @Argument(help: "A device, an address, or the id of a configured camera (default: the first configured one).")
        var source: String?

        @Option(help: "Seconds to stream.")
        var seconds = 5.0

        @Option(help: ArgumentHelp("Only in this format of those that list --modes shows.", valueName: "letters"))
        var format: String?

        func validate() throws {
            guard (1...7).contains(format?.utf8.count ?? 4) else {
                throw ValidationError("--format takes letters such as YUYV or MJPG; see: spotter cameras list --modes")
            }
            guard (0.5...3600).contains(seconds) else { throw ValidationError("--seconds takes 0.5 to 3600.") }
        }

        func run() throws {
            let (source, opening) = try options.settings(for: source)
            var settings = opening.camera
            settings.pixelFormat = format.map(PixelFormat.init)
            let report =
                try source.hasPrefix("/dev/")
                ? test(device: source, settings) : test(stream: source, opening.reading)
            if options.json { try JSON.print(report) } else { report.print() }
            if let verdict = report.verdict {
                Terminal.print(verdict)
                throw ExitCode(ExitStatus.failed.rawValue)
            }
        }

        private func test(device: String, _ settings: V4L2Camera.Settings) throws -> CameraTest {
            let camera = try V4L2Camera(device, settings: settings)
            let interrupt = Interrupt(camera.stop)
            defer { interrupt.cancel() }
            return try CameraTest(of: camera, seconds: seconds)
        }

        private func test(stream source: String, _ reading: VideoRecording.Settings) throws -> CameraTest {
            if source.hasSuffix(".jsonl") {
                throw ValidationError("\(source) holds poses and no pictures: look at it with spotter classify.")
            }
            let given = [
                ("--format", format != nil), ("--width", options.width != nil), ("--height", options.height != nil),
                ("--rate", options.rate != nil),
            ]
            if let (name, _) = given.first(where: { $0.1 }) {
                throw ValidationError("\(name) is for cameras of this machine: leave it away.")
            }
            let stream = try VideoRecording(source, settings: reading)
            let flag = StopFlag()
            let interrupt = Interrupt {
                flag.set()
                stream.stop()
            }
            defer { interrupt.cancel() }
            return try CameraTest(of: stream, seconds: seconds) { flag.isSet }
        }
    }
}

/// What a camera or a stream delivered within some seconds.
private struct CameraTest: Encodable {
    let device: String
    /// `nil` for a stream.
    let id: String?
    /// `nil` for a stream.
    let mode: CameraMode?
    /// The picture as it was sent, in pixels.
    let width, height: Int
    /// The rate that was promised; `nil` for a stream without time stamps, which promises none.
    let promisedHz: Double?
    /// Size and rate in words.
    let words: String
    let controls: [String]
    var frames = 0
    var missed = 0
    var broken = 0
    var repeated = 0
    var black = 0
    /// The rate by the driver's time stamps, missed frames included.
    var rateHz = 0.0
    /// The longest time between two frames.
    var longestGapSeconds = 0.0
    /// The longest time for which pictures came later than those before them, or did not come at all.
    private var stallSeconds = 0.0
    /// How many seconds of how many came, where a live stream ended by itself.
    private var early: (seen: Double, wanted: Double)?

    enum CodingKeys: String, CodingKey {
        case device, id, mode, width, height, controls, frames, missed, broken, repeated, black
        case promisedHz = "promised_fps"
        case rateHz = "fps"
        case longestGapSeconds = "longest_gap_s"
    }

    init(of camera: V4L2Camera, seconds: Double) throws {
        device = camera.format.name
        id = camera.identity
        mode = camera.mode
        (width, height) = (camera.format.widthPixels, camera.format.heightPixels)
        promisedHz = camera.mode.rateHz
        words = camera.mode.description
        controls = camera.controlNotes
        try watch(seconds) { try camera.next().map { ($0, $0.time) } }
        camera.stop()
        // It ends only where it is stopped.
        early = nil
        missed = camera.losses.missed
        broken = camera.losses.broken
    }

    /// A stream's times are media times, so those of the arrival count. A file arrives at once.
    init(of stream: VideoRecording, seconds: Double, isStopped: () -> Bool) throws {
        let isFile = !stream.format.name.contains("://")
        device = stream.format.name
        (id, mode, controls) = (nil, nil, [])
        (width, height) = (stream.format.widthPixels, stream.format.heightPixels)
        promisedHz = stream.format.timing == .arrival ? nil : stream.format.rateHz
        words = stream.format.words
        var began: ContinuousClock.Instant?
        try watch(seconds) {
            guard let frame = try stream.next() else { return nil }
            let first = began ?? .now
            began = first
            return (frame, isFile ? frame.time : (ContinuousClock.now - first) / .seconds(1))
        }
        stream.stop()
        let address = device.lowercased()
        // A recording may pause. A playlist delivers whole segments, so that pictures come in bursts.
        if isFile || address.contains(".m3u8") || address.contains(".mpd") { stallSeconds = 0 }
        if isFile || stream.format.durationSeconds != nil || isStopped() { early = nil }
    }

    private mutating func watch(_ seconds: Double, _ next: () throws -> (frame: Frame, time: Double)?) throws {
        var before: (frame: Frame, time: Double)?
        // How much sooner than its own time a picture came.
        var soonest = -Double.infinity
        while let (frame, time) = try next() {
            frames += 1
            if frame.image.isBlack { black += 1 }
            if let before {
                if before.frame.image == frame.image { repeated += 1 }
                longestGapSeconds = max(longestGapSeconds, time - before.time)
                stallSeconds = max(stallSeconds, frame.time - before.frame.time)
            }
            soonest = max(soonest, frame.time - time)
            stallSeconds = max(stallSeconds, soonest - (frame.time - time))
            before = (frame, time)
            if time >= seconds { break }
        }
        if let seen = before?.time, seen < seconds { early = (seen, seconds) }
        guard let last = before, last.time > 0 else { return }
        rateHz = (Double(last.frame.index) / last.time * 100).rounded() / 100
        longestGapSeconds = (longestGapSeconds * 1000).rounded() / 1000
    }

    /// The problem and what to do about it; `nil` when the camera is good.
    var verdict: String? {
        if frames > 1 && black == frames { return "The picture is black: take off the cover, or switch on the light." }
        if frames > 2 && repeated == frames - 1 { return "The picture is frozen: plug the camera out and in again." }
        if frames > 4 && repeated * 5 > frames * 3 {
            return "\(repeated) of \(frames) pictures are the same as the one before: move in front of the camera and "
                + "test again; if it stays, plug the camera out and in again."
        }
        if let early {
            let seen = early.seen.formatted(.number.precision(.fractionLength(1)))
            return "The stream ended after \(seen) of \(early.wanted.formatted()) s: "
                + "end other programs that watch the camera, or take another of its streams."
        }
        if let promisedHz, rateHz < 0.8 * promisedHz {
            return mode == nil
                ? "Fewer frames come than the stream promises: check the network, or ask the camera for a smaller picture."
                : "Fewer frames come than promised: give it more light or a fixed exposure, or a smaller picture."
        }
        if stallSeconds > Self.longestStallSeconds {
            let stall = stallSeconds.formatted(.number.precision(.fractionLength(1)))
            return mode == nil
                ? "The stream stalls for \(stall) s: check the network, or ask the camera for a smaller picture."
                : "No picture came for \(stall) s: check the cable and the USB port."
        }
        return nil
    }

    /// Recognition loses people who are not seen for longer.
    private static let longestStallSeconds = 2.0

    func print() {
        Output.line("camera    \(device)\(id.map { ", \($0)" } ?? "")")
        Output.line("mode      \(words)")
        for note in controls { Output.line("control   \(note)") }
        Output.line("frames    \(frames) seen at \(rateHz) Hz, \(missed) missed, \(broken) broken")
        Output.line("picture   \(repeated) the same as before, \(black) black, longest gap \(longestGapSeconds) s")
    }
}
