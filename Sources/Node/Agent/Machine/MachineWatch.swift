import Foundation
import Messaging
import Sharing
import Synchronization

/// The problems of the machine itself: heat and low voltage. A problem is over when it was not seen for a minute.
package final class MachineWatch: Sendable {
    /// What can be wrong, by the code of the problem.
    private enum Trouble: String, CaseIterable {
        case thermalThrottling = "thermal_throttling"
        case underVoltage = "under_voltage"

        func message(_ celsius: Double?) -> String {
            switch self {
            case .thermalThrottling:
                let heat = celsius.map { " (\(Int($0.rounded())) °C)" } ?? ""
                return "the processor is slowed down because it is hot\(heat): "
                    + Throttling.coolingAdvice
            case .underVoltage:
                return
                    "the power supply gives too little voltage, which slows the board down and can spoil its memory card: "
                    + Throttling.supplyAdvice
            }
        }
    }

    private struct State {
        var readAt: ContinuousClock.Instant?
        var count: Int?
        /// When each was seen first and last.
        var seen: [Trouble: (since: Date, last: ContinuousClock.Instant, message: String)] = [:]
    }

    /// The firmware is asked no more often.
    private static let interval = Duration.seconds(5)

    private let sensors: MachineSensors
    private let state = Mutex(State())

    /// A watch without problems.
    package init(_ sensors: MachineSensors = MachineSensors()) { self.sensors = sensors }

    /// The problems now.
    package func problems(now: ContinuousClock.Instant = .now, wall: Date = Date()) -> [Problem] {
        state.withLock { state in
            if state.readAt.map({ now - $0 >= Self.interval }) ?? true {
                state.readAt = now
                look(&state, now: now, wall: wall)
            }
            return Trouble.allCases.compactMap { trouble in
                state.seen[trouble].map {
                    Problem(code: trouble.rawValue, since: $0.since, message: $0.message)
                }
            }
        }
    }

    private func look(_ state: inout State, now: ContinuousClock.Instant, wall: Date) {
        let throttling = sensors.throttling
        let hasSlowedDown = state.count.flatMap { before in throttling?.count.map { $0 > before } } ?? false
        state.count = throttling?.count
        let found: [Trouble: Bool] = [
            .thermalThrottling: throttling?.isHot == true || hasSlowedDown,
            .underVoltage: throttling?.isVoltageLow == true,
        ]
        for (trouble, isSeen) in found {
            if isSeen {
                let since = state.seen[trouble]?.since ?? wall
                state.seen[trouble] = (since, now, trouble.message(sensors.temperatureCelsius))
            } else if let last = state.seen[trouble]?.last, now - last >= AlertWatch.calm {
                state.seen[trouble] = nil
            }
        }
    }
}
