import Capture
import Foundation
import NeuralNet

public struct Landmark: Sendable { public var x, y, z, visibility, presence: Float }

public struct Landmarks: Sendable {
    public var flag: Float
    public var points: [Landmark]
    public var world: [SIMD3<Float>]
    /// Pixels: centre, tip.
    public var auxiliary: (SIMD2<Float>, SIMD2<Float>)
    public var region: RegionOfInterest
}

public final class LandmarkModel {
    private let engine: DenseEngine

    public init(model url: URL, kernels: KernelLevel = .best) throws {
        let graph = try Graph(contentsOf: url, outputs: [[195], [1], [64, 64, 39], [117]])
        engine = DenseEngine(graph, level: kernels)
    }

    public func landmarks(in image: Image, region: RegionOfInterest) throws -> Landmarks {
        ImageWarp.warp(
            image, region: region, side: 256, border: .replicate, scale: 1 / 255, offset: 0, row: engine.inputRow)
        engine.run()
        let raw = engine.output(0)
        let heat = engine.output(2)
        let worldRaw = engine.output(3)
        let sigmoid = { (v: Float) in 1 / (1 + exp(-min(max(v, -80), 80))) }
        let (w, h) = (Float(image.widthPixels), Float(image.heightPixels))
        let (c, s) = (cosf(region.angle), sinf(region.angle))
        var points: [Landmark] = []
        for i in 0..<39 {
            var p = SIMD2(raw[i * 5] / 256, raw[i * 5 + 1] / 256)
            p = refine(p, heat, i, sigmoid)
            let q = (p - 0.5) * region.size
            points.append(
                Landmark(
                    x: (region.centerX + q.x * c - q.y * s) / w, y: (region.centerY + q.x * s + q.y * c) / h,
                    z: raw[i * 5 + 2] / 256 * region.size / w, visibility: sigmoid(raw[i * 5 + 3]),
                    presence: sigmoid(raw[i * 5 + 4])))
        }
        let size = SIMD2(w, h)
        return Landmarks(
            flag: engine.output(1)[0], points: Array(points.prefix(33)),
            world: (0..<33).map { i in
                let (x, y, z) = (worldRaw[i * 3], worldRaw[i * 3 + 1], worldRaw[i * 3 + 2])
                return SIMD3(x * c - y * s, x * s + y * c, z)
            },
            auxiliary: (SIMD2(points[33].x, points[33].y) * size, SIMD2(points[34].x, points[34].y) * size), region: region)
    }

    private func refine(_ p: SIMD2<Float>, _ heat: [Float], _ i: Int, _ sigmoid: (Float) -> Float) -> SIMD2<Float> {
        guard abs(p.x) < 100, abs(p.y) < 100 else { return p }
        let (c, r) = (Int(p.x * 64), Int(p.y * 64))
        guard c >= 0, c < 64, r >= 0, r < 64 else { return p }
        var (sum, top): (Float, Float) = (0, 0)
        var moment = SIMD2<Float>(0, 0)
        for y in max(0, r - 4)..<min(64, r + 5) {
            for x in max(0, c - 4)..<min(64, c + 5) {
                let v = sigmoid(heat[(y * 64 + x) * 39 + i])
                sum += v
                top = max(top, v)
                moment += SIMD2(Float(x), Float(y)) * v
            }
        }
        return top >= 0.5 && sum > 0 ? moment / sum / 64 : p
    }
}

/// One-Euro filtered next region.
public struct RegionFollower: Sendable {
    private var filters: [OneEuro] = Array(repeating: OneEuro(), count: 4)

    public init() {}

    public mutating func next(after found: Landmarks, time: Double, imageWidth: Int, imageHeight: Int) -> RegionOfInterest {
        let (a, b) = found.auxiliary
        let step = b - a
        let scale = 1 / max(2 * hypotf(step.x, step.y), 1e-6)
        let values = [a.x, a.y, b.x, b.y]
        let smooth = values.indices.map { filters[$0].filter(values[$0], time: time, scale: scale) }
        return RegionOfInterest(centre: SIMD2(smooth[0], smooth[1]), tip: SIMD2(smooth[2], smooth[3]))
    }

    private struct OneEuro: Sendable {
        private var last: (time: Double, raw: Float, value: Float, slope: Float)?
        private var frequency: Float = 30

        mutating func filter(_ v: Float, time: Double, scale: Float) -> Float {
            guard let last else {
                self.last = (time, v, v, 0)
                return v
            }
            if time > last.time { frequency = Float(1 / (time - last.time)) }
            let alpha = { (cutoff: Float, f: Float) in 1 / (1 + f / (2 * Float.pi * cutoff)) }
            let d = (v - last.raw) * scale * frequency
            let ad = alpha(1, frequency)
            let slope = ad * d + (1 - ad) * last.slope
            let a = alpha(0.01 + 10 * abs(slope), frequency)
            let value = a * v + (1 - a) * last.value
            self.last = (time, v, value, slope)
            return value
        }
    }
}
