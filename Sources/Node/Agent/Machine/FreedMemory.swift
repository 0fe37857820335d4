import Glibc

/// The memory that this process has freed and the C library keeps.
enum FreedMemory {
    private typealias Trim = @convention(c) (Int) -> CInt
    /// `malloc_trim`, which Swift's module of the C library does not declare; `nil` where there is none.
    private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

    /// Gives it back to the system. After a flood of commands or a long question that is tens of megabytes.
    static func giveBack() { _ = trim?(0) }
}
