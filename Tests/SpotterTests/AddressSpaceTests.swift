import Foundation
import TestSupport
import Testing

@Suite struct AddressSpaceTests {
    @Test(arguments: [250, 300, 400, 500])
    func `a node with too little address space ends with an error message`(megabytes: Int) throws {
        let folder = try TemporaryFolder()
        let line = """
            ulimit -v \(megabytes * 1024); exec timeout -k 1 60 \(Program.executable.path) run \
            --source \(Program.clips.path)/demo.mp4 --database \(folder.file("spotter.db").path) --no-mqtt --realtime 2>&1
            """
        let result = try Program.shell(line, environment: [:])
        let text = result.output
        #expect(result.status == 78, "\(text)")
        #expect(text.contains("limited to \(megabytes) MB") && text.contains("ulimit -v"), "\(text)")
    }
}
