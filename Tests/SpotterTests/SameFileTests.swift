import Foundation
import TestSupport
import Testing

/// No command writes over what it reads.
@Suite struct SameFileTests {
    private let folder: TemporaryFolder
    private let video: URL

    init() throws {
        folder = try TemporaryFolder()
        video = folder.file("v.mp4")
        try FileManager.default.copyItem(at: Program.clips.appending(path: "stand_45.mp4"), to: video)
    }

    @Test(arguments: [["preview"], ["poses"]])
    func `a recording is not written over, whatever its name`(command: [String]) throws {
        let before = try Data(contentsOf: video)
        let (soft, hard) = (folder.file("soft.mp4"), folder.file("hard.mp4"))
        try FileManager.default.createSymbolicLink(at: soft, withDestinationURL: video)
        try FileManager.default.linkItem(at: video, to: hard)
        for output in [video, soft, hard] {
            let result = try Program.run(command + [video.path, "-o", output.path])
            #expect(result.status == 74 && result.messages.contains("name another file"), "\(result.messages)")
        }
        let address = try Program.run(command + ["file://" + video.path, "-o", video.path])
        #expect(address.status == 74, "\(address.messages)")
        #expect(try Data(contentsOf: video) == before)
    }

    @Test func `half a stream is not written over the recording either`() throws {
        let part = folder.file("v.poses.jsonl.part")
        try FileManager.default.moveItem(at: video, to: part)
        let result = try Program.run("poses", part.path, "-o", folder.file("v.poses.jsonl").path)
        #expect(result.status == 74, "\(result.messages)")
    }

    @Test func `a report is not written over the model or the clips`() throws {
        let model = folder.file("own.safetensors")
        try FileManager.default.copyItem(at: Program.root.appending(path: "Models/exercises.safetensors"), to: model)
        let size = try Data(contentsOf: model).count
        let result = try Program.run("evaluate", model.path, folder.url.path, "--report", model.path)
        #expect(result.status == 74 && result.messages.contains("which is read"), "\(result.messages)")
        #expect(try Data(contentsOf: model).count == size)
    }
}
