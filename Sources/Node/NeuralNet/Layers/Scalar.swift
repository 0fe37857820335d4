import COpenBLAS
import Foundation

/// The number types of the layers: `Float` in the product, `Double` where tests check gradients.
///
/// Loops over elements are `@inlinable` and specialise to either type. The matrix product, which costs most, is
/// OpenBLAS's own kernel for the type.
public protocol Scalar: BinaryFloatingPoint, Sendable {
    /// `c = op(a) · op(b)`, or `c += op(a) · op(b)` if `accumulate`. All matrices are row-major and dense.
    ///
    /// - Parameters:
    ///   - size: rows of `c`, columns of `c`, and the length of the sums.
    ///   - a: `[rows, sums]`, or `[sums, rows]` if `transposeA`.
    ///   - b: `[sums, columns]`, or `[columns, sums]` if `transposeB`.
    static func multiply(
        _ a: UnsafePointer<Self>, transposeA: Bool, _ b: UnsafePointer<Self>, transposeB: Bool,
        into c: UnsafeMutablePointer<Self>, size: (rows: Int, columns: Int, sums: Int), accumulate: Bool)

    /// e to the power of `x`.
    static func exponential(_ x: Self) -> Self
    /// Natural logarithm.
    static func logarithm(_ x: Self) -> Self
}

/// Limits OpenBLAS to the calling thread, once: the matrices are small, the cores have other work (capture,
/// augmentation), and a sum must not depend on the number of cores.
private let oneThread: Void = openblas_set_num_threads(1)

extension Float: Scalar {
    /// `cblas_sgemm`; see ``Scalar``.
    public static func multiply(
        _ a: UnsafePointer<Float>, transposeA: Bool, _ b: UnsafePointer<Float>, transposeB: Bool,
        into c: UnsafeMutablePointer<Float>, size: (rows: Int, columns: Int, sums: Int), accumulate: Bool
    ) {
        _ = oneThread
        cblas_sgemm(
            CblasRowMajor, transposeA ? CblasTrans : CblasNoTrans, transposeB ? CblasTrans : CblasNoTrans,
            blasint(size.rows), blasint(size.columns), blasint(size.sums), 1,
            a, blasint(transposeA ? size.rows : size.sums), b, blasint(transposeB ? size.sums : size.columns),
            accumulate ? 1 : 0, c, blasint(size.columns))
    }

    /// e to the power of `x`.
    public static func exponential(_ x: Float) -> Float { Foundation.exp(x) }
    /// Natural logarithm.
    public static func logarithm(_ x: Float) -> Float { Foundation.log(x) }
}

extension Double: Scalar {
    /// `cblas_dgemm`; see ``Scalar``.
    public static func multiply(
        _ a: UnsafePointer<Double>, transposeA: Bool, _ b: UnsafePointer<Double>, transposeB: Bool,
        into c: UnsafeMutablePointer<Double>, size: (rows: Int, columns: Int, sums: Int), accumulate: Bool
    ) {
        _ = oneThread
        cblas_dgemm(
            CblasRowMajor, transposeA ? CblasTrans : CblasNoTrans, transposeB ? CblasTrans : CblasNoTrans,
            blasint(size.rows), blasint(size.columns), blasint(size.sums), 1,
            a, blasint(transposeA ? size.rows : size.sums), b, blasint(transposeB ? size.sums : size.columns),
            accumulate ? 1 : 0, c, blasint(size.columns))
    }

    /// e to the power of `x`.
    public static func exponential(_ x: Double) -> Double { Foundation.exp(x) }
    /// Natural logarithm.
    public static func logarithm(_ x: Double) -> Double { Foundation.log(x) }
}
