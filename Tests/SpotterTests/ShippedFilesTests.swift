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
}
