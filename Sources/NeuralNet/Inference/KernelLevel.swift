import CKernels

/// An instruction set the networks can run with.
public enum KernelLevel: String, CaseIterable, Sendable {
    /// What every processor of the architecture has, four lanes: SSE2 on x86-64, NEON on arm64.
    case portable
    /// Eight lanes: AVX2 and FMA.
    case avx2
    /// Sixteen lanes.
    case avx512

    /// What the level is called on this architecture.
    public var name: String {
        #if arch(arm64)
            self == .portable ? "neon" : rawValue
        #else
            rawValue
        #endif
    }

    /// A level by its name; `neon` is the portable level of arm64.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { [$0.name, $0.rawValue].contains(name) }) else { return nil }
        self = level
    }

    /// The fastest level of this machine.
    public static var best: KernelLevel {
        supported.last ?? .portable
    }

    /// The levels this machine can run, slowest first.
    public static var supported: [KernelLevel] {
        allCases.filter { ck_is_supported($0.identifier) }
    }

    /// The level's kernels; the portable ones where the machine lacks the level.
    package var kernels: ck_kernels {
        // The table is a constant of the C library: it lives as long as the program.
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
