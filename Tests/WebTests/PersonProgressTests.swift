import Actions
import Foundation
import Testing
import Web

@Suite struct PersonProgressTests {
    private let start = LiveFixture.origin
    private let progress = PersonProgress(since: LiveFixture.origin)

    /// What the page reads.
    private func shown(_ progress: PersonProgress, at time: Double) throws -> [String: Any] {
        let person = progress.shown(track: 7, isProminent: true, now: start + time)
        return try object(JSONEncoder().encode(person))
    }

    private func set(_ person: [String: Any]) -> [String: Any]? { person["set"] as? [String: Any] }

    private func ended(_ person: [String: Any]) -> [Int?] {
        (person["sets"] as? [[String: Any]] ?? []).map { $0["number"] as? Int }
    }

    private let first = LiveFixture.set(1, from: 0, to: 20, reps: 8, form: 81)
    private let second = LiveFixture.set(2, from: 60, to: 70, reps: 3)

    @Test func `somebody who has just appeared starts`() throws {
        let person = try shown(progress, at: 1)
        #expect(person["track"] as? Int == 7 && person["prominent"] as? Bool == true)
        #expect(person["label"] as? String == "starting" && person["confidence"] as? Double == 0)
        #expect(set(person) == nil && person["rest_since"] == nil && ended(person) == [])
    }

    @Test func `the label is the newest, since it changed`() throws {
        var progress = progress
        progress.add(LiveFixture.prediction("squat", end: 2, confidence: 0.7), at: start + 2)
        progress.add(LiveFixture.prediction("squat", end: 3, confidence: 0.98765), at: start + 3)
        let person = try shown(progress, at: 3)
        #expect(person["label"] as? String == "squat" && person["confidence"] as? Double == 0.988)
        #expect(progress.since == start + 2)
        progress.add(LiveFixture.prediction("lunge", end: 4), at: start + 4)
        #expect(progress.since == start + 4)
    }

    @Test func `an open set is shown while it grows`() throws {
        var progress = progress
        progress.add(.started(LiveFixture.session([LiveFixture.set(1, from: 0, to: 10, reps: 4)])))
        #expect(set(try shown(progress, at: 11))?["reps"] as? Int == 4)
        progress.add(.updated(LiveFixture.session([first])))
        let person = try shown(progress, at: 21)
        let open = try #require(set(person))
        #expect(open["number"] as? Int == 1 && open["label"] as? String == "squat" && open["reps"] as? Int == 8)
        #expect(open["form"] as? Int == 81 && open["start"] as? Int64 == LiveFixture.milliseconds(0))
        #expect(person["rest_since"] == nil && ended(person) == [])
    }

    @Test func `an open set says how sure it is`() throws {
        var (progress, unsure) = (progress, first)
        unsure.confidence = 0.83
        progress.add(.started(LiveFixture.session([unsure])))
        #expect(set(try shown(progress, at: 21))?["confidence"] as? Double == 0.83)
    }

    @Test func `after a set there is a rest`() throws {
        var progress = progress
        progress.add(.started(LiveFixture.session([first])))
        progress.add(.setEnded(first, in: LiveFixture.session([first])))
        let person = try shown(progress, at: 25)
        #expect(set(person) == nil && person["rest_since"] as? Int64 == LiveFixture.milliseconds(20))
        let sets = try #require(person["sets"] as? [[String: Any]])
        #expect(sets.count == 1 && sets[0]["seconds"] as? Double == 20 && sets[0]["reps"] as? Int == 8)
        #expect(sets[0]["form"] as? Int == 81 && sets[0]["label"] as? String == "squat")
        // Further frames change nothing.
        progress.add(.updated(LiveFixture.session([first])))
        #expect(try shown(progress, at: 40)["rest_since"] as? Int64 == LiveFixture.milliseconds(20))
    }

    @Test func `the next set ends the rest, and the ended ones stay`() throws {
        var progress = progress
        progress.add(.setEnded(first, in: LiveFixture.session([first])))
        progress.add(.updated(LiveFixture.session([first, second])))
        let person = try shown(progress, at: 71)
        #expect(set(person)?["number"] as? Int == 2 && ended(person) == [1] && person["rest_since"] == nil)
        #expect(set(person)?["form"] == nil)
        progress.add(.setEnded(second, in: LiveFixture.session([first, second])))
        let rest = try shown(progress, at: 75)
        #expect(set(rest) == nil && ended(rest) == [1, 2])
        #expect(rest["rest_since"] as? Int64 == LiveFixture.milliseconds(70))
    }

    @Test func `a set without a repetition for 20 seconds counts as ended`() throws {
        var progress = progress
        progress.add(.started(LiveFixture.session([first])))
        #expect(set(try shown(progress, at: 40)) != nil)
        let person = try shown(progress, at: 40.1)
        #expect(set(person) == nil && ended(person) == [1])
        #expect(person["rest_since"] as? Int64 == LiveFixture.milliseconds(20))
    }

    @Test func `the end of the session ends everything, and the next one begins anew`() throws {
        var progress = progress
        progress.add(.setEnded(first, in: LiveFixture.session([first])))
        progress.add(.ended(LiveFixture.session([first])))
        let person = try shown(progress, at: 30)
        #expect(set(person) == nil && ended(person) == [] && person["rest_since"] == nil)
        // Numbers may begin at 1 again.
        let again = LiveFixture.set(1, from: 100, to: 105, reps: 2)
        progress.add(.started(LiveFixture.session([again])))
        #expect(set(try shown(progress, at: 106))?["reps"] as? Int == 2)
    }

    @Test func `a session without sets has neither set nor rest`() throws {
        var progress = progress
        progress.add(.started(LiveFixture.session([])))
        let person = try shown(progress, at: 10)
        #expect(set(person) == nil && ended(person) == [] && person["rest_since"] == nil)
    }

    @Test func `a clock that was set back shows no negative times`() throws {
        var progress = progress
        let odd = LiveFixture.set(1, from: 20, to: 20, reps: 0)
        progress.add(.setEnded(odd, in: LiveFixture.session([odd])))
        let person = try shown(progress, at: -100)
        #expect((person["sets"] as? [[String: Any]])?.first?["seconds"] as? Double == 0)
    }

    @Test func `after a merge all sets are shown, and only the newest may be open`() throws {
        var progress = progress
        progress.add(.started(LiveFixture.session([second])))
        let whole = LiveFixture.session([first, second])
        progress.add(.merged(whole, absorbed: AbsorbedSession(id: "s2", setOffset: 1)))
        let person = try shown(progress, at: 71)
        #expect(set(person)?["number"] as? Int == 2 && ended(person) == [1])
    }
}
