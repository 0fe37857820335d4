import Foundation

/// Zeroed memory for floats on a cache line's boundary, freed with its owner.
package final class AlignedMemory {
    package let start: UnsafeMutablePointer<Float>
    package let count: Int
    private let allocated: UnsafeMutableRawPointer

    /// Floats before and after what is asked for, zero as well: vectors may read over an edge, never write.
    static let margin = 64

    /// - Parameter inLargePages: asks the system for pages of 2 MB, and takes up whole ones: for memory that everything
    ///   walks through at once. With them the detector takes 2 % less time.
    package init(count: Int, inLargePages: Bool = false) {
        self.count = count
        let largePage = 1 << 21, alignment = inLargePages ? largePage : 64
        var bytes = (count + 2 * Self.margin) * MemoryLayout<Float>.stride
        if inLargePages { bytes = bytes.roundedUp(to: largePage) }
        // Fresh pages are zero already; calloc knows, and leaves untouched what nobody uses.
        guard let raw = calloc(bytes + alignment, 1) else { fatalError("no memory for \(count) numbers of a network") }
        allocated = raw
        let aligned = raw.alignedUp(toMultipleOf: alignment)
        // Advice only: where the system has no large pages, everything works with small ones.
        if inLargePages { madvise(aligned, bytes, MADV_HUGEPAGE) }
        // The margin is a whole number of cache lines, so the start stays aligned.
        start = aligned.bindMemory(to: Float.self, capacity: count + 2 * Self.margin) + Self.margin
    }

    package convenience init(_ values: [Float]) {
        self.init(count: values.count)
        // `count` floats were just allocated.
        start.update(from: values, count: values.count)
    }

    deinit { free(allocated) }
}

/// Where values stand in one piece of memory: values that are never needed at the same time share their place.
struct MemoryPlan {
    private struct Placed {
        let range: Range<Int>
        let life: ClosedRange<Int>
    }

    private var placed: [Int: Placed] = [:]
    /// Floats needed.
    private(set) var count = 0

    /// Finds the lowest free place for a value that is written and read during the steps of `life`.
    mutating func place(_ value: Int, count: Int, life: ClosedRange<Int>) {
        let size = (count + 15) / 16 * 16
        let neighbours = placed.values.filter { $0.life.overlaps(life) }.map(\.range)
            .sorted { $0.lowerBound < $1.lowerBound }
        var start = 0
        for range in neighbours where range.upperBound > start {
            if range.lowerBound >= start + size { break }
            start = range.upperBound
        }
        placed[value] = Placed(range: start..<start + size, life: life)
        self.count = max(self.count, start + size)
    }

    /// Where a value begins, in floats; `nil` when it was not given a place.
    func offset(_ value: Int) -> Int? { placed[value]?.range.lowerBound }
}
