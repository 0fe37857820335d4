import Agent
import Foundation
import History
import NeuralNet
import Poses
import Records
import Testing

/// Cameras that were moved or became dirty, told from the joints of questions.
@Suite struct CameraDriftTests {
    /// What a camera might see: people near and far, who lean a little.
    private func sights(
        _ before: Int, _ after: Int, seed: UInt64, tilt: Double = 0, shift: Double = 0, loss: Double = 0
    ) -> [CameraDrift.Sight] {
        var random = RandomSource(seed: seed, path: 1)
        return (0..<before + after).map { number in
            let isAfter = number >= before
            let height = Double(random.uniform(in: 0.25...0.6))
            let foot = 0.3 + 0.9 * height + 0.02 * Double(random.normal()) + (isAfter ? shift : 0)
            let stands = random.chance(0.8)
            return CameraDrift.Sight(
                startMilliseconds: Int64(number),
                confidence: 0.8 + 0.05 * Double(random.normal()) - (isAfter ? loss : 0),
                tilt: stands ? 0.08 * Double(random.normal()) + (isAfter ? tilt : 0) : nil,
                stand: stands ? (foot, height) : nil)
        }
    }

    private func alarms(
        _ kind: CameraDrift.Kind, tilt: Double = 0, shift: Double = 0, loss: Double = 0
    ) -> (count: Int, since: [Int64]) {
        let found = (1...100).compactMap { seed in
            CameraDrift.changes(sights(20, 14, seed: seed, tilt: tilt, shift: shift, loss: loss)).first {
                $0.kind == kind
            }?.since
        }
        return (found.count, found)
    }

    @Test func `nothing is said of a camera that hangs as it hung`() {
        #expect(alarms(.moved).count <= 2 && alarms(.dirty).count <= 2)
        #expect(CameraDrift.changes(sights(5, 5, seed: 1, tilt: 1)).isEmpty)
    }

    @Test func `a camera that was tilted, lowered or smeared is noticed, and when that was`() {
        for (kind, found) in [
            (CameraDrift.Kind.moved, alarms(.moved, tilt: 0.25)), (.moved, alarms(.moved, shift: 0.15)),
            (.dirty, alarms(.dirty, loss: 0.15)),
        ] {
            #expect(found.count >= 90, "\(kind): \(found.count) of 100")
            #expect(found.since.sorted()[found.count / 2] == 20 && found.since.allSatisfy { abs($0 - 20) <= 6 })
        }
        // Clearer pictures are no trouble.
        #expect(alarms(.dirty, loss: -0.15).count == 0)
    }

    @Test func `the joints of questions in a history tell it, of the camera that it concerns`() throws {
        let fixture = try NodeFixture()
        let store = try Store(path: fixture.database, settings: HistorySettings(timeZone: .gmt))
        let now = Date(timeIntervalSince1970: 1_795_258_800)
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "m@1", framesPerSecond: 30))
        for number in 0..<40 {
            let isTurned = number >= 20
            let start = now.addingTimeInterval(Double(number - 40) * 40_000)
            for camera in ["rack1", "mat"] {
                let poses = Self.standing(turned: isTurned && camera == "mat" ? 0.3 : 0, number)
                writer.ask(
                    Question(
                        kind: .excerpt, reason: .random, weight: 1, week: "2026-11-16", camera: camera,
                        startMilliseconds: Timestamp.milliseconds(start),
                        endMilliseconds: Timestamp.milliseconds(start) + 1000, model: "m", poses: poses),
                    quota: 9, now: .now)
            }
        }
        _ = try writer.flush(now: .now, wall: now)
        let found = try CameraDrift.found(in: store.query)
        #expect(found.map(\.camera) == ["mat"] && found.map(\.kind) == [.moved])
        let since = now.addingTimeInterval(-20 * 40_000)
        #expect(found.first?.sinceMilliseconds == Timestamp.milliseconds(since))
        #expect(found.first?.problem.code == "camera_moved" && found.first?.problem.camera == "mat")
        // Health tells of it for two weeks. Answers from before it stay outdated.
        let run = LearningRun(
            configuration: fixture.configuration([]), store: store, modelInUse: "exercises",
            logger: fixture.log.logger())
        run.lookForDrift(at: since.addingTimeInterval(13 * 86_400))
        #expect(run.drifts == found)
        run.lookForDrift(at: since.addingTimeInterval(15 * 86_400))
        #expect(run.drifts.isEmpty)
        for id in 1...80 { try store.answer(id, .none, known: [], wall: now) }
        // Each camera was asked about in turns: 20 questions of `mat` lie before its move.
        #expect(try AnswerClips(store.query).outdated.count == 20)
    }

    /// A second of somebody who stands, turned in the picture by an angle.
    private static func standing(turned angle: Double, _ seed: Int) -> [UInt8] {
        var random = RandomSource(seed: UInt64(seed), path: 2)
        let size = random.uniform(in: 0.25...0.4)
        let heights: [Joint: Float] = [
            .leftShoulder: 0.18, .rightShoulder: 0.18, .leftHip: 0.48, .rightHip: 0.48, .leftKnee: 0.74,
            .rightKnee: 0.74,
            .leftAnkle: 1, .rightAnkle: 1,
        ]
        let lean = Float(angle) + 0.03 * random.normal()
        let keypoints = Joint.allCases.map { joint -> Keypoint in
            guard let height = heights[joint] else { return .missing }
            let (x, y) = (Float(joint == joint.mirrored ? 0 : 0.02), (height - 1) * size)
            return Keypoint(
                x: (0.5 + x * cos(lean) - y * sin(lean)) / 1.5, y: 0.3 + 0.9 * size + x * sin(lean) + y * cos(lean),
                confidence: 0.9)
        }
        let frames = (0..<20).map { PoseChunk.Frame(milliseconds: $0 * 50, pose: Pose(keypoints: keypoints)) }
        return PoseChunk(widthPixels: 960, heightPixels: 640, frames: frames).packed
    }
}
