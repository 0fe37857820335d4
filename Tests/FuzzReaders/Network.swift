import Foundation
import NeuralNet

extension FuzzReader {
    /// A `.tflite` file. Both engines run an accepted one, with the portable kernels and the machine's best.
    static let network = FuzzReader(name: "network") { bytes in
        try Scratch.file("a.tflite", bytes) { file in
            var failure: (any Error)?
            // Outputs like those of the pose networks: a map, and numbers from several maps. The seeds have them.
            for outputs in [[[80, 2], [8, 8, 4]], [[8, 8, 4]]] {
                do { try run(Graph(contentsOf: file, outputs: outputs)) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    private static func run(_ graph: Graph) throws {
        let pixels = graph.inputShape.height * graph.inputShape.width
        // The program checks the size of its networks before it builds them.
        guard graph.inputShape.channels == 3, pixels <= 1024 else { return }
        let picture = (0..<pixels * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for level in Set([KernelLevel.portable, .best, .half]) {
            let network = Result {
                try InterleavedNetwork.copies(1, of: graph, kernels: level, members: 1, deferred: nil)[0]
            }
            if let network = try? network.get() {
                network.setRows(0..<graph.inputShape.height, of: picture, scale: 2 / 255, offset: -1)
                network.run()
                graph.outputs.indices.forEach { _ = network.output($0) }
            }
            let planar = try PlanarNetwork(graph, kernels: level)
            planar.setRows(0..<graph.inputShape.height, of: picture, scale: 2 / 255, offset: -1)
            planar.run()
            graph.outputs.indices.forEach { _ = planar.output($0) }
            _ = try network.get()
        }
    }
}
