import Agent
import Capture
import Configuration
import Foundation
import History
import Poses

extension Doctor {
    static func cameras(_ configuration: Configuration) -> [DiagnosticResult] {
        guard !configuration.cameras.isEmpty else {
            return [.bad("camera", "none is configured", advice: "add a [[camera]] to the configuration")]
        }
        return configuration.cameras.map { camera in
            let subject = "camera \(camera.id)"
            guard camera.enabled else { return .unknown(subject, "switched off") }
            if camera.source.hasPrefix("/dev/") { return device(camera, subject, configuration) }
            if camera.source.contains("://"), let refusal = unreachable(camera.source, subject) { return refusal }
            return recording(camera, subject, configuration)
        }
    }

    /// Reads a stream, a video or a pose stream as the node does.
    private static func recording(
        _ camera: Configuration.Camera, _ subject: String, _ configuration: Configuration
    ) -> DiagnosticResult {
        let name = Redaction.covered(in: camera.source)
        do {
            if camera.source.hasSuffix(".jsonl") {
                let header = try PoseStreamReader(URL(filePath: camera.source)).header
                return .good(subject, "\(name): poses at \(header.rateHz) Hz")
            }
            let source = try VideoRecording(
                camera.source, settings: configuration.sourceSettings(rateHz: 30, camera: camera).reading)
            defer { source.stop() }
            // The second picture tells a stream from the address of a snapshot.
            guard try source.next() != nil, try source.next() != nil || !camera.source.contains("://") else {
                return .bad(subject, CaptureError.cameraLost(device: name, reason: "no picture"))
            }
            return .good(subject, "\(name): \(source.format.words)")
        } catch  where camera.source.contains("://") && Store.holder(of: configuration.history.path) != nil {
            // Some cameras serve a single receiver.
            return .unknown(
                subject, "it answers, but gives no pictures (\(Redaction.covered(in: "\(error)")))",
                advice: "the running node may have its only connection: see spotter status")
        } catch {
            return .bad(subject, error)
        }
    }

    /// Opens a camera and reads one frame.
    private static func device(
        _ camera: Configuration.Camera, _ subject: String, _ configuration: Configuration
    ) -> DiagnosticResult {
        do {
            let source = try V4L2Camera(
                camera.source, settings: configuration.sourceSettings(rateHz: 30, camera: camera).camera)
            defer { source.stop() }
            guard try source.next() != nil else {
                return .bad(subject, CaptureError.cameraLost(device: camera.source, reason: "no picture"))
            }
            let format = source.format
            return .good(
                subject, "\(camera.source): \(format.words)")
        } catch CaptureError.cameraBusy where Store.holder(of: configuration.history.path) != nil {
            return .good(subject, "\(camera.source) is in use, probably by the running node")
        } catch {
            return .bad(subject, error)
        }
    }

    /// Why a stream's host cannot be asked; `nil` if it accepts a connection. That is told sooner than by reading.
    private static func unreachable(_ source: String, _ subject: String) -> DiagnosticResult? {
        guard let address = URLComponents(string: source), let host = address.host else {
            return .bad(
                subject, "\(Redaction.covered(in: source)) is not an address",
                advice: "write it as rtsp://host/path, and @ : / ? # in user and password as %40 %3A %2F %3F %23")
        }
        let usual = ["rtsp": 554, "rtsps": 322, "http": 80, "https": 443, "rtmp": 1935][address.scheme ?? ""]
        guard let port = address.port ?? usual else { return nil }
        return Reachability.answers(host: host, port: port, within: 3)
            ? nil
            : .bad(subject, "\(host):\(port) does not answer", advice: "check that the camera is on and connected")
    }

    /// Whether ffmpeg is installed, which reads recordings and streams.
    static func decoder(_ configuration: Configuration) -> [DiagnosticResult] {
        let isNeeded = configuration.cameras.contains {
            $0.enabled && !$0.source.hasPrefix("/dev/") && !$0.source.hasSuffix(".jsonl")
        }
        guard isNeeded else { return [] }
        let missing = ["ffmpeg", "ffprobe"].filter { !isInstalled($0) }
        return missing.first.map { [.bad("decoder", CaptureError.decoderMissing(program: $0))] }
            ?? [.good("decoder", "ffmpeg is there")]
    }
}
