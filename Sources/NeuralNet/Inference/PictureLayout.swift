import Foundation
import CKernels

/// Where an `InterleavedNetwork` stores its input picture.
struct PictureLayout {
    let start: UnsafeMutablePointer<Float>
    let height, width: Int
    /// Floats from one row to the next.
    let row: Int

    /// Writes `[height, width, 3]` floats.
    func write(_ values: [Float]) {
        for y in 0..<height {
            for index in 0..<width * 3 { start[y * row + index] = values[y * width * 3 + index] }
        }
    }

    /// Writes `[height, width, 3]` bytes as `byte * scale + offset`.
    func write(_ rgb: [UInt8], scale: Float, offset: Float, _ kernels: ck_kernels) {
        rgb.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height {
                // The caller checked that the picture has `height * width * 3` bytes.
                kernels.widen_bytes(base + y * width * 3, width * 3, scale, offset, start + y * row)
            }
        }
    }
}

/// The logistic function, 1 / (1 + exp(−value)).
package func logistic(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
