import Actions
import Foundation
import Poses
import Records

/// The text of one event of the stream, as server-sent events have it.
package enum LiveEvent {
    /// - Parameter json: one line.
    package static func bytes(_ name: String, json: String) -> [UInt8] {
        Array("event: \(name)\ndata: \(json)\n\n".utf8)
    }

    /// Keeps proxies from closing a quiet stream, and shows the node when a browser has gone.
    package static let keepAlive = Array(": keep-alive\n\n".utf8)

    /// Everybody's joints in one frame. They are encoded once for all viewers, and without an encoder: thirty times a
    /// second and camera.
    ///
    /// - Parameter time: milliseconds since 1970.
    package static func pose(_ frame: TrackedFrame, camera: String, time: Int64) -> [UInt8] {
        bytes("pose", json: json(frame, camera: camera, time: time))
    }

    /// The data of ``pose(_:camera:time:)``.
    static func json(_ frame: TrackedFrame, camera: String, time: Int64) -> String {
        var json = "{\"camera\":\"\(camera)\",\"time\":\(time),\"width\":\(frame.widthPixels),\"height\":"
        json += "\(frame.heightPixels),\"people\":["
        for (index, track) in frame.tracks.enumerated() {
            json += index == 0 ? "" : ","
            json += "{\"track\":\(track.id),\"prominent\":\(track.id == frame.prominent),\"joints\":["
            for (number, joint) in track.pose.keypoints.enumerated() {
                json += number == 0 ? "" : ","
                json += "\(scaled(joint.x, 1000)),\(scaled(joint.y, 1000)),\(scaled(joint.confidence, 100))"
            }
            json += "]}"
        }
        return json + "]}"
    }

    /// One classified window with its three most probable labels.
    ///
    /// - Parameters:
    ///   - labels: the model's labels, in the order of the probabilities.
    ///   - date: the wall-clock time of a time of the source.
    package static func window(
        _ prediction: Prediction, camera: String, labels: [String], date: (Double) -> Date
    ) throws -> [UInt8] {
        struct Window: Encodable {
            let camera: String
            let track: Int?
            let start, end: Int64
            let label: String
            let confidence: Double
            let scores: [Score]
        }
        let ranked = zip(labels, prediction.probabilities).sorted { $0.1 > $1.1 }.prefix(3)
        return bytes(
            "window",
            json: try JSONText.encode(
                Window(
                    camera: camera, track: prediction.track, start: Timestamp.milliseconds(date(prediction.start)),
                    end: Timestamp.milliseconds(date(prediction.end)), label: prediction.label,
                    confidence: Double(prediction.confidence).rounded(decimals: 3),
                    scores: ranked.map { Score(label: $0.0, share: Double($0.1).rounded(decimals: 3)) })))
    }

    /// `["squat", 0.97]`.
    private struct Score: Encodable {
        let label: String
        let share: Double

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(label)
            try container.encode(share)
        }
    }

    /// A whole number; joints that are not finite or far outside are moved to the limits.
    private static func scaled(_ value: Float, _ scale: Float) -> Int {
        value.isFinite ? Int((min(max(value, -1), 2) * scale).rounded()) : 0
    }
}
