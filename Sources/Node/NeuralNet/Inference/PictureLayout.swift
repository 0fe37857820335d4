import Foundation
import CKernels

/// Where an `InterleavedNetwork` stores its input picture.
struct PictureLayout {
    let start: UnsafeMutableRawPointer
    let height, width: Int
    /// Bytes from one row to the next.
    let row: Int

    /// Writes `[height, width, 3]` floats.
    func write(_ values: [Float], _ kernels: ck_kernels) {
        for y in 0..<height {
            kernels.write(values[y * width * 3..<(y + 1) * width * 3], to: start + y * row)
        }
    }

    /// Writes some rows of `[height, width, 3]` bytes as `byte * scale + offset`.
    ///
    /// - Precondition: `rgb` points to the first row of a picture of `height * width * 3` bytes.
    func write(
        _ rgb: UnsafePointer<UInt8>, rows: Range<Int>, scale: Float, offset: Float, _ kernels: ck_kernels
    ) {
        for y in rows { kernels.widen_bytes(rgb + y * width * 3, width * 3, scale, offset, start + y * row) }
    }
}

/// The logistic function, 1 / (1 + exp(−value)).
package func logistic(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
