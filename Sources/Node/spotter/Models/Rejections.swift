import CommandLineProgram
import Records
import Training

/// Prints which clips could not be used, and why.
enum Rejections {
    static func print(_ rejected: [RejectedClip]) {
        guard !rejected.isEmpty else { return }
        Terminal.print("\(rejected.count.counted("clip")) cannot be used:")
        for clip in rejected { Terminal.print("  \(clip.name): \(clip.reason)") }
    }
}
