import Agent
import Capture
import CommandLineProgram
import Foundation
import Logging
import Records
import Synchronization

/// The status line that `run` shows on a terminal: label, confidence, people, frames per second, drops.
final class LiveLine: Sendable {
    private let task: Task<Void, Never>

    init(_ reports: CameraStatusBoard, isShown: Bool) {
        task = Task {
            guard isShown && Terminal.isWatched else { return }
            while !Task.isCancelled {
                let cameras = reports.all.sorted { $0.key < $1.key }
                Terminal.showLine(cameras.map { Self.text($0.key, $0.value) }.joined(separator: "   "))
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    func end() {
        task.cancel()
        Terminal.clearLine()
    }

    private static func text(_ camera: String, _ report: CameraStatusBoard.Report) -> String {
        let confidence = report.confidence > 0 ? String(format: " %2.0f %%", report.confidence * 100) : ""
        let people = report.people.counted("person", "people")
        let rate = String(format: "%.0f fps", report.rateHz)
        let share = report.skipped.stride > 1 ? " of \(Int(report.arrivingHz.rounded()))" : ""
        return "\(camera): \(report.label)\(confidence)  \(people)  \(rate)\(share)  \(report.dropped) dropped"
    }
}
