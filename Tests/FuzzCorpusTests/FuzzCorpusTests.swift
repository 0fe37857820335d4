import Foundation
import FuzzReaders
import Testing

/// Reads the seeds of `make fuzz`, and every input with which it found a fault.
@Suite struct FuzzCorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz/corpus")
        .standardizedFileURL

    @Test(arguments: FuzzReader.all.map(\.name))
    func `every input of the corpus is read or refused`(name: String) throws {
        let reader = try #require(FuzzReader.named(name))
        let folder = Self.corpus.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        var accepted = 0
        var refusals: [String] = []
        for file in files.sorted(by: { $0.path < $1.path }) {
            // Print the name first: it identifies an input that crashes the process.
            print("\(name): \(file.lastPathComponent)")
            do {
                try reader.read(Data(contentsOf: file))
                accepted += 1
            } catch {
                refusals.append("\(file.lastPathComponent): \(error)")
            }
        }
        #expect(accepted > 0, "only refusals get fuzzed: \(refusals)")
    }
}
