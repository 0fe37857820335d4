import Capture
import Foundation
import TestSupport
import Testing

/// Makes a file with the real ffmpeg.
func ffmpeg(_ arguments: String...) throws { try ffmpeg(arguments) }

func ffmpeg(_ arguments: [String]) throws {
    let ffmpeg = try Child("ffmpeg", ["-nostdin", "-v", "error"] + arguments)
    try #require(ffmpeg.wait() == 0, "\(ffmpeg.messages.whole())")
}

/// The rest of a source's frames, and its error.
func drain(_ source: any FrameSource) -> (frames: [Frame], failure: String?) {
    var frames: [Frame] = []
    do {
        while let frame = try source.next() { frames.append(frame) }
        return (frames, nil)
    } catch {
        return (frames, "\(error)")
    }
}

/// Whether a condition becomes true within a minute.
func eventually(_ isTrue: () -> Bool) async throws -> Bool {
    // Count attempts, not seconds: on a busy machine this task itself may be delayed for minutes.
    for _ in 0..<3000 {
        if isTrue() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return isTrue()
}

/// Runs blocking work on its own thread, so that other tests continue.
func onThread<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try work() }) }.start()
    }
}

extension Image {
    /// The colour at a point, given as fractions of the picture.
    func colour(_ across: Double, _ down: Double) -> [Int] {
        let (x, y) = (Int(across * Double(widthPixels)), Int(down * Double(heightPixels)))
        let rgb = rgb
        return (0..<3).map { Int(rgb[(y * widthPixels + x) * 3 + $0]) }
    }
}
