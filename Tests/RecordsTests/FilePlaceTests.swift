import Foundation
import Records
import Testing

/// What stands at a name is kept where it is no file.
struct FilePlaceTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws -> URL {
        let url = folder.appending(path: name)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        return url
    }

    @Test(arguments: ["old", "new"])
    func `what is written through a link lands in its target`(target: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("old".utf8).write(to: folder.appending(path: "old"))
        _ = try link("inner", to: target)
        let outer = try link("outer", to: "inner")
        try Data("text".utf8).write(toPlace: outer)
        #expect(try String(contentsOf: folder.appending(path: target), encoding: .utf8) == "text")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: outer.path) == "inner")
    }

    @Test func `a pipe is written into`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appending(path: "pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try Data("text".utf8).write(toPlace: pipe)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(reader, &bytes, bytes.count) == 4)
        #expect(FilePlace(pipe) == .other(pipe))
    }

    @Test func `a folder is no file to replace`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(FilePlace(folder) == .other(folder))
        #expect(throws: (any Error).self) { try Data().write(toPlace: folder) }
    }
}
