import CKernels

/// An instruction set that the networks can run with.
public enum KernelLevel: String, CaseIterable, Sendable {
    /// Four lanes, on every processor of the architecture: SSE2 on x86-64, NEON on arm64.
    case portable
    /// Eight lanes: AVX2, FMA and F16C.
    case avx2
    /// Sixteen lanes: AVX-512 F, BW, DQ and VL.
    case avx512

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
        supported.last ?? .portable
    }

    /// The levels that this machine supports, slowest first.
    public static var supported: [KernelLevel] {
        allCases.filter { ck_is_supported($0.identifier) }
    }

    /// The level's kernels, or the portable ones where the machine lacks the level.
    package var kernels: ck_kernels {
        // The table is a constant of the C library and lives as long as the program.
        ck_kernels_for(identifier).pointee
    }

    private var identifier: ck_level {
        switch self {
        case .portable: CK_LEVEL_PORTABLE
        case .avx2: CK_LEVEL_AVX2
        case .avx512: CK_LEVEL_AVX512
        }
    }
}
