import Foundation

/// Lines of the tables that apps import. Texts are quoted as RFC 4180 says.
enum AppCSV {
    /// A value of a table.
    enum Cell {
        case text(String)
        case number(Double?)

        fileprivate var written: String {
            switch self {
            case .text(let text): "\"" + text.replacing("\"", with: "\"\"") + "\""
            case .number(let number): number.map(AppCSV.plain) ?? ""
            }
        }
    }

    /// A line.
    static func line(_ cells: [Cell], separator: String) -> String {
        cells.map(\.written).joined(separator: separator) + "\n"
    }

    /// `20`, `22.5`: without an exponent and without zeros at the end.
    static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    /// The steps, each with its number within its exercise.
    ///
    /// - Parameter first: the number of an exercise's first set.
    static func numbered(
        _ steps: [FinishedWorkout.Performed], from first: Int
    ) -> [(number: Int, step: FinishedWorkout.Performed)] {
        var counts: [String: Int] = [:]
        return steps.map { step in
            defer { counts[step.action, default: first] += 1 }
            return (counts[step.action, default: first], step)
        }
    }

    /// The seconds of a step without repetitions, such as a plank; `nil` for one that is counted.
    static func heldSeconds(_ step: FinishedWorkout.Performed) -> Double? {
        step.repetitions > 0 ? nil : step.seconds.rounded()
    }
}
