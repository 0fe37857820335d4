import Foundation
import Poses

extension LabelledClip {
    /// Writes the clip as a pose stream of one person, so that every tool that reads poses can look at it.
    ///
    /// - Throws: `PoseStreamError`
    public func write(poseStream url: URL) throws {
        // A pose stream says the picture's shape in pixels; which pixels does not matter.
        let height = 1000, width = Int((Float(height) * aspect).rounded())
        let header = PoseStreamHeader(rateHz: rate, width: width, height: height, source: name)
        let writer = try PoseStreamWriter(url, header: header)
        do {
            for frame in 0..<frames { try writer.write(trackedFrame(frame, width: width, height: height)) }
        } catch {
            writer.abandon()
            throw error
        }
        try writer.finish()
    }

    private func trackedFrame(_ frame: Int, width: Int, height: Int) -> TrackedFrame {
        let first = frame * KeypointFrame.count
        let points = (0..<KeypointFrame.joints).map { joint in
            let index = first + 3 * joint
            return Keypoint(x: keypoints[index], y: keypoints[index + 1], confidence: keypoints[index + 2])
        }
        let tracks = KeypointFrame.hasPose(keypoints, frame: frame) ? [Track(id: 1, pose: Pose(keypoints: points))] : []
        return TrackedFrame(
            index: frame, time: Double(frame) / rate, image: nil, widthPixels: width, heightPixels: height,
            tracks: tracks, prominent: tracks.first?.id)
    }
}
