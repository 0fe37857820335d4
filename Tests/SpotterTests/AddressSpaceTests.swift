import Foundation
import TemporaryFolder
import Testing

@Suite struct AddressSpaceTests {
    @Test(arguments: [250, 300, 400, 500])
    func `a node with too little address space ends with an error message`(megabytes: Int) throws {
        let folder = try TemporaryFolder()
        let line = """
            ulimit -v \(megabytes * 1024); exec timeout -k 1 60 \(Program.executable.path) run \
            --source \(Program.clips.path)/demo.mp4 --database \(folder.file("spotter.db").path) --no-mqtt --realtime 2>&1
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = Program.root
        let output = Pipe()
        process.standardOutput = output
        try process.runUnblocked()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 78, "\(text)")
        #expect(text.contains("limited to \(megabytes) MB") && text.contains("ulimit -v"), "\(text)")
    }
}
