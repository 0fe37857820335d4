import Capture
import CommandLineProgram

extension SourceFormat {
    /// Says that the times of a recording are not measured, where it has no time stamps.
    func tellAssumption(about source: String) {
        if timing == .assumed { Terminal.print("\(Redaction.covered(in: source)): \(words)") }
    }
}
