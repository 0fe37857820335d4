import Training

/// Says which clips could not be used, and why.
enum Rejections {
    static func tell(_ rejected: [RejectedClip]) {
        guard !rejected.isEmpty else { return }
        Terminal.say("\(rejected.count) clips cannot be used:")
        for clip in rejected.prefix(20) { Terminal.say("  \(clip.name): \(clip.reason)") }
        if rejected.count > 20 { Terminal.say("  … and \(rejected.count - 20) more") }
    }
}
