import Foundation
import History
import Records
import Testing

/// Alarms in the database.
@Suite struct AlarmTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `an end and an acknowledgement stay, whoever stores the alarm next`() throws {
        let store = try fixture.open()
        var alarm = Alarm(
            id: UUIDv7.string(at: Fixture.noon), camera: "rack1", zone: "mat", cause: .fall, since: Fixture.noon - 5,
            raised: Fixture.noon)
        try store.save([alarm])
        try store.acknowledge([alarm], at: Fixture.noon + 7)
        alarm.ended = Fixture.noon + 9
        try store.save([alarm])
        alarm.ended = nil
        alarm.acknowledged = Fixture.noon + 7
        try store.save([alarm])
        var stored: [Alarm] = []
        try store.query.alarms { stored.append($0) }
        #expect(stored.count == 1 && stored.first?.ended == Fixture.noon + 9)
        #expect(stored.first?.acknowledged == Fixture.noon + 7 && stored.first?.zone == "mat")
    }
}
