import Actions
import Agent
import Foundation
import Poses
import Training

extension FuzzReader {
    /// A `….poses.jsonl`, used in the recognition chain, as a coach's reference, and as a training clip.
    static let poseStream = FuzzReader(name: "pose-stream") { bytes in
        try Scratch.file("a.poses.jsonl", bytes) { file in
            let stream = PoseSource.Settings(poseModels: file.deletingLastPathComponent())
            let failure = Result { try finish { try await recognise(file, stream) } }
            let reference = Result { try FormReference(contentsOf: file, basis: nil) }
            _ = try LabelledClip.read(poseStream: file)
            _ = try (failure.get(), reference.get())
        }
    }

    private static func recognise(_ file: URL, _ settings: PoseSource.Settings) async throws {
        try await recognise(try PoseSource(opening: file.path, settings: settings).people, .everyone)
    }

    /// Follows people to the end of their sessions.
    static func recognise(
        _ people: some AsyncSequence<TrackedFrame, any Error>, _ subjects: WindowGatherer.Subjects
    ) async throws {
        var chain = RecognitionChain(
            classifier: try ExampleModel.classifier.get(), subjects: subjects, camera: "camera1",
            rules: RecognitionRules(idleSeconds: 5), origin: Date(timeIntervalSince1970: 1_790_000_000))
        for try await frame in people { _ = try chain.receive(frame) }
        _ = chain.close(.sourceEnded)
    }
}
