import Agent
import Foundation
import HTTPServing
import History
import Records
import Testing
import Web

/// How full the floor is, over the API: the answers are those of the description.
@Suite struct OccupancyRouteTests {
    private let fixture: NodeFixture
    private let node: Node
    private let router: Router

    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node()
        router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
        var sum = OccupancySum()
        (sum.watchedSeconds, sum.personSeconds, sum.most, sum.mostOfAll) = (900, 2250, 3, 3)
        sum.zones["mat"] = OccupancySum.Zone()
        sum.zones["mat"]?.personSeconds = 450
        node.writer.add(sum, to: OccupancySlot(holding: LiveFixture.origin, camera: "rack1"), now: .now)
        _ = try node.writer.flush(now: .now, wall: LiveFixture.origin)
    }

    private func answer(_ path: String, query: [(name: String, value: String)] = []) async throws -> JSONValue {
        let request = HTTPRequest(
            method: .GET, path: path, query: query, headers: [.host: "localhost"], body: Data())
        guard case .response(let response) = await router.answer(request) else { return .null }
        #expect(response.statusCode == 200)
        let value = try JSONDecoder().decode(JSONValue.self, from: response.body)
        #expect(try APIDescription.fault(of: value, .GET, path) == nil)
        return value
    }

    private func rows(_ value: JSONValue) -> [JSONValue] {
        if case .list(let rows) = value { rows } else { [] }
    }

    @Test func `the hours of the day and of the week have their people`() async throws {
        let hours = rows(try await answer("/api/v1/history/hours", query: [("tz", "Europe/Berlin")]))
        #expect(hours.count == 24 && hours[12]["people"] == .number(2.5) && hours[12]["most"]?.integer == 3)
        #expect(hours[11]["people"] == nil, "not watched")
        let week = rows(
            try await answer("/api/v1/history/weekdays", query: [("tz", "Europe/Berlin"), ("zone", "mat")]))
        #expect(week.count == 168 && week[5 * 24 + 12]["people"] == .number(0.5), "a Saturday")
        #expect(rows(try await answer("/api/v1/history/weekdays", query: [("until", "2020-01-01")])).count == 168)
    }

    @Test func `nothing is claimed of people while no camera delivers pictures`() async throws {
        let told = try await answer("/api/v1/occupancy")
        #expect(told["people"] == nil && told["ts"] != nil)
    }
}
