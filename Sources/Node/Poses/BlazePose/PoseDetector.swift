import Capture
import Foundation
import NeuralNet

/// Finds people in a picture: the middle of their hips, their size and their rotation.
///
/// This is BlazePose's detector. It owns the network and its scratch memory, so load it once. It is not thread-safe.
public final class PoseDetector {
    /// Detections below this score are ignored.
    private static let minimumScore: Float = 0.5
    /// Boxes whose intersection over union is above this show the same person.
    private static let sameOverlap: Float = 0.3
    private static let side = 224

    /// The network, for benchmarks of its layers.
    package let network: PlanarNetwork
    private let warp: ImageWarp
    private var pixels = [UInt8](repeating: 0, count: side * side * 3)
    private let team: ThreadTeam?
    private let anchors = PoseDetector.makeAnchors()

    /// Loads the network.
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
        warp = ImageWarp(size: Self.side, border: .black, kernels: kernels)
        let graph = try Graph(contentsOf: url, outputs: [[anchors.count, 12], [anchors.count, 1]])
        try graph.requireInput(height: Self.side, width: Self.side, channels: 3)
        network = try PlanarNetwork(graph, kernels: kernels)
    }

    /// Everyone in the picture, best first.
    ///
    /// - Parameter square: the part of the picture to search, by default the smallest square around all of it. The
    ///   network finds people who are at least a third as tall as the square.
    public func detections(in image: Image, square: RegionOfInterest? = nil) -> [Detection] {
        detections(in: image, square: square, team)
    }

    /// Everyone in the picture, or in a square of it. Only the team cuts out the square; the network takes one thread.
    func detections(in image: Image, square: RegionOfInterest?, _ team: ThreadTeam?) -> [Detection] {
        let letterbox = Letterbox(image, square: square)
        warp.cut(letterbox.region, from: image, into: &pixels, team) { [network] cutout, rows in
            network.setRows(rows, of: cutout, scale: 2 / 255, offset: -1)
        }
        network.run()
        let found = decode(boxes: network.output(0), scores: network.output(1))
        return Detection.joined(found, overlap: Self.sameOverlap).map(letterbox.remove)
    }

    /// The rows of the output with a sufficient score, in fractions of the letterboxed picture.
    private func decode(boxes: [Float], scores: [Float]) -> [Detection] {
        anchors.indices.compactMap { row in
            let score = logistic(min(max(scores[row], -100), 100))
            guard score >= Self.minimumScore else { return nil }
            let anchor = anchors[row]
            func point(_ index: Int) -> SIMD2<Float> {
                SIMD2(boxes[row * 12 + index], boxes[row * 12 + index + 1]) / Float(Self.side)
            }
            let center = point(0) + anchor, size = point(2)
            guard size.x >= 0, size.y >= 0 else { return nil }
            return Detection(
                score: score,
                box: .init(
                    xMin: center.x - size.x / 2, yMin: center.y - size.y / 2, xMax: center.x + size.x / 2,
                    yMax: center.y + size.y / 2),
                keypoints: (0..<4).map { point(4 + 2 * $0) + anchor })
        }
    }

    /// The point each row of the output is relative to: the cell centres of three grids, with several rows per cell.
    private static func makeAnchors() -> [SIMD2<Float>] {
        [(28, 2), (14, 2), (7, 6)].flatMap { cells, rows in
            (0..<cells * cells).flatMap { cell in
                let x = (Float(cell % cells) + 0.5) / Float(cells), y = (Float(cell / cells) + 0.5) / Float(cells)
                return Array(repeating: SIMD2(x, y), count: rows)
            }
        }
    }
}

/// An upright square of a picture. Parts beyond the picture are black.
struct Letterbox {
    let region: RegionOfInterest
    /// The top left corner and the size of the square, in fractions of the picture.
    private let origin, extent: SIMD2<Float>

    /// The smallest square around the whole picture, unless another is given.
    init(_ image: Image, square: RegionOfInterest? = nil) {
        let size = SIMD2(Float(image.widthPixels), Float(image.heightPixels))
        region = square ?? RegionOfInterest(centerX: size.x / 2, centerY: size.y / 2, size: size.max(), angle: 0)
        extent = region.size / size
        origin = SIMD2(region.centerX, region.centerY) / size - extent / 2
    }

    /// Converts fractions of the square to fractions of the picture.
    func remove(from detection: Detection) -> Detection {
        func inPicture(_ point: SIMD2<Float>) -> SIMD2<Float> { origin + point * extent }
        let low = inPicture(SIMD2(detection.box.xMin, detection.box.yMin))
        let high = inPicture(SIMD2(detection.box.xMax, detection.box.yMax))
        return Detection(
            score: detection.score, box: .init(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y),
            keypoints: detection.keypoints.map(inPicture))
    }
}
