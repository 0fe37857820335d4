import Capture
import Foundation
import NeuralNet

/// Both networks of BlazePose and the team of threads that divides their work.
///
/// It is not thread-safe.
package final class PoseNetworks {
    /// What was found in a frame, and how long that took.
    package struct Found {
        /// Of each region.
        package fileprivate(set) var landmarks: [Landmarks] = []
        /// Of each square.
        package fileprivate(set) var detections: [[Detection]] = []
        /// The parts of the passed time that regions and squares took.
        package fileprivate(set) var lookTime = Duration.zero, searchTime = Duration.zero
    }

    private let team: ThreadTeam?
    private let detector: PoseDetector
    private let landmarkModel: LandmarkModel

    /// Loads both networks from `models`, the folder with the `.tflite` files.
    ///
    /// - Throws: `ModelError` when a file is missing or not the expected network.
    package init(models: URL, kernels: KernelLevel, threads: Int) throws {
        team = threads > 1 ? ThreadTeam(count: threads) : nil
        detector = try PoseDetector(
            model: models.appending(path: "pose_detection.tflite"), kernels: kernels, team: team)
        landmarkModel = try LandmarkModel(
            model: models.appending(path: "pose_landmark_full.tflite"), kernels: kernels, team: team)
    }

    /// The landmarks of the person in a region.
    func landmarks(in image: Image, region: RegionOfInterest) -> Landmarks {
        landmarkModel.landmarks(in: image, region: region)
    }

    /// Looks at people and searches squares of the same picture. With several threads, one searches while the others look.
    ///
    /// - Parameters:
    ///   - regions: where people are expected.
    ///   - masks: what is hidden in each region.
    ///   - squares: the squares to search; `nil` is the whole picture.
    package func run(
        in image: Image, regions: [RegionOfInterest], masks: [NeighbourMask?], squares: [RegionOfInterest?]
    ) -> Found {
        var found = Found()
        let began = ContinuousClock.now
        let searchTeam = regions.isEmpty ? team : nil
        let search = { [detector] in
            let began = ContinuousClock.now
            found.detections = squares.map { detector.detections(in: image, square: $0, searchTeam) }
            found.searchTime = began.duration(to: .now)
        }
        guard !regions.isEmpty else {
            if !squares.isEmpty { search() }
            return found
        }
        found.landmarks = landmarkModel.landmarks(
            in: image, regions: regions, masks: masks,
            besides: squares.isEmpty ? nil : .init(passes: squares.count, run: search))
        // Of the time in which several threads worked, a search took the share of its thread.
        found.searchTime /= team?.count ?? 1
        found.lookTime = began.duration(to: .now) - found.searchTime
        return found
    }
}
