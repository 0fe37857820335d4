import Foundation

/// A format in which other programs read a workout.
package enum WorkoutFormat: String, Sendable, CaseIterable {
    /// An activity of strength training, as watches record it.
    case fit
    /// JSON of Open mHealth, for studies and health records.
    case openMHealth = "open-mhealth"
    /// CSV as the app Strong exports it. Other apps import it, Hevy among them.
    case strong
    /// CSV as the app Hevy exports it.
    case hevy

    /// How the name of a file ends.
    package var fileExtension: String {
        switch self {
        case .fit: "fit"
        case .openMHealth: "json"
        case .strong, .hevy: "csv"
        }
    }

    /// The file of a workout.
    ///
    /// - Parameter zone: the time zone of the times where the format has local ones.
    package func file(of workout: FinishedWorkout, zone: TimeZone) -> [UInt8] {
        switch self {
        case .fit: FITActivity(workout, zone: zone).bytes
        case .openMHealth: Array((OpenMHealth.text(of: workout, zone: zone) + "\n").utf8)
        case .strong: Array(StrongFile.text(of: workout, zone: zone).utf8)
        case .hevy: Array(HevyFile.text(of: workout, zone: zone).utf8)
        }
    }

    /// The name of a workout's file: when it began, the plan and the format.
    package func fileName(of workout: FinishedWorkout, zone: TimeZone) -> String {
        let plan = workout.plan.lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        let words = String(plan).split(separator: "-").joined(separator: "-")
        let time = LocalTime.text(workout.start, "yyyy-MM-dd-HHmm", in: zone)
        // Two formats are CSV.
        let app = fileExtension == "csv" ? rawValue : ""
        return [time, words, app].filter { !$0.isEmpty }.joined(separator: "-") + "." + fileExtension
    }
}

/// Times as people at a place read them.
enum LocalTime {
    /// A moment in a pattern of Unicode TR 35, with English names.
    static func text(_ date: Date, _ pattern: String, in zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        return formatter.string(from: date)
    }
}
