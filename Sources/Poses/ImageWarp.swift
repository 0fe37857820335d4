import Capture
import Foundation

enum ImageWarp {
    enum Border { case zero, replicate }

    /// dst pixel (i, j) of N×N ↔ source index; bilinear with 1/32 fractions as OpenCV does, rounded to 8 bits, then scaled.
    static func warp(
        _ image: Image, region: RegionOfInterest, side: Int, border: Border, scale: Float, offset: Float,
        row: (Int) -> UnsafeMutablePointer<Float>
    ) {
        let (c, s) = (cos(Double(region.angle)), sin(Double(region.angle)))
        let size = Double(region.size)
        let (w, h) = (image.widthPixels, image.heightPixels)
        image.rgb.withUnsafeBufferPointer { rgb in
            guard let base = rgb.baseAddress else { return }
            for y in 0..<side {
                let target = row(y)
                let v = (Double(y) / Double(side) - 0.5) * size
                for x in 0..<side {
                    let u = (Double(x) / Double(side) - 0.5) * size
                    let fx = Int(((Double(region.centerX) + u * c - v * s) * 32).rounded(.toNearestOrEven))
                    let fy = Int(((Double(region.centerY) + u * s + v * c) * 32).rounded(.toNearestOrEven))
                    let (x0, y0) = (fx >> 5, fy >> 5)
                    let (ax, ay) = (Int32(fx & 31), Int32(fy & 31))
                    let weights = (32 - ax) * (32 - ay)
                    let w01 = ax * (32 - ay), w10 = (32 - ax) * ay, w11 = ax * ay
                    let p00, p01, p10, p11: Int
                    var keep: (Int32, Int32, Int32, Int32) = (1, 1, 1, 1)
                    let cx0 = min(max(x0, 0), w - 1), cx1 = min(max(x0 + 1, 0), w - 1)
                    let cy0 = min(max(y0, 0), h - 1), cy1 = min(max(y0 + 1, 0), h - 1)
                    p00 = (cy0 * w + cx0) * 3
                    p01 = (cy0 * w + cx1) * 3
                    p10 = (cy1 * w + cx0) * 3
                    p11 = (cy1 * w + cx1) * 3
                    if border == .zero {
                        let inx0: Int32 = x0 >= 0 && x0 < w ? 1 : 0, inx1: Int32 = x0 + 1 >= 0 && x0 + 1 < w ? 1 : 0
                        let iny0: Int32 = y0 >= 0 && y0 < h ? 1 : 0, iny1: Int32 = y0 + 1 >= 0 && y0 + 1 < h ? 1 : 0
                        keep = (inx0 * iny0, inx1 * iny0, inx0 * iny1, inx1 * iny1)
                    }
                    for k in 0..<3 {
                        let a = Int32(base[p00 + k]) * keep.0 * weights + Int32(base[p01 + k]) * keep.1 * w01
                        let b = Int32(base[p10 + k]) * keep.2 * w10 + Int32(base[p11 + k]) * keep.3 * w11
                        target[x * 3 + k] = Float((a + b + 512) >> 10) * scale + offset
                    }
                }
            }
        }
    }
}
