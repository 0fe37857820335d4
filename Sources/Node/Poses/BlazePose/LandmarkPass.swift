import Capture
import Foundation
import NeuralNet

/// Runs the landmark network for one person: cuts out the region, runs the network, refines the points and projects
/// them back into the picture.
///
/// A pass owns its scratch memory. The weights are shared with other passes.
package final class LandmarkPass {
    static let side = 256
    /// Points in the outputs: 33 of the body, two for the next region, four that are unused.
    static let pointCount = 39
    private static let bodyCount = 33

    /// The network of this pass, for benchmarks.
    package let network: InterleavedNetwork
    private let warp: ImageWarp
    private var pixels = [UInt8](repeating: 0, count: side * side * 3)
    /// The results of the team member that uses this pass, with the people's numbers.
    var found: [(index: Int, landmarks: Landmarks)] = []

    init(_ network: InterleavedNetwork, kernels: KernelLevel) {
        self.network = network
        warp = ImageWarp(size: Self.side, border: .replicate, kernels: kernels)
    }

    /// The landmarks of the person in the region. The network's layers are divided among the team.
    func landmarks(in image: Image, region: RegionOfInterest, mask: NeighbourMask?, _ team: ThreadTeam?) -> Landmarks {
        prepare(image, region: region, mask: mask, team)
        network.run(team)
        let flag = network.output(1)[0], world = network.output(2)
        var points = Self.points(in: network)
        let heatmap = Heatmap(logits: network.map(3))
        for index in points.indices { points[index] = heatmap.refine(points[index], channel: index) }
        return Landmarks(
            flag: flag, points: points.prefix(Self.bodyCount).map { project($0, region, image) },
            world: (0..<Self.bodyCount).map { turn(world[$0 * 3..<$0 * 3 + 3], by: region.angle) },
            auxiliary: (region.project(points[33].x, points[33].y), region.project(points[34].x, points[34].y)),
            region: region)
    }

    /// Writes a region of the picture to the network's input.
    package func prepare(
        _ image: Image, region: RegionOfInterest, mask: NeighbourMask? = nil, _ team: ThreadTeam?
    ) {
        warp.cut(region, from: image, into: &pixels, team) { [network] cutout, rows in
            mask?.paint(cutout, rows: rows)
            network.setRows(rows, of: cutout, scale: 1 / 255, offset: 0)
        }
    }

    /// The network's points in fractions of the region, before the heatmap refines them.
    static func points(in network: InterleavedNetwork) -> [Landmark] {
        let raw = network.output(0)
        return (0..<pointCount).map { index in
            Landmark(
                x: raw[index * 5] / Float(side), y: raw[index * 5 + 1] / Float(side),
                z: raw[index * 5 + 2] / Float(side), visibility: logistic(raw[index * 5 + 3]),
                presence: logistic(raw[index * 5 + 4]))
        }
    }

    /// Converts fractions of the region to fractions of the picture.
    private func project(_ point: Landmark, _ region: RegionOfInterest, _ image: Image) -> Landmark {
        let pixel = region.project(point.x, point.y)
        var projected = point
        projected.x = pixel.x / Float(image.widthPixels)
        projected.y = pixel.y / Float(image.heightPixels)
        projected.z = point.z * region.size / Float(image.widthPixels)
        return projected
    }

    private func turn(_ point: ArraySlice<Float>, by angle: Float) -> SIMD3<Float> {
        let x = point[point.startIndex], y = point[point.startIndex + 1], z = point[point.startIndex + 2]
        return SIMD3(x * cosf(angle) - y * sinf(angle), x * sinf(angle) + y * cosf(angle), z)
    }
}
