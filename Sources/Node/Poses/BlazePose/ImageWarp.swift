import CKernels
import Capture
import Foundation
import NeuralNet

/// Cuts regions out of pictures, in the input size of a network.
package struct ImageWarp {
    /// What a region shows beyond the edges of the picture.
    package enum Border {
        /// Black pixels.
        case black
        /// The nearest pixel of the picture.
        case replicate
    }

    /// Side of the cutout in pixels.
    package let size: Int
    let border: Border
    let kernels: KernelLevel

    /// Rows that are cut out before they are used.
    private static let rowsTogether = 8

    /// Writes the region to `pixels` as `[size, size, 3]` bytes of RGB, from any image layout. The rows are divided
    /// among the members of the team.
    ///
    /// Output pixel `j` shows the fraction `j / size` of the region's side. As in MediaPipe, there is no offset of half
    /// a pixel, neither here nor in the picture.
    ///
    /// - Parameter use: is called with the cutout and the numbers of some rows, as soon as these are written
    ///   and still in the cache. It may change these rows. Members of the team call it at the same time, with different rows.
    package func cut(
        _ region: RegionOfInterest, from image: Image, into pixels: inout [UInt8], _ team: ThreadTeam?,
        use: @escaping (UnsafeMutablePointer<UInt8>, Range<Int>) -> Void
    ) {
        precondition(pixels.count == size * size * 3, "the cutout needs 3 bytes per pixel")
        let side = Double(region.size), angle = Double(region.angle)
        let along = side * cos(angle), across = side * sin(angle)
        image.bytes.withUnsafeBufferPointer { source in
            pixels.withUnsafeMutableBufferPointer { target in
                guard let input = source.baseAddress, let output = target.baseAddress else { return }
                let cutout = ck_cutout(
                    pixels: input, layout: image.layout.kernels, width: Int32(image.widthPixels),
                    height: Int32(image.heightPixels),
                    origin_x: Double(region.centerX) - (along - across) / 2,
                    origin_y: Double(region.centerY) - (across + along) / 2,
                    column_x: along / Double(size), column_y: across / Double(size),
                    row_x: -across / Double(size), row_y: along / Double(size), black_border: border == .black)
                // Memory safety: an image has all bytes of its layout, and the size of `pixels` is checked above.
                let warp = kernels.kernels.warp
                let cut = { (rows: Range<Int>) in
                    var cutout = cutout
                    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rowsTogether) {
                        let some = first..<min(first + Self.rowsTogether, rows.upperBound)
                        warp(&cutout, Int32(size), Int32(some.lowerBound), Int32(some.upperBound), output)
                        use(output, some)
                    }
                }
                guard let team else { return cut(0..<size) }
                team.perform { cut($0.part(of: size)) }
            }
        }
    }
}

extension Image.Layout {
    /// The kernels' constant for this layout.
    fileprivate var kernels: ck_layout {
        switch self {
        case .rgb: CK_RGB
        case .yuyv(let isFullRange): isFullRange ? CK_YUYV_FULL : CK_YUYV
        case .nv12(let isFullRange): isFullRange ? CK_NV12_FULL : CK_NV12
        }
    }
}
