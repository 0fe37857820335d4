import Foundation
import Records

/// A workout as a FIT activity of strength training: each step is a set, and each rest between two steps is one, too.
///
/// Message and field numbers are facts of the public FIT profile 21: file_id 0, session 18, lap 19, record 20, event
/// 21, activity 34, set 225. Times are seconds since 1989-12-31T00:00:00Z. The file holds no person's name.
struct FITActivity {
    /// Seconds from 1970 to 1989-12-31T00:00:00Z.
    private static let epoch = 631_065_600.0

    private var writer = FITWriter()
    private let workout: FinishedWorkout
    private let zone: TimeZone

    init(_ workout: FinishedWorkout, zone: TimeZone) {
        (self.workout, self.zone) = (workout, zone)
        addBeginning()
        addSets()
        addSums()
    }

    /// The file.
    var bytes: [UInt8] { writer.file }

    private static func time(_ date: Date) -> Int { Int((date.timeIntervalSince1970 - epoch).rounded(.down)) }

    private static func milliseconds(_ seconds: Double) -> Int { Int((max(0, seconds) * 1000).rounded()) }

    private var end: Date { workout.steps.map(\.end).reduce(workout.end, max) }

    private mutating func addBeginning() {
        // The serial number tells files of one second apart.
        let serial = Int(SHA256.hex(of: workout.id.utf8).prefix(7), radix: 16)
        writer.add(
            0,
            [
                .init(0, .enumeration, 4), .init(1, .uint16, 255), .init(2, .uint16, 0), .init(3, .uint32z, serial),
                .init(4, .uint32, Self.time(workout.start)), .init(8, text: "Spotter"),
            ])
        addTimer(.start, at: workout.start)
    }

    private enum Timer: Int {
        case start = 0
        case stop = 4
    }

    private mutating func addTimer(_ timer: Timer, at date: Date) {
        writer.add(
            21,
            [.init(253, .uint32, Self.time(date)), .init(0, .enumeration, 0), .init(1, .enumeration, timer.rawValue)])
    }

    /// The repetitions so far, at the beginning and at the end of each set.
    private mutating func addRecord(at date: Date, repetitions: Int) {
        writer.add(20, [.init(253, .uint32, Self.time(date)), .init(19, .uint32, repetitions)])
    }

    private mutating func addSets() {
        var (count, done) = (0, 0)
        var before: Date?
        for step in workout.steps {
            if let before, step.start > before {
                addSet(count, from: before, to: step.start, step: nil)
                count += 1
            }
            addRecord(at: step.start, repetitions: done)
            addSet(count, from: step.start, to: step.end, step: step)
            count += 1
            done += step.repetitions
            addRecord(at: step.end, repetitions: done)
            before = step.end
        }
    }

    /// Adds a set, or without a step a rest.
    private mutating func addSet(_ index: Int, from start: Date, to end: Date, step: FinishedWorkout.Performed?) {
        let repetitions = step.flatMap { $0.repetitions > 0 ? $0.repetitions : nil }
        let load = step?.loadKilograms.map { Int(($0 * 16).rounded()) }
        writer.add(
            225,
            [
                .init(254, .uint32, Self.time(end)), .init(0, .uint32, Self.milliseconds(end.timeIntervalSince(start))),
                .init(3, .uint16, repetitions), .init(4, .uint16, load),
                .init(5, .uint8, step == nil ? 0 : 1), .init(6, .uint32, Self.time(start)),
                .init(7, .uint16, step.map { FITExercise.category(of: $0.action) }),
                .init(9, .uint16, load.map { _ in 1 }), .init(10, .uint16, index),
            ])
    }

    private mutating func addSums() {
        let seconds = Self.milliseconds(end.timeIntervalSince(workout.start))
        let (stamp, start) = (Self.time(end), Self.time(workout.start))
        let sums: [FITWriter.Field] = [
            .init(253, .uint32, stamp), .init(2, .uint32, start), .init(7, .uint32, seconds),
            .init(8, .uint32, seconds), .init(10, .uint32, workout.repetitions), .init(1, .enumeration, 1),
            .init(254, .uint16, 0),
        ]
        addTimer(.stop, at: end)
        writer.add(
            19,
            sums + [
                .init(0, .enumeration, 9), .init(24, .enumeration, 7), .init(25, .enumeration, 10),
                .init(39, .enumeration, 20),
            ])
        writer.add(
            18,
            sums + [
                .init(0, .enumeration, 8), .init(5, .enumeration, 10), .init(6, .enumeration, 20),
                .init(25, .uint16, 0), .init(26, .uint16, 1), .init(28, .enumeration, 0),
            ])
        writer.add(
            34,
            [
                .init(253, .uint32, stamp), .init(0, .uint32, seconds), .init(1, .uint16, 1),
                .init(2, .enumeration, 0), .init(3, .enumeration, 26), .init(4, .enumeration, 1),
                .init(5, .uint32, stamp + zone.secondsFromGMT(for: end)),
            ])
    }
}
