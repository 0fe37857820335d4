import Agent
import Capture
import Configuration
import Foundation
import History

extension Doctor {
    static func cameras(_ configuration: Configuration) -> [DiagnosticResult] {
        guard !configuration.cameras.isEmpty else {
            return [.bad("camera", "none is configured", advice: "add a [[camera]] to the configuration")]
        }
        return configuration.cameras.map { camera in
            let subject = "camera \(camera.id)"
            guard camera.enabled else { return .unknown(subject, "switched off") }
            if camera.source.hasPrefix("/dev/") { return device(camera, subject, configuration) }
            if camera.source.contains("://") { return stream(camera.source, subject) }
            return FileManager.default.isReadableFile(atPath: camera.source)
                ? .good(subject, camera.source)
                : .bad(subject, CaptureError.fileNotFound(path: camera.source))
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

    /// Whether the stream's host accepts a connection.
    private static func stream(_ source: String, _ subject: String) -> DiagnosticResult {
        guard let address = URLComponents(string: source), let host = address.host else {
            return .bad(
                subject, "\(Redaction.covered(in: source)) is not an address",
                advice: "write it as rtsp://host/path, and @ : / ? # in user and password as %40 %3A %2F %3F %23")
        }
        let usual = ["rtsp": 554, "rtsps": 322, "http": 80, "https": 443, "rtmp": 1935][address.scheme ?? ""]
        guard let port = address.port ?? usual else { return .unknown(subject, "\(host): unknown port") }
        return Reachability.answers(host: host, port: port, within: 3)
            ? .good(subject, "\(host):\(port) answers")
            : .bad(subject, "\(host):\(port) does not answer", advice: "check that the camera is on and connected")
    }

    /// Whether ffmpeg is installed, which reads recordings and streams.
    static func decoder(_ configuration: Configuration) -> [DiagnosticResult] {
        let isNeeded = configuration.cameras.contains {
            $0.enabled && !$0.source.hasPrefix("/dev/") && !$0.source.hasSuffix(".jsonl")
        }
        guard isNeeded else { return [] }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let missing = ["ffmpeg", "ffprobe"].filter { name in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        return missing.first.map { [.bad("decoder", CaptureError.decoderMissing(program: $0))] }
            ?? [.good("decoder", "ffmpeg is there")]
    }
}
