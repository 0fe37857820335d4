import Actions
import Poses
import SyntheticMotion
import Testing

/// Which sightings of a track the windows take, on the generator's people.
@Suite struct TrackContinuityTests {
    private let squat: [[Float]] = {
        let clip = SyntheticDataset.clips(of: ["squat"], each: 1, seed: 3, seconds: 8, options: .exact)[0].clip
        return (0..<clip.frames).map { Array(clip.keypoints[$0 * 54..<($0 + 1) * 54]) }
    }()

    private func pose(_ values: [Float], movedBy x: Float = 0) -> Pose {
        Pose(
            keypoints: stride(from: 0, to: values.count, by: 3).map {
                Keypoint(x: values[$0] + x, y: values[$0 + 1], confidence: values[$0 + 2])
            })
    }

    /// The windows of one track whose pose at each frame is given; `nil` shows nobody.
    private func windows(_ poses: [Pose?], rate: Double = 30) -> [PoseWindow] {
        var gatherer = WindowGatherer(WindowGatherer.Settings(subjects: .everyone))
        return poses.enumerated().flatMap { index, pose in
            gatherer.gather(
                TrackedFrame(
                    index: index, time: Double(index) / rate, image: nil, widthPixels: 1920, heightPixels: 1080,
                    tracks: pose.map { [Track(id: 1, pose: $0)] } ?? [], prominent: 1))
        }
    }

    @Test func `at a cut a window begins anew`() throws {
        let poses = squat.prefix(75).map { pose($0) } + squat.dropFirst(75).prefix(75).map { pose($0, movedBy: 0.9) }
        let windows = windows(poses)
        let across = try #require(windows.first { $0.end > 2.8 && $0.end < 3.4 })
        #expect(across.posedFrames < 36)
        #expect(try #require(windows.last).posedFrames > 55)
        for window in windows {
            let xs = stride(from: 3, to: window.keypoints.count, by: 54).map { window.keypoints[$0] }.filter { $0 > 0 }
            #expect((xs.max() ?? 0) - (xs.min() ?? 0) < 0.2, "both places are in the window that ends at \(window.end)")
        }
    }

    @Test func `an error of one frame is left out`() throws {
        var poses = squat.prefix(60).map { pose($0) }
        poses[30] = pose(squat[30], movedBy: 0.9)
        let window = try #require(windows(poses).first)
        #expect(window.posedFrames == 60)
        #expect(abs(window.keypoints[30 * 54 + 3] - squat[30][3]) < 0.02)
    }

    @Test func `half of a body at the side of the picture is not yet somebody`() throws {
        // The right half of the joints is outside at first.
        let half = squat.map { values -> [Float] in
            var values = values
            let middle = values[3]
            for place in stride(from: 0, to: values.count, by: 3) {
                if values[place] <= middle { values[place + 2] = 0 } else { values[place] += 0.01 - middle }
            }
            return values
        }
        let comes = half.prefix(40).map { pose($0) } + squat.dropFirst(40).prefix(20).map { pose($0) }
        #expect(try #require(windows(comes).first).posedFrames <= 21)
        // Who stays there is filmed like that on purpose.
        let stays = half.prefix(150).map { pose($0) }
        #expect(try #require(windows(stays).last).posedFrames == 60)
    }

    @Test(arguments: [30.0, 10, 3.8])
    func `no movement is taken for a jump`(rate: Double) {
        var lost: [String: Int] = [:]
        // Who walks through the picture is cut by its sides, like who stands half outside of it.
        for kind in SyntheticMotion.catalogue where !["walk", "cut_off"].contains(kind.name) {
            for motion in SyntheticDataset.clips(of: [kind.name], each: 3, seed: 9, seconds: 6, options: .exact) {
                let clip = motion.clip.resampled(to: rate)
                let poses = (0..<clip.frames).map { frame -> Pose? in
                    guard KeypointFrame.hasPose(clip.keypoints, frame: frame) else { return nil }
                    return pose(Array(clip.keypoints[frame * 54..<(frame + 1) * 54]))
                }
                for window in windows(poses, rate: rate) where window.posedFrames < 45 {
                    lost[kind.name, default: 0] += 1
                }
            }
        }
        #expect(lost.isEmpty, "\(lost)")
    }
}
