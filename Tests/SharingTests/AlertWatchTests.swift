import Foundation
import History
import Sharing
import Testing
import Words

@Suite struct AlertWatchTests {
    private let t0 = ContinuousClock.now
    private let rules = [
        AlertWatch.Rule(alert: "staff", topics: [.camera, .disk], after: .seconds(300)),
        AlertWatch.Rule(alert: "night", topics: [.disk], after: .zero),
    ]
    private let away = AlertWatch.Sighting(.camera, camera: "rack1", advice: "Plug it in.")

    private func wall(_ seconds: Double) -> Date { Example.noon + seconds }

    /// Looks once a second, and returns what was told with the second of each.
    private func told(
        _ watch: inout AlertWatch, _ seconds: ClosedRange<Int>, _ sightings: (Int) -> [AlertWatch.Sighting]
    ) -> [String] {
        seconds.flatMap { second in
            watch.look(at: sightings(second), now: t0 + .seconds(second), wall: wall(Double(second))).map {
                "\(second) \($0.alert) \($0.message.state.rawValue) \($0.message.topic.rawValue)"
                    + ($0.message.camera.map { " \($0)" } ?? "")
            }
        }
    }

    @Test func `a problem is told once when it has stood five minutes, and once when it is over for a minute`() {
        var watch = AlertWatch(rules, now: t0, wall: wall(0))
        let told = told(&watch, 0...1000) { $0 < 600 ? [away] : [] }
        #expect(told == ["300 staff began camera_away rack1", "659 staff ended camera_away rack1"])
        #expect(watch.standing.isEmpty)
    }

    @Test func `what is over before its time is never told, and what flickers is one problem`() {
        var watch = AlertWatch(rules, now: t0, wall: wall(0))
        #expect(told(&watch, 0...500) { $0 < 240 ? [away] : [] } == [])
        let flicker = told(&watch, 501...1500) { ($0 < 1200 && $0 % 30 < 5) ? [away] : [] }
        #expect(flicker == ["810 staff began camera_away rack1", "1234 staff ended camera_away rack1"])
    }

    @Test func `cameras are told one by one, and each alert has its own topics and patience`() {
        var watch = AlertWatch(rules, now: t0, wall: wall(0))
        let other = AlertWatch.Sighting(.camera, camera: "rack2")
        let told = told(&watch, 0...400) { second in
            [AlertWatch.Sighting(.disk)] + [away] + (second >= 50 ? [other] : []) + [.init(.broker)]
        }
        #expect(
            told == [
                "0 night began disk", "300 staff began disk", "300 staff began camera_away rack1",
                "350 staff began camera_away rack2",
            ])
    }

    @Test func `an alarm is told with the time since which the person lies there`() throws {
        var watch = AlertWatch([.init(alert: "staff", topics: [.person], after: .zero)], now: t0, wall: wall(0))
        let fallen = AlertWatch.Sighting(.person, camera: "rack1", alarm: "a", since: wall(-40))
        let told = try #require(watch.look(at: [fallen], now: t0, wall: wall(0)).first)
        #expect(told.message.since == wall(-40) && watch.standing.first?.since == wall(-40))
    }

    @Test func `each alarm is told, also one that follows another at once, and a restart knows them apart`() {
        let rules = [AlertWatch.Rule(alert: "staff", topics: [.person], after: .seconds(300))]
        func fallen(_ alarm: String) -> AlertWatch.Sighting { .init(.person, camera: "rack1", alarm: alarm) }
        var first = AlertWatch(rules, now: t0, wall: wall(0))
        let told1 = told(&first, 0...100) { ($0 < 30 ? [fallen("a")] : []) + ($0 >= 20 ? [fallen("b")] : []) }
        #expect(
            told1 == [
                "0 staff began person_down rack1", "20 staff began person_down rack1",
                "89 staff ended person_down rack1",
            ])
        var second = AlertWatch(rules, standing: first.standing, now: t0 + .seconds(110), wall: wall(110))
        let told2 = second.look(at: [fallen("b"), fallen("c")], now: t0 + .seconds(110), wall: wall(110))
        #expect(told2.map(\.message.alarm) == ["c"])
    }

    @Test func `a restart tells nothing twice, goes on counting, and tells the end of what ended meanwhile`() throws {
        var first = AlertWatch(rules, now: t0, wall: wall(0))
        #expect(told(&first, 0...320) { _ in [away] } == ["300 staff began camera_away rack1"])
        let disk = told(&first, 321...330) { _ in [away, .init(.disk)] }
        #expect(disk == ["321 night began disk"])
        var second = AlertWatch(rules, standing: first.standing, now: t0 + .seconds(400), wall: wall(400))
        let after = told(&second, 400...700) { _ in [.init(.disk)] }
        #expect(after == ["460 staff ended camera_away rack1", "621 staff began disk"])
        // An alert that is not configured any more is forgotten.
        let third = AlertWatch([rules[1]], standing: second.standing, now: t0, wall: wall(800))
        #expect(third.standing.map(\.alert) == ["night"])
    }

    @Test func `a clock that was set back does not make a problem younger than the run`() {
        let standing = StandingProblem(
            alert: "staff", topic: "camera_away", camera: "rack1", since: wall(10_000), isTold: false)
        var watch = AlertWatch(rules, standing: [standing], now: t0, wall: wall(0))
        #expect(told(&watch, 0...300) { _ in [away] } == ["300 staff began camera_away rack1"])
    }

    @Test func `every topic has its words, and messages say how long it lasted`() {
        let (english, german) = (Words(.english), Words(.german))
        for topic in AlertTopic.allCases {
            for words in [english, german] { #expect(words.say(topic.rawValue, in: .messages) != topic.rawValue) }
        }
        let message = AlertMessage(state: .ended, topic: .broker, since: wall(0), until: wall(4000))
        #expect(message.title(english) == "over: there is no connection to the broker")
        #expect(message.text(english, zone: .gmt).contains("1 h 6 min"))
        #expect(message.title(german) == "vorbei: es gibt keine Verbindung zum Broker")
        let test = AlertMessage(state: .test, topic: .disk, since: wall(0))
        #expect(test.text(english, zone: .gmt).contains("Nothing is wrong"))
    }

    @Test func `an alert in German tells the time of the gym, and translates what to do`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let since = Date(timeIntervalSince1970: 1_764_400_000)
        let hot = AlertMessage(
            state: .began, topic: .camera, camera: "rack1", since: since,
            advice:
                "the processor is slowed down because it is hot (84.5 °C): fit a heat sink or a fan, and let air reach the board"
        )
        #expect(
            hot.text(Words(.german), zone: berlin)
                == "Seit 29.11.2025 08:06: eine Kamera liefert keine Bilder, Kamera rack1.\nder Prozessor ist gedrosselt, weil er heiß "
                + "ist (84,5 °C): baue einen Kühlkörper oder Lüfter an und lass Luft an die Platine")
    }
}
