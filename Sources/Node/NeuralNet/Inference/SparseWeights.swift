import CKernels

/// The non-zero weights of a pointwise convolution of the sparse engine, as a list of taps for every output channel.
package struct SparseWeights {
    /// Frees the memory with its last owner.
    private final class Memory {
        let taps: UnsafeMutablePointer<ck_tap>
        let lists: UnsafeMutablePointer<ck_tap_list>

        init(taps: Int, lists: Int) {
            self.taps = .allocate(capacity: taps)
            self.lists = .allocate(capacity: lists)
        }

        deinit {
            taps.deallocate()
            lists.deallocate()
        }
    }

    private let memory: Memory
    private let count: Int

    /// All taps, list after list. Valid as long as these weights.
    package var taps: UnsafePointer<ck_tap> { UnsafePointer(memory.taps) }
    /// One list per output channel. Valid as long as these weights.
    package var lists: UnsafePointer<ck_tap_list> { UnsafePointer(memory.lists) }
    /// Number of lists.
    package var listCount: Int32 { Int32(count) }

    /// Takes part of a weight matrix.
    ///
    /// - Parameters:
    ///   - weights: `[outputs, inputs]`.
    ///   - depth: the number of inputs of the whole matrix.
    ///   - plane: floats between the planes that the taps will read. The first plane is that of `inputs.lowerBound`.
    package init(_ weights: [Float], depth: Int, outputs: Range<Int>, inputs: Range<Int>, plane: Int) {
        count = outputs.count
        memory = weights.withUnsafeBufferPointer { weights in
            let counts = outputs.map { output in
                // Rounded up to even, because each iteration of the kernel's loop handles two taps.
                inputs.reduce(0) { weights[output * depth + $1] == 0 ? $0 : $0 + 1 }.roundedUp(to: 2)
            }
            let memory = Memory(taps: counts.reduce(0, +), lists: outputs.count)
            // Sorted by length, so that the processor predicts the end of the loop over a list.
            let order = counts.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
            var next = 0
            for (position, index) in order.enumerated() {
                memory.lists[position] = ck_tap_list(output: Int32(index), taps: Int32(counts[index]))
                let end = next + counts[index], row = (outputs.lowerBound + index) * depth
                for input in inputs where weights[row + input] != 0 {
                    let bytes = (input - inputs.lowerBound) * plane * MemoryLayout<Float>.stride
                    memory.taps[next] = ck_tap(plane: Int32(bytes), weight: weights[row + input])
                    next += 1
                }
                if next < end {
                    memory.taps[next] = ck_tap(plane: 0, weight: 0)
                    next += 1
                }
            }
            return memory
        }
    }

    /// Sets the lists in a kernel's arguments. The arguments must not outlive these weights.
    package func attach(to arguments: inout ck_sparse) {
        (arguments.taps, arguments.lists, arguments.list_count) = (taps, lists, listCount)
    }
}
