import Foundation
import Sharing
import Synchronization
import TestSupport
import Testing

/// wger's diary, played by a server that keeps what it gets under the id it has.
@Suite struct WgerTests {
    /// What was posted, by path and id.
    private final class Diary: Sendable {
        let kept = Mutex<[String: [String: Any & Sendable]]>([:])
        let failsAfter: Int

        init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

        func answer(_ request: HTTPReceiver.Request) -> HTTPReceiver.Answer {
            guard request.headers["authorization"] == "Token t1" else { return .status(403, "who?") }
            return kept.withLock { kept in
                if request.method == "GET" {
                    return kept[request.path] != nil || request.path.contains("?")
                        ? .status(200, "{}") : .status(404, "")
                }
                guard let json = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any],
                    let id = json["id"] as? String
                else { return .status(400, "no id") }
                let place = request.path + id + "/"
                if kept[place] != nil { return .status(400, "there is one with this id") }
                guard kept.count < failsAfter else { return .status(500, "oh") }
                kept[place] = json.compactMapValues { ($0 as? String) ?? ($0 as? Int).map { $0 as any Sendable } }
                return .status(201, "{}")
            }
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data("t1\n".utf8).write(to: folder.file("token"))
    }

    private func recipient(_ receiver: HTTPReceiver) -> Recipient {
        Recipient(
            name: "diary", kind: .wger, url: receiver.url(), secretFile: folder.file("token").path,
            exercises: ["squat": 615])
    }

    @Test func `a session and the sets whose exercise is known, each once, also after a failure in between`() throws {
        let diary = Diary(failsAfter: 2)
        let receiver = try HTTPReceiver { diary.answer($0) }
        let message = Message.workout(try Example.finished(), from: Example.node)
        #expect(throws: SendingFailure.self) { try Sender().send(message, id: "1", to: recipient(receiver)) }
        let again = Diary()
        again.kept.withLock { $0 = diary.kept.withLock { $0 } }
        receiver.answer { again.answer($0) }
        let answer = try Sender().send(message, id: "1", to: recipient(receiver))
        #expect(answer == "wger has the workout and 2 sets; not plank, which exercises does not name")
        let kept = again.kept.withLock { $0 }
        let sessions = kept.filter { $0.key.hasPrefix("/api/v2/workoutsession/") }.map(\.value)
        let logs = kept.filter { $0.key.hasPrefix("/api/v2/workoutlog/") }.map(\.value)
        #expect(sessions.count == 1 && logs.count == 2)
        #expect(sessions[0]["datetime_start"] as? String == "2026-11-21T11:00:00.000Z")
        #expect(Set(logs.map { $0["session"] as? String }) == [sessions[0]["id"] as? String])
        #expect(Set(logs.map { $0["repetitions"] as? String }) == ["12", "10"])
        #expect(logs.compactMap { $0["weight"] as? String } == ["62.5"] && logs[0]["exercise"] as? Int == 615)
    }

    @Test func `a test asks whose diary it is and adds nothing`() throws {
        let diary = Diary()
        let receiver = try HTTPReceiver { diary.answer($0) }
        let message = Message.workout(.example(at: Example.noon), from: Example.node)
        #expect(try Sender().test(message, to: recipient(receiver)).contains("nothing was added"))
        #expect(receiver.requests.map(\.method) == ["GET"])
        try Data("t2\n".utf8).write(to: folder.file("token"))
        #expect(throws: SendingFailure("wger answered HTTP 403: who?")) {
            try Sender().test(message, to: recipient(receiver))
        }
    }
}
