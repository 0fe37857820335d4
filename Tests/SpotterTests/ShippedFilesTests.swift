import Foundation
import TestSupport
import Testing

/// The shipped model and plans are found wherever the program is started.
@Suite struct ShippedFilesTests {
    @Test func `the program finds its model and plans from any folder`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_45").writePoseStream(to: file)
        let line =
            "'\(Program.executable.path)' classify '\(file.path)' --json && '\(Program.executable.path)' workout list"
        let result = try Program.shell(line, in: folder.file("."), environment: [:])
        #expect(
            result.status == 0 && result.output.contains("\"squat\"") && result.output.contains("legs"), "\(result)")
    }

    @Test func `a program without its files says which one is missing`() throws {
        let folder = try TemporaryFolder()
        let copy = folder.file("spotter")
        try FileManager.default.copyItem(at: Program.executable, to: copy)
        let file = folder.file("squat.poses.jsonl")
        try GroundTruth(clip: "squat_45").writePoseStream(to: file)
        let installed = FileManager.default.fileExists(atPath: "/usr/share/spotter/exercises.safetensors")
        let result = try Program.shell("./spotter classify '\(file.path)'", in: folder.file("."), environment: [:])
        #expect(installed || (result.status == 78 && result.messages.contains("exercises.safetensors")), "\(result)")
    }

    @Test(arguments: ["en", "de"])
    func `a sign for the door is a page of A4`(language: String) throws {
        let file = Program.root.appending(path: "deploy/signs/door-\(language).svg").path
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            texts = [t for t in root.iter('{http://www.w3.org/2000/svg}text')]
            assert all(24 <= float(t.get('x')) < 186 and float(t.get('y')) < 287 for t in texts)
            print(root.get('width'), root.get('height'), root.get('viewBox'), len(texts))
            """
        let words = try Program.tool("python3", ["-c", script, file]).split(separator: " ")
        #expect(words.prefix(6) == ["210mm", "297mm", "0", "0", "210", "297"], "\(words)")
        #expect(words.last.flatMap { Int($0) } ?? 0 > 10)
        // A browser prints it on one page then, whatever paper it would take.
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("@page { size: 210mm 297mm; margin: 0 }"))
    }
}
