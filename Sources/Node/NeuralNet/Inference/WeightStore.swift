/// Packed weights, stored once for all copies of a network.
final class WeightStore {
    enum Kind { case weights, bias }

    private struct Key: Hashable {
        let value: Graph.Value
        let kind: Kind
    }

    private var memories: [Key: AlignedMemory] = [:]

    /// Weights of the layer that computes `value`. The first call packs them with `make`.
    func start(
        _ kind: Kind, of value: Graph.Value, make: () throws(ModelError) -> AlignedMemory
    ) throws(ModelError) -> UnsafeMutablePointer<Float> {
        let key = Key(value: value, kind: kind)
        if let memory = memories[key] { return memory.start }
        let memory = try make()
        memories[key] = memory
        return memory.start
    }
}
