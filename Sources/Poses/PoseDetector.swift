import Capture
import Foundation
import NeuralNet

/// One person found in a whole picture.
public struct Detection: Sendable {
    public var score: Float
    /// Fractions of the picture.
    public var box: (xMin: Float, yMin: Float, xMax: Float, yMax: Float)
    /// Fractions of the picture: mid-hip, tip of the whole body, two more.
    public var keypoints: [SIMD2<Float>]

    public func region(imageWidth: Int, imageHeight: Int) -> RegionOfInterest {
        let size = SIMD2(Float(imageWidth), Float(imageHeight))
        return RegionOfInterest(centre: keypoints[0] * size, tip: keypoints[1] * size)
    }
}

public final class PoseDetector {
    private let engine: DenseEngine
    private let anchors: [SIMD2<Float>]

    public init(model url: URL, kernels: KernelLevel = .best) throws {
        let graph = try Graph(contentsOf: url, outputs: [[2254, 12], [2254, 1]])
        engine = DenseEngine(graph, level: kernels)
        var anchors: [SIMD2<Float>] = []
        for (side, count) in [(28, 2), (14, 2), (7, 6)] {
            for y in 0..<side {
                for x in 0..<side {
                    let place = (SIMD2(Float(x), Float(y)) + 0.5) / Float(side)
                    for _ in 0..<count { anchors.append(place) }
                }
            }
        }
        self.anchors = anchors
    }

    public func detections(in image: Image) throws -> [Detection] {
        let (w, h) = (Float(image.widthPixels), Float(image.heightPixels))
        let side = max(w, h)
        ImageWarp.warp(
            image, region: RegionOfInterest(centerX: w / 2, centerY: h / 2, size: side, angle: 0), side: 224, border: .zero,
            scale: 2 / 255, offset: -1, row: engine.inputRow)
        engine.run()
        let boxes = engine.output(0)
        let scores = engine.output(1)
        let pad = SIMD2((1 - w / side) / 2, (1 - h / side) / 2)
        var found: [Detection] = []
        for i in 0..<2254 {
            let score = 1 / (1 + exp(-min(max(scores[i], -100), 100)))
            guard score >= 0.5 else { continue }
            let r = (0..<12).map { boxes[i * 12 + $0] / 224 }
            guard r[2] >= 0, r[3] >= 0 else { continue }
            let c = SIMD2(r[0], r[1]) + anchors[i]
            found.append(
                Detection(
                    score: score, box: (c.x - r[2] / 2, c.y - r[3] / 2, c.x + r[2] / 2, c.y + r[3] / 2),
                    keypoints: (0..<4).map { SIMD2(r[4 + 2 * $0], r[5 + 2 * $0]) + anchors[i] }))
        }
        return suppress(found).map { detection in
            var detection = detection
            let place = { (p: SIMD2<Float>) in (p - pad) / (1 - 2 * pad) }
            detection.keypoints = detection.keypoints.map(place)
            let (a, b) = (place(SIMD2(detection.box.xMin, detection.box.yMin)), place(SIMD2(detection.box.xMax, detection.box.yMax)))
            detection.box = (a.x, a.y, b.x, b.y)
            return detection
        }
    }

    private func suppress(_ all: [Detection]) -> [Detection] {
        var rest = all.sorted { $0.score > $1.score }
        var kept: [Detection] = []
        while let best = rest.first {
            let same = rest.filter { overlap($0.box, best.box) > 0.3 }
            let total = same.map(\.score).reduce(0, +)
            guard !same.isEmpty else {
                rest.removeFirst()
                continue
            }
            var merged = best
            let mean = { (f: (Detection) -> Float) in same.map { f($0) * $0.score }.reduce(0, +) / total }
            merged.box = (mean { $0.box.xMin }, mean { $0.box.yMin }, mean { $0.box.xMax }, mean { $0.box.yMax })
            merged.keypoints = (0..<4).map { k in SIMD2(mean { $0.keypoints[k].x }, mean { $0.keypoints[k].y }) }
            kept.append(merged)
            rest.removeAll { overlap($0.box, best.box) > 0.3 }
        }
        return kept
    }

    private func overlap(
        _ a: (xMin: Float, yMin: Float, xMax: Float, yMax: Float), _ b: (xMin: Float, yMin: Float, xMax: Float, yMax: Float)
    ) -> Float {
        let w = min(a.xMax, b.xMax) - max(a.xMin, b.xMin)
        let h = min(a.yMax, b.yMax) - max(a.yMin, b.yMin)
        guard w > 0, h > 0 else { return 0 }
        let area = { (c: (xMin: Float, yMin: Float, xMax: Float, yMax: Float)) in (c.xMax - c.xMin) * (c.yMax - c.yMin) }
        return w * h / (area(a) + area(b) - w * h)
    }
}
