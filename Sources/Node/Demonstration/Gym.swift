import Foundation
import Records

/// The gym that does not exist: its cameras and places, its hours, and how many people come.
public enum Gym {
    /// A camera of it.
    public struct Camera: Sendable {
        /// The camera's id.
        public let id: String
        /// Its name for people.
        public let name: String
        /// The zones in its picture, each with the left and right edge as shares of the width.
        public let zones: [(name: String, left: Double, right: Double)]
    }

    /// The cameras.
    public static let cameras = [
        Camera(
            id: "rack", name: "Racks", zones: [("rack-1", 0, 0.34), ("rack-2", 0.34, 0.67), ("bench", 0.67, 1)]),
        Camera(id: "mats", name: "Mats", zones: []),
        Camera(id: "cables", name: "Cables", zones: [("cable", 0, 0.5), ("pulldown", 0.5, 1)]),
        Camera(id: "cardio", name: "Rowers and bikes", zones: [("rowers", 0, 0.5), ("bikes", 0.5, 1)]),
    ]

    /// A place where people train.
    struct Place: Sendable {
        let camera: String
        let zone: String?
        /// How many have room there.
        let room: Int
        /// How popular it is.
        let weight: Float
        let movements: [Movement]
    }

    static let places = [
        Place(camera: "rack", zone: "rack-1", room: 1, weight: 2, movements: rack),
        Place(camera: "rack", zone: "rack-2", room: 1, weight: 2, movements: rack),
        Place(
            camera: "rack", zone: "bench", room: 2, weight: 2,
            movements: [.counted("bench_press", 5...12, 2.2...3.4, loadKg: 30...95)]),
        Place(
            camera: "mats", zone: nil, room: 9, weight: 4,
            movements: [
                .counted("push_up", 8...20, 1.6...2.6), .counted("sit_up", 12...25, 1.8...2.8),
                .counted("lunge", 8...16, 2.2...3.2), .counted("burpee", 6...12, 2.8...4),
                .counted("glute_bridge", 10...18, 1.8...2.8), .counted("jumping_jack", 20...40, 0.9...1.2),
                .counted("squat", 10...20, 1.9...2.8), .held("plank", 30...80),
            ]),
        Place(
            camera: "cables", zone: "cable", room: 2, weight: 2,
            movements: [
                .counted("row", 8...14, 2...3, loadKg: 25...70),
                .counted("triceps_pushdown", 10...15, 1.8...2.6, loadKg: 15...40),
                .counted("biceps_curl", 8...14, 2...3, loadKg: 8...20),
                .counted("arm_raise", 10...15, 2...2.8, loadKg: 4...12),
            ]),
        Place(
            camera: "cables", zone: "pulldown", room: 1, weight: 1.5,
            movements: [.counted("pulldown", 8...14, 2...3, loadKg: 30...70)]),
        Place(
            camera: "cardio", zone: "rowers", room: 2, weight: 1.2,
            movements: [.counted("rowing_machine", 60...160, 2...2.6)]),
        Place(camera: "cardio", zone: "bikes", room: 3, weight: 1.2, movements: [.held("bike", 240...700)]),
    ]

    private static let rack: [Movement] = [
        .counted("squat", 4...10, 2.4...3.6, loadKg: 40...110),
        .counted("deadlift", 3...8, 2.6...4, loadKg: 50...130),
        .counted("shoulder_press", 6...10, 2...3, loadKg: 20...50),
    ]

    /// How many people are there in each hour that it is open, by the day of the week.
    private static let crowds: [[Int: Float]] = {
        let usual: [Int: Float] = [
            6: 1.5, 7: 3, 8: 3, 9: 2, 10: 1.5, 11: 1.5, 12: 2.5, 13: 2, 14: 1.2, 15: 1.2, 16: 2.5, 17: 5, 18: 6.5,
            19: 6, 20: 3.5, 21: 1.2,
        ]
        let saturday: [Int: Float] = [9: 2, 10: 4, 11: 5, 12: 4.5, 13: 3, 14: 2, 15: 2, 16: 1.2, 17: 0.5]
        let sunday: [Int: Float] = [10: 2, 11: 3.5, 12: 3.5, 13: 2, 14: 1.2, 15: 0.6]
        let weekdays = [1.15, 1.1, 1, 1.05, 0.8].map { factor in usual.mapValues { $0 * factor } }
        return [sunday] + weekdays + [saturday]
    }()

    /// How many people are there in an hour.
    ///
    /// - Parameter weekday: 1 for Sunday to 7.
    static func crowd(weekday: Int, hour: Int) -> Float { crowds[weekday - 1][hour] ?? 0 }

    /// The first and the last hour of a day of the week.
    static func hours(weekday: Int) -> Range<Int> {
        let hours = crowds[weekday - 1].keys
        return (hours.min() ?? 0)..<((hours.max() ?? 0) + 1)
    }
}
