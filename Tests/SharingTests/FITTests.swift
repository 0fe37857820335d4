import Foundation
import Sharing
import Testing

@Suite struct FITTests {
    /// Seconds since 1989-12-31T00:00:00Z.
    private let noon = Int(Example.noon.timeIntervalSince1970) - 631_065_600

    private func reader() throws -> FITReader {
        FITReader(WorkoutFormat.fit.file(of: try Example.finished(), zone: Example.zone))
    }

    @Test func `the file is whole, and its messages stand in the order of an activity`() throws {
        let file = try reader()
        #expect(file.isWhole)
        let numbers = file.messages.map(\.number)
        #expect(numbers.first == 0 && numbers[1] == 21 && Array(numbers.suffix(4)) == [21, 19, 18, 34])
        #expect(numbers.count { $0 == 225 } == 5 && numbers.count { $0 == 20 } == 6)
        #expect(file.messages[0].fields[0] == 4)
        #expect(file.messages[0].fields[4] == noon)
    }

    @Test func `sets alternate with rests, and hold repetitions, weight and category`() throws {
        let sets = try reader().messages.filter { $0.number == 225 }
        func values(_ field: Int) -> [Int?] { sets.map { $0.fields[field].flatMap(\.self) } }
        #expect(values(5) == [1, 0, 1, 0, 1])
        #expect(values(3) == [12, nil, nil, nil, 10])
        #expect(values(4) == [1000, nil, nil, nil, nil], "62.5 kg in sixteenths")
        #expect(values(7) == [28, nil, 19, nil, 28])
        #expect(values(0) == [35_250, 59_500, 31_000, 59_000, 30_000])
        #expect(values(6) == [noon + 5, noon + 40, noon + 100, noon + 131, noon + 190])
        #expect(values(10) == [0, 1, 2, 3, 4])
    }

    @Test func `session and activity say the sums and the local time`() throws {
        let messages = try reader().messages
        let session = try #require(messages.first { $0.number == 18 }).fields
        #expect(session[5] == 10 && session[6] == 20 && session[7] == 230_000 && session[10] == 22)
        #expect(session[2] == noon && session[253] == noon + 230)
        let activity = try #require(messages.first { $0.number == 34 }).fields
        #expect(activity[5] == noon + 230 + 3600, "Berlin is an hour ahead")
        let last = try #require(messages.last { $0.number == 20 }).fields
        #expect(last[19] == 22)
    }

    @Test func `an exercise of one's own has no category, and the file no name`() throws {
        let workout = Example.workout(first: "wall_ball")
        let bytes = WorkoutFormat.fit.file(of: try FinishedWorkout(.init(workout)), zone: .gmt)
        let set = try #require(FITReader(bytes).messages.first { $0.number == 225 })
        #expect(set.fields[7] == 65_534)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Anna"))
    }
}
