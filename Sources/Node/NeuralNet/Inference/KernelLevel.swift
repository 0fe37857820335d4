import CKernels

/// An instruction set that the networks can run with.
public enum KernelLevel: String, CaseIterable, Sendable {
    /// Four lanes, on every processor of the architecture: SSE2 on x86-64, NEON on arm64.
    case portable
    /// Eight lanes: AVX2, FMA and F16C.
    case avx2
    /// Sixteen lanes: AVX-512 F, BW, DQ and VL.
    case avx512
    /// 16-bit floats in eight lanes for the landmark network, and ``single`` for everything else. For arm64 processors with
    /// FEAT_FP16. On x86-64 it shows, slowly, nearly the numbers that those compute, and is never the best level.
    case half

    /// Name of the level on this architecture.
    public var name: String {
        #if arch(arm64)
            self == .portable ? "neon" : rawValue
        #else
            rawValue
        #endif
    }

    /// A level by its name, or `nil` for an unknown one. `neon` is the portable level of arm64.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { [$0.name, $0.rawValue].contains(name) }) else { return nil }
        self = level
    }

    /// The fastest level that this machine supports.
    public static var best: KernelLevel {
        #if arch(arm64)
            supported.last ?? .portable
        #else
            supported.last { $0 != .half } ?? .portable
        #endif
    }

    /// The levels that this machine supports, slowest first.
    public static var supported: [KernelLevel] {
        allCases.filter { ck_is_supported($0.identifier) }
    }

    /// This level, or the one in single precision that goes with 16-bit floats.
    package var single: KernelLevel {
        guard self == .half else { return self }
        return ck_is_supported(CK_LEVEL_AVX2) ? .avx2 : .portable
    }

    /// The level's kernels in single precision, or the portable ones where the machine lacks the level.
    package var kernels: ck_kernels {
        // The table is a constant of the C library and lives as long as the program.
        ck_kernels_for(single.identifier).pointee
    }

    /// The level's kernels of the dense engine; the others are null at the level of 16-bit floats.
    package var denseKernels: ck_kernels { ck_kernels_for(identifier).pointee }

    private var identifier: ck_level {
        switch self {
        case .portable: CK_LEVEL_PORTABLE
        case .avx2: CK_LEVEL_AVX2
        case .avx512: CK_LEVEL_AVX512
        case .half: CK_LEVEL_HALF
        }
    }
}
