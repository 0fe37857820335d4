import Capture
import Foundation
import NeuralNet

/// Finds the 33 landmarks of the person in a region.
///
/// BlazePose's landmark network ("full"). Owns the network and its scratch memory; load it once. Not for two threads
/// at a time.
public final class LandmarkModel {
    private static let side = 256
    /// Points in the outputs: 33 of the body, two for the next region, four unused.
    private static let pointCount = 39
    private static let bodyCount = 33

    /// For measuring its layers.
    package let network: InterleavedNetwork
    package let warp = ImageWarp(size: side, border: .replicate)
    private var pixels = [UInt8](repeating: 0, count: side * side * 3)

    /// Loads the network without its segmentation, which nobody reads here.
    ///
    /// - Throws: ``ModelError``, whose message says what to do.
    public init(model url: URL, kernels: KernelLevel = .best) throws {
        let outputs = [[Self.pointCount * 5], [1], [Self.pointCount * 3], [64, 64, Self.pointCount]]
        let graph = try Graph(contentsOf: url, outputs: outputs)
        try graph.requireInput(height: Self.side, width: Self.side, channels: 3)
        network = try InterleavedNetwork(graph, kernels: kernels)
    }

    /// The landmarks of whoever is in the region; ``Landmarks/flag`` says whether anybody is.
    public func landmarks(in image: Image, region: RegionOfInterest) throws -> Landmarks {
        warp.cut(region, from: image, into: &pixels)
        network.setPicture(pixels, scale: 1 / 255, offset: 0)
        network.run()
        let raw = network.output(0), flag = network.output(1)[0], world = network.output(2)
        var points = (0..<Self.pointCount).map { index in
            Landmark(
                x: raw[index * 5] / Float(Self.side), y: raw[index * 5 + 1] / Float(Self.side),
                z: raw[index * 5 + 2] / Float(Self.side), visibility: logistic(raw[index * 5 + 3]),
                presence: logistic(raw[index * 5 + 4]))
        }
        let heatmap = Heatmap(side: 64, logits: network.map(3))
        for index in points.indices { points[index] = heatmap.refine(points[index], channel: index) }
        return Landmarks(
            flag: flag, points: points.prefix(Self.bodyCount).map { project($0, region, image) },
            world: (0..<Self.bodyCount).map { turn(world[$0 * 3..<$0 * 3 + 3], by: region.angle) },
            auxiliary: (region.project(points[33].x, points[33].y), region.project(points[34].x, points[34].y)),
            region: region)
    }

    /// From fractions of the region to fractions of the picture.
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
