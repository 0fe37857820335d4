import Capture
import Foundation
import NeuralNet

/// Finds the 33 landmarks of the people in given regions.
///
/// BlazePose's landmark network ("full"). Owns the network and its scratch memory; load it once. Not for two threads
/// at a time: it divides its work among the members of its team itself, a person each, and what is left over by layers.
public final class LandmarkModel {
    private let team: ThreadTeam?
    private let passes: [LandmarkPass]

    /// For measuring it: one person's pass.
    package var pass: LandmarkPass { passes[0] }

    /// Loads the network without its segmentation, which nobody reads here.
    ///
    /// - Throws: ``ModelError``, whose message says what to do.
    public convenience init(model url: URL, kernels: KernelLevel = .best) throws {
        try self.init(model: url, kernels: kernels, team: nil)
    }

    package init(model url: URL, kernels: KernelLevel, team: ThreadTeam?) throws {
        self.team = team
        let side = LandmarkPass.side, heatmap = Heatmap.side, points = LandmarkPass.pointCount
        let graph = try Graph(contentsOf: url, outputs: [[points * 5], [1], [points * 3], [heatmap, heatmap, points]])
        try graph.requireInput(height: side, width: side, channels: 3)
        let members = team?.count ?? 1
        passes = try InterleavedNetwork.copies(
            members, of: graph, kernels: kernels, members: members,
            deferred: .init(output: 3) { Heatmap.areas(around: LandmarkPass.points(in: $0)) }
        ).map { LandmarkPass($0, kernels: kernels) }
    }

    /// The landmarks of whoever is in the region; ``Landmarks/flag`` says whether anybody is.
    public func landmarks(in image: Image, region: RegionOfInterest) -> Landmarks {
        passes[0].landmarks(in: image, region: region, team)
    }

    /// The landmarks of everyone, in the order of their regions.
    public func landmarks(in image: Image, regions: [RegionOfInterest]) -> [Landmarks] {
        guard let team else { return regions.map { landmarks(in: image, region: $0) } }
        // Whole people as long as there is one for every member; they need no waiting for each other.
        let together = regions.count / passes.count * passes.count
        if together > 0 {
            team.perform { [passes] member in
                passes[member.index].found = stride(from: member.index, to: together, by: passes.count).map {
                    passes[member.index].landmarks(in: image, region: regions[$0], nil)
                }
            }
        }
        return regions.indices.map { index in
            index < together
                ? passes[index % passes.count].found[index / passes.count]
                : landmarks(in: image, region: regions[index])
        }
    }
}
