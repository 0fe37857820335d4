import Capture
import Foundation
import NeuralNet
import Synchronization

/// Finds the 33 landmarks of the people in given regions.
///
/// This is BlazePose's landmark network ("full"). It owns the network and its scratch memory, so load it once. It is
/// not thread-safe, but divides its work among the threads of its team: one person per thread, and the remaining people
/// layer by layer. One thread can do other work meanwhile.
public final class LandmarkModel {
    private let team: ThreadTeam?
    private let passes: [LandmarkPass]

    /// The first pass, for benchmarks.
    package var pass: LandmarkPass { passes[0] }

    /// Loads the network without its segmentation output, which is not used.
    ///
    /// - Throws: `ModelError` when the file is missing or not the expected network.
    public convenience init(model url: URL, kernels: KernelLevel = .best) throws {
        try self.init(model: url, kernels: kernels, team: nil)
    }

    /// Loads the network for a team of threads; `nil` for the calling thread alone.
    ///
    /// - Throws: `ModelError` when the file is missing or not the expected network.
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

    /// The landmarks of the person in the region. ``Landmarks/flag`` says whether there is one.
    public func landmarks(in image: Image, region: RegionOfInterest) -> Landmarks {
        passes[0].landmarks(in: image, region: region, mask: nil, team)
    }

    /// The landmarks of several people, in the order of their regions.
    public func landmarks(in image: Image, regions: [RegionOfInterest]) -> [Landmarks] {
        landmarks(in: image, regions: regions, masks: Array(repeating: nil, count: regions.count))
    }

    /// The landmarks of several people, in the order of their regions; each mask says what of a region is hidden.
    ///
    /// - Parameter sideWork: is done by one thread while the others look at people.
    func landmarks(
        in image: Image, regions: [RegionOfInterest], masks: [NeighbourMask?], besides sideWork: SideWork? = nil
    ) -> [Landmarks] {
        func look(_ index: Int, _ pass: LandmarkPass, _ team: ThreadTeam?) -> Landmarks {
            pass.landmarks(in: image, region: regions[index], mask: masks[index], team)
        }
        guard let team else {
            sideWork?.run()
            return regions.indices.map { look($0, passes[0], nil) }
        }
        // One pass per thread as long as there is one for every thread, so that no thread waits for another.
        let work = sideWork?.passes ?? 0
        let fitBeside = regions.count <= work * (passes.count - 1)
        let together = regions.count - (fitBeside ? 0 : (regions.count + work) % passes.count)
        for pass in passes { pass.found = [] }
        if together > 0 || work > 0 {
            let next = Atomic(0)
            team.perform { [passes] member in
                if member.index == 0 { sideWork?.run() }
                let pass = passes[member.index]
                while case let index = next.add(1, ordering: .relaxed).oldValue, index < together {
                    pass.found.append((index, look(index, pass, nil)))
                }
            }
        }
        let found = passes.flatMap(\.found).sorted { $0.index < $1.index }.map(\.landmarks)
        return found + (together..<regions.count).map { look($0, passes[0], team) }
    }

    /// Other work beside the passes of one frame.
    struct SideWork {
        /// About as many passes take as long.
        let passes: Int
        /// Does the work, on whichever thread.
        let run: () -> Void
    }
}
