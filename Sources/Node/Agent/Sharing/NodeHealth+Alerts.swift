import Foundation
import History
import Sharing

extension NodeHealth {
    /// The problems that alerts can tell of, as they are now.
    package func sightings() -> [AlertWatch.Sighting] {
        people() + cameras() + storage() + broker() + clock() + recognition()
    }

    private func people() -> [AlertWatch.Sighting] {
        node.alarms.open.map {
            AlertWatch.Sighting(.person, camera: $0.camera, alarm: $0.id, advice: $0.advice, since: $0.since)
        }
    }

    private static let away: [CameraProblem] = [.failed, .offline, .stalled]

    private func cameras() -> [AlertWatch.Sighting] {
        reports.all.sorted { $0.key < $1.key }.compactMap { camera, report in
            Self.away.lazy.compactMap { report.problems[$0.rawValue] }.first.map {
                AlertWatch.Sighting(.camera, camera: camera, advice: $0.message ?? "")
            }
        }
    }

    private func storage() -> [AlertWatch.Sighting] {
        if let problem = node.storage.problem { return [AlertWatch.Sighting(.disk, advice: problem.message ?? "")] }
        guard let disk = Host.disk(at: node.store.path), Host.isShort(disk) else { return [] }
        let words = "\(disk.free >> 20) MB of \(disk.size >> 20) MB are free: make room on the disk of the history."
        return [AlertWatch.Sighting(.disk, advice: words)]
    }

    private func broker() -> [AlertWatch.Sighting] {
        (node.publisher?.report.problem).map { [AlertWatch.Sighting(.broker, advice: $0.message ?? "")] } ?? []
    }

    private func clock() -> [AlertWatch.Sighting] {
        guard ClockState.now() != .synced else { return [] }
        return [
            AlertWatch.Sighting(.clock, advice: "Check the network and the time service: `timedatectl` shows both.")
        ]
    }

    /// What the node's own checks of recognition found.
    private func recognition() -> [AlertWatch.Sighting] {
        let drifts = node.learning?.drifts.map(\.problem) ?? []
        let outputs = reports.all.sorted { $0.key < $1.key }
            .compactMap { $0.value.problems[CameraProblem.modelOutput.rawValue] }
        var seen: Set<String> = []
        return (drifts + outputs).compactMap { problem in
            seen.insert(problem.camera ?? "").inserted
                ? AlertWatch.Sighting(.model, camera: problem.camera, advice: problem.message ?? "") : nil
        }
    }
}
