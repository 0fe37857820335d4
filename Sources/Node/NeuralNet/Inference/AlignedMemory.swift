import Foundation

/// Zeroed memory for floats, aligned to a cache line. It is freed with its owner.
package final class AlignedMemory {
    /// The first float, on a cache line boundary.
    package let start: UnsafeMutablePointer<Float>
    /// The same place, for elements of any size.
    package var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(start) }
    /// Number of usable floats.
    package let count: Int
    private let allocated: UnsafeMutableRawPointer

    /// Extra floats before and after the usable ones, also zero. Vector code may read past an edge, but never writes.
    static let margin = 64

    /// - Parameter inLargePages: asks the system for pages of 2 MB and rounds the size up to whole ones. Useful for
    ///   memory that is read from start to end. With them the detector takes 2 % less time.
    package init(count: Int, inLargePages: Bool = false) {
        self.count = count
        let largePage = 1 << 21, alignment = inLargePages ? largePage : 64
        var bytes = (count + 2 * Self.margin) * MemoryLayout<Float>.stride
        if inLargePages { bytes = bytes.roundedUp(to: largePage) }
        // calloc knows that fresh pages are already zero, so unused pages are never touched.
        guard let raw = calloc(bytes + alignment, 1) else { fatalError("no memory for \(count) numbers of a network") }
        allocated = raw
        let aligned = raw.alignedUp(toMultipleOf: alignment)
        // Only advice: without large pages everything works with small ones.
        if inLargePages { madvise(aligned, bytes, MADV_HUGEPAGE) }
        // The margin is a whole number of cache lines, so the start stays aligned.
        start = aligned.bindMemory(to: Float.self, capacity: count + 2 * Self.margin) + Self.margin
    }

    /// Memory for elements of any size.
    package convenience init(bytes: Int) { self.init(count: (bytes + 3) / 4) }

    /// A copy of these values.
    package convenience init(_ values: [Float]) {
        self.init(count: values.count)
        // `count` floats were just allocated.
        start.update(from: values, count: values.count)
    }

    deinit { free(allocated) }
}

/// Assigns values to offsets in one block of memory. Values that are never needed at the same time share their place.
struct MemoryPlan {
    private struct Placed {
        let range: Range<Int>
        let life: ClosedRange<Int>
    }

    private var placed: [Int: Placed] = [:]
    /// Floats needed.
    private(set) var count = 0

    /// Finds the lowest free place for a value that is in use during the steps of `life`.
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

    /// Offset of a value in floats; `nil` when it was not given a place.
    func offset(_ value: Int) -> Int? { placed[value]?.range.lowerBound }
}
