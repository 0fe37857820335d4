import Dispatch
import Foundation
import NeuralNet

/// Generates many synthetic clips.
public enum SyntheticDataset {
    /// Clips by label.
    ///
    /// - Parameters:
    ///   - perLabel: number of clips of each label. The label's motions take turns, by weight.
    ///   - seed: equal seeds give equal clips, whatever the number of cores.
    ///   - excluded: names of motions that are left out.
    /// - Returns: label after label in alphabetical order.
    public static func clips(
        perLabel: [String: Int], seed: UInt64, seconds: Double = 6, options: SyntheticOptions = SyntheticOptions(),
        excluding excluded: Set<String> = []
    ) -> [SyntheticClip] {
        var orders: [Order] = []
        for (label, count) in perLabel.sorted(by: { $0.key < $1.key }) {
            let kinds = SyntheticMotion.catalogue.filter { $0.label == label && !excluded.contains($0.name) }
                .flatMap { Array(repeating: $0, count: $0.weight) }
            guard !kinds.isEmpty else { continue }
            orders += (0..<count).map { order(kinds[$0 % kinds.count], index: $0, seed: seed) }
        }
        return make(orders, seconds: seconds, options: options)
    }

    /// Clips by motion: `count` of each of the named motions.
    public static func clips(
        of motions: [String], each count: Int, seed: UInt64, seconds: Double = 6,
        options: SyntheticOptions = SyntheticOptions()
    ) -> [SyntheticClip] {
        let kinds = SyntheticMotion.catalogue.filter { motions.contains($0.name) }
        let orders = kinds.flatMap { kind in (0..<count).map { order(kind, index: $0, seed: seed) } }
        return make(orders, seconds: seconds, options: options)
    }

    private typealias Order = (kind: MotionKind, seed: UInt64)

    private static func order(_ kind: MotionKind, index: Int, seed: UInt64) -> Order {
        var random = RandomSource(seed: seed, path: hash(kind.name), UInt64(index))
        return (kind, random.next())
    }

    private static func make(_ orders: [Order], seconds: Double, options: SyntheticOptions) -> [SyntheticClip] {
        inParallel(orders.count) { [orders] index in
            SyntheticMotion.clip(orders[index].kind, seed: orders[index].seed, seconds: seconds, options: options)
        }
    }

    /// Number of clips per label of the shipped model for a total of `total`. *other* and *none* get more, because nearly every
    /// motion in them is a class of its own, and so do the exercises whose near misses are most.
    public static func balanced(total: Int) -> [String: Int] {
        let shares = Dictionary(uniqueKeysWithValues: MotionKind.labels.map { ($0, Self.shares[$0] ?? 1) })
        let sum = shares.values.reduce(0, +)
        return shares.mapValues { Int((Double(total) * $0 / sum).rounded()) }
    }

    /// How many times as many clips a label gets as the others.
    private static let shares: [String: Double] = [
        "other": 11, "none": 7, "squat": 2.4, "lunge": 2.4, "jumping_jack": 2.4, "burpee": 2.4, "push_up": 2.4,
        "sit_up": 2.4,
    ]

    /// FNV-1a, which is the same on every machine and in every run, unlike `Hasher`.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func inParallel(
        _ count: Int, _ make: @Sendable (Int) -> SyntheticClip
    ) -> [SyntheticClip] {
        [SyntheticClip](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Every index is written exactly once and read only after all are written.
            nonisolated(unsafe) let target = buffer
            DispatchQueue.concurrentPerform(iterations: count) { index in
                target.initializeElement(at: index, to: make(index))
            }
            initialized = count
        }
    }
}
