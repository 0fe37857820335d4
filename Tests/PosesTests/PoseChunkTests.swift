import Foundation
import Poses
import Testing

/// Packed joints, as they are stored.
@Suite struct PoseChunkTests {
    private func pose(_ x: Float, _ y: Float, confidence: Float = 0.875) -> Pose {
        Pose(keypoints: (0..<18).map { Keypoint(x: x + Float($0) * 0.001, y: y, confidence: confidence) })
    }

    private func chunk(_ poses: [Pose]) -> PoseChunk {
        PoseChunk(
            widthPixels: 640, heightPixels: 480,
            frames: poses.enumerated().map { PoseChunk.Frame(milliseconds: $0.offset * 33, pose: $0.element) })
    }

    @Test(arguments: [(0, 0), (0.5, 0.25), (1, 1), (-0.999, 1.75), (1.9, -0.5), (0.3333, 0.6667)] as [(Float, Float)])
    func `joints come back to within a step, also from outside the picture`(x: Float, y: Float) throws {
        var seen = pose(x, y)
        seen.keypoints[4] = .missing
        let packed = chunk([seen, pose(0.1, 0.1), pose(x, y, confidence: 1)]).packed
        let read = try #require(PoseChunk(packed: packed))
        #expect(read.widthPixels == 640 && read.heightPixels == 480 && abs(read.aspect - 4.0 / 3) < 1e-6)
        #expect(read.frames.map(\.milliseconds) == [0, 33, 66])
        #expect(read.frames[0].pose.keypoints[4] == .missing && read.frames[2].pose.keypoints[4].confidence == 1)
        for (joint, expected) in zip(read.frames[0].pose.keypoints, seen.keypoints) {
            // A step is 3/65,535 of the picture; that of the confidence 1/255.
            #expect(abs(joint.x - expected.x) < 5e-5 && abs(joint.y - expected.y) < 5e-5)
            #expect(abs(joint.confidence - expected.confidence) < 0.004)
        }
        #expect(PoseChunk(packed: read.packed) == read, "packing it again loses nothing more")
    }

    @Test func `what is beyond the range moves to its limit, and what is no number was not seen`() throws {
        var odd = pose(0.5, 0.5)
        odd.keypoints[0] = Keypoint(x: -7, y: 9, confidence: 2)
        odd.keypoints[1] = Keypoint(x: .nan, y: 0.5, confidence: 1)
        odd.keypoints[2] = Keypoint(x: 0.5, y: .infinity, confidence: 1)
        odd.keypoints[3] = Keypoint(x: 0.5, y: 0.5, confidence: .nan)
        odd.keypoints[4] = Keypoint(x: 0.5, y: 0.5, confidence: 0.0001)
        let read = try #require(PoseChunk(packed: chunk([odd]).packed)).frames[0].pose.keypoints
        #expect(abs(read[0].x + 1) < 1e-4 && abs(read[0].y - 2) < 1e-4 && read[0].confidence == 1)
        #expect(read[1...3].allSatisfy { $0 == .missing })
        #expect(read[4].confidence > 0, "a joint that was hardly seen was seen")
    }

    @Test func `ten seconds take 27,607 bytes`() {
        #expect(chunk(Array(repeating: pose(0.5, 0.5), count: 300)).packed.count == 27_607)
    }

    @Test func `every shortened or extended piece is refused`() {
        let packed = chunk([pose(0.5, 0.5), pose(0.6, 0.5)]).packed
        #expect(PoseChunk(packed: packed) != nil)
        for length in 0..<packed.count { #expect(PoseChunk(packed: Array(packed.prefix(length))) == nil, "\(length)") }
        #expect(PoseChunk(packed: packed + [0]) == nil)
        #expect(PoseChunk(packed: packed + packed.suffix(92)) == nil)
    }

    @Test func `damaged bytes are refused, or read as other joints within the range`() throws {
        let packed = chunk([pose(0.5, 0.5), pose(0.6, 0.5)]).packed
        for (index, value) in [(0, 2), (1, 0), (2, 0), (5, 0), (5, 3), (6, 1), (99, 0)] as [(Int, UInt8)] {
            var damaged = packed
            damaged[index] = value
            if index < 3, value == 0 { damaged[3 - index] = 0 }
            #expect(PoseChunk(packed: damaged) == nil, "byte \(index)")
        }
        for index in packed.indices {
            for value in [0, 1, 127, 255] as [UInt8] {
                var damaged = packed
                damaged[index] = value
                guard let read = PoseChunk(packed: damaged) else { continue }
                let joints = read.frames.flatMap(\.pose.keypoints)
                #expect(joints.allSatisfy { (-1...2).contains($0.x) && (-1...2).contains($0.y) })
                #expect(joints.allSatisfy { (0...1).contains($0.confidence) })
            }
        }
    }
}
