import Actions
import Agent
import Foundation
import HTTPServing
import History
import Poses
import Records
import Testing
import Web

/// The replay of what is kept of a session, and its use as a training clip.
@Suite struct KeptPoseTests {
    private let fixture: NodeFixture
    private let node: Node
    private let router: Router
    private static let begin = Timestamp.milliseconds(LiveFixture.origin)

    init() throws {
        fixture = try NodeFixture()
        node = try fixture.node(keepPoses: 7)
        router = try WebService(node: node, reports: CameraStatusBoard(), configurationPath: nil).router
    }

    // MARK: - What is in the history

    /// Stores the session `s1`, whose second set lasts from second 5 to second 15.
    private func store() throws {
        var session = LiveFixture.session([
            SessionSet(
                number: 2, label: "squat", start: LiveFixture.origin + 5, end: LiveFixture.origin + 15, reps: 5),
            SessionSet(
                number: 3, label: "lunge", start: LiveFixture.origin + 70, end: LiveFixture.origin + 80, reps: 5),
        ])
        session.endReason = .idle
        node.writer.enqueue(session, now: .now)
        _ = try node.writer.flush(now: .now, wall: LiveFixture.origin + 100)
    }

    /// Keeps poses from one second to another. The nose is at x = 0.01 · second, the other joints are in the middle.
    private func keep(from first: Double, to last: Double, rate: Double = 10) throws {
        let count = Int(((last - first) * rate).rounded()) + 1
        for piece in stride(from: 0, to: count, by: Int(10 * rate)) {
            let times = (piece..<min(count, piece + Int(10 * rate))).map { first + Double($0) / rate }
            let frames = times.map { time in
                var pose = Pose(keypoints: Array(repeating: Keypoint(x: 0.5, y: 0.25, confidence: 0.9), count: 18))
                pose.keypoints[0].x = Float(min(time, 100) / 100)
                return PoseChunk.Frame(milliseconds: Int(((time - times[0]) * 1000).rounded()), pose: pose)
            }
            let start = Self.begin + Int64((times[0] * 1000).rounded())
            node.writer.keep(
                KeptPoses(
                    session: "s1", startMilliseconds: start,
                    endMilliseconds: start + Int64(frames.last?.milliseconds ?? 0),
                    data: PoseChunk(widthPixels: 640, heightPixels: 480, frames: frames).packed),
                now: .now)
        }
        _ = try node.writer.flush(now: .now, wall: LiveFixture.origin + 100)
    }

    // MARK: - Requests

    private func answer(
        _ method: HTTPMethod, _ path: String, query: [(String, String)] = [], body: String = "",
        password: WebRole? = nil
    ) async throws -> (status: Int, json: [String: Any]) {
        var headers: HTTPHeaders = [.host: "localhost", .contentType: "application/json"]
        headers[.origin] = "http://localhost"
        headers[.cookie] = try password.map(cookie)
        let request = HTTPRequest(
            method: method, path: "/api/v1/" + path,
            query: query.map { (name: $0.0, value: $0.1) }, headers: headers,
            body: Data(body.utf8))
        guard case .response(let response) = await router.answer(request) else { return (0, [:]) }
        return (response.statusCode, try object(response.body))
    }

    private func cookie(_ role: WebRole) throws -> String {
        let passwords = PasswordFile(folder: fixture.folder.url)
        if try !passwords.hasPassword { _ = try passwords.generate(.operator) }
        return "\(SessionCookie.name)=" + SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
    }

    private func code(_ answer: (status: Int, json: [String: Any])) -> String {
        let error = answer.json["error"] as? [String: Any]
        return "\(answer.status) \(error?["code"] as? String ?? "")"
    }

    private func frames(_ json: [String: Any]) -> [[Int]?] {
        (json["frames"] as? [Any] ?? []).map { $0 as? [Int] }
    }

    // MARK: - Replay

    @Test func `a set is replayed with a second before and after, like a clip`() async throws {
        try store()
        try keep(from: 0, to: 30)
        let answer = try await answer(.GET, "sessions/s1/poses", query: [("set", "2")])
        #expect(answer.status == 200 && answer.json["next"] == nil)
        #expect(answer.json["rate"] as? Double == 30)
        #expect(answer.json["width"] as? Int == 1333 && answer.json["height"] as? Int == 1000)
        let frames = frames(answer.json)
        #expect(frames.count == 12 * 30 + 1)
        let (first, last) = (try #require(frames.first ?? nil), try #require(frames.last ?? nil))
        #expect(first.count == 54 && first.prefix(6) == [40, 250, 90, 500, 250, 90])
        #expect(last.prefix(3) == [160, 250, 90])
    }

    @Test func `more than ten minutes come in parts`() async throws {
        try store()
        try keep(from: 0, to: 660, rate: 1)
        let first = try await answer(.GET, "sessions/s1/poses")
        #expect(frames(first.json).count == 600 * 30 + 1)
        let next = try #require(first.json["next"] as? Double)
        #expect(next == 600.001)
        let second = try await answer(.GET, "sessions/s1/poses", query: [("from", "\(next)")])
        #expect(second.json["next"] == nil)
        // It begins with the frame at second 601.
        #expect(frames(second.json).count == 59 * 30 + 1)
        #expect(code(try await answer(.GET, "sessions/s1/poses", query: [("from", "661")])) == "404 no_more_poses")
        for wrong in ["-1", "nan", "x", "1e99"] {
            let refusal = try await answer(.GET, "sessions/s1/poses", query: [("from", wrong)])
            #expect(code(refusal) == "400 invalid_from", "\(wrong)")
        }
    }

    @Test func `a gap shows nobody, and a damaged piece is a gap`() async throws {
        try store()
        try keep(from: 0, to: 9.9)
        node.writer.keep(
            KeptPoses(
                session: "s1", startMilliseconds: Self.begin + 10_000, endMilliseconds: Self.begin + 19_900,
                data: [1, 2, 3]), now: .now)
        try keep(from: 20, to: 29.9)
        let seen = frames(try await answer(.GET, "sessions/s1/poses").json)
        #expect(seen.count == 299 * 3 + 1)
        #expect(seen[150] != nil && seen[330] == nil && seen[560] == nil && seen[620] != nil)
    }

    @Test func `without kept poses the answer says what to do`() async throws {
        try store()
        let refusal = try await answer(.GET, "sessions/s1/poses", query: [("set", "2")])
        #expect(code(refusal) == "404 no_poses")
        #expect("\(refusal.json)".contains("history.keep_poses"))
        try keep(from: 0, to: 30)
        #expect(code(try await answer(.GET, "sessions/s1/poses", query: [("set", "3")])) == "404 no_poses")
        #expect(code(try await answer(.GET, "sessions/s1/poses", query: [("set", "1")])) == "404 unknown_set")
        #expect(code(try await answer(.GET, "sessions/s1/poses", query: [("set", "x")])) == "400 invalid_set")
        #expect(code(try await answer(.GET, "sessions/s2/poses")) == "404 unknown_session")
    }

    @Test func `a session names the sets that can be replayed, and nothing where none can`() async throws {
        try store()
        #expect(try await answer(.GET, "sessions/s1").json["kept_poses"] == nil)
        try keep(from: 0, to: 30)
        let session = try await answer(.GET, "sessions/s1").json
        #expect(session["kept_poses"] as? [Int] == [2])
        let sets = try #require(session["sets"] as? [[String: Any]])
        #expect(sets.map { $0["number"] as? Int } == [2, 3], "the page finds the set by its number")
        #expect(session["id"] as? String == "s1" && session["actions"] != nil)
    }

    // MARK: - Clips

    @Test func `a set becomes a training clip, which is listed and read like any other`() async throws {
        try store()
        try keep(from: 0, to: 30)
        let made = try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}")
        #expect(made.status == 200)
        let name = try ClipName(id: try #require(made.json["id"] as? String))
        #expect(name.label == "squat" && name.person == "person-1")
        let listed = try await answer(.GET, "clips").json["clips"] as? [[String: Any]]
        #expect(listed?.map { $0["id"] as? String } == [name.id])
        let file = fixture.folder.file("clips").appending(path: name.path)
        let clip = try #require(try LabelledClip.read(poseStream: file))
        // The set alone, without what is before and after it.
        #expect(clip.rate == 30 && clip.frames == 10 * 30 + 1)
        #expect(abs(clip.keypoints[0] - 0.05) < 1e-3 && abs(clip.keypoints[300 * 54] - 0.15) < 1e-3)
        #expect((made.json["figures"] as? [String: Any])?["seen"] as? Double == 1)

        let again = try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}")
        #expect(code(again) == "409 clip_exists")
        let other = try await answer(
            .POST, "sessions/s1/sets/2/clip", body: #"{"label": "deep_squat", "person": "anna"}"#)
        #expect((other.json["id"] as? String)?.hasPrefix("deep_squat.anna.") == true)
    }

    @Test func `a clip of a corrected set has the right label`() async throws {
        try store()
        try keep(from: 0, to: 30)
        let corrected = try await answer(.POST, "sessions/s1/sets/2/correct", body: #"{"label": "lunge"}"#)
        #expect(corrected.status == 200)
        let made = try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}")
        #expect((made.json["id"] as? String)?.hasPrefix("lunge.person-1.") == true)
    }

    @Test func `a clip of nothing, of a wrong name, or of no such set is refused`() async throws {
        try store()
        #expect(code(try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}")) == "404 no_poses")
        try keep(from: 0, to: 30)
        #expect(code(try await answer(.POST, "sessions/s1/sets/3/clip", body: "{}")) == "404 no_poses")
        #expect(code(try await answer(.POST, "sessions/s1/sets/9/clip", body: "{}")) == "404 unknown_set")
        #expect(code(try await answer(.POST, "sessions/s1/sets/two/clip", body: "{}")) == "400 invalid_set")
        #expect(code(try await answer(.POST, "sessions/s2/sets/2/clip", body: "{}")) == "404 unknown_session")
        let body = #"{"person": "../anna"}"#
        #expect(code(try await answer(.POST, "sessions/s1/sets/2/clip", body: body)) == "400 bad_person")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("clips").path))
    }

    @Test func `a viewer may replay, and only the operator makes clips`() async throws {
        try store()
        try keep(from: 0, to: 30)
        #expect(try await answer(.GET, "sessions/s1/poses", query: [("set", "2")], password: .viewer).status == 200)
        let refusal = try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}", password: .viewer)
        #expect(code(refusal) == "403 forbidden")
        #expect(code(try await answer(.GET, "sessions/s1/poses")) == "401 login_needed")
        let made = try await answer(.POST, "sessions/s1/sets/2/clip", body: "{}", password: .operator)
        #expect(made.status == 200)
    }
}
