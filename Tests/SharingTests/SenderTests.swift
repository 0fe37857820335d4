import Foundation
import Records
import Sharing
import Synchronization
import TestSupport
import Testing

/// Each kind of recipient with a real receiver on this machine.
@Suite struct SenderTests {
    private let folder: TemporaryFolder
    private let sender = Sender(zone: .gmt, patienceSeconds: 5)

    init() throws { folder = try TemporaryFolder() }

    private func secret(_ text: String) throws -> String {
        let file = folder.file("secret")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func workout() throws -> Message { .workout(try Example.finished(), from: Example.node) }

    private func failure(_ message: Message, to recipient: Recipient, _ sender: Sender? = nil) -> String? {
        do throws(SendingFailure) {
            _ = try (sender ?? self.sender).send(message, id: "1", to: recipient)
            return nil
        } catch { return error.description }
    }

    @Test func `a webhook gets JSON, with a signature over id, time and body`() throws {
        let receiver = try HTTPReceiver()
        let key = Data("a key of thirty-two bytes, or so.".utf8)
        let recipient = Recipient(
            name: "club", kind: .webhook, url: receiver.url("/in?a=1&b=[2]"),
            secretFile: try secret("whsec_\(key.base64EncodedString())\nnotes\n"))
        let answer = try sender.send(try workout(), id: "msg-1", to: recipient, at: Example.noon)
        #expect(answer == "HTTP 200: thanks")
        let request = try #require(receiver.requests.first)
        #expect(request.method == "POST" && request.path == "/in?a=1&b=[2]")
        #expect(request.headers["content-type"] == "application/json" && request.headers["webhook-id"] == "msg-1")
        let time = try #require(request.headers["webhook-timestamp"])
        #expect(time == "1795258800")
        let code = HMACSHA256.code(of: Array("msg-1.\(time).\(request.body)".utf8), key: Array(key))
        #expect(request.headers["webhook-signature"] == "v1," + Data(code).base64EncodedString())
        let json = try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        #expect(json["type"] as? String == "workout" && json["name"] as? String == "Anna" && json["reps"] as? Int == 22)
        #expect(json["plan"] as? String == "Legs; \"heavy\"" && json["node"] as? String == "sp-one")
        let sets = try #require(json["sets"] as? [[String: Any]])
        #expect(
            sets.count == 3 && sets[0]["load_kg"] as? Double == 62.5 && sets[0]["rpe"] as? Double == 8.5
                && sets[0]["exercise"] as? String == "Squat")
    }

    /// RFC 4231, section 4.3.
    @Test func `the code is HMAC-SHA256`() {
        let code = HMACSHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        let hex = code.map { String(format: "%02x", $0) }.joined()
        #expect(hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `ntfy gets a short text with a title and a token`() throws {
        let receiver = try HTTPReceiver()
        let recipient = Recipient(
            name: "topic", kind: .ntfy, url: receiver.url("/gym"), secretFile: try secret("tk_123"))
        let alert = AlertMessage(
            state: .began, topic: .camera, camera: "rack-1", since: Example.noon, advice: "Plug it in.\nThen wait.")
        _ = try sender.send(.alert(alert, from: Example.node), id: "1", to: recipient)
        let request = try #require(receiver.requests.first)
        #expect(request.headers["title"] == "Rack corner: a camera delivers no pictures (rack-1)")
        #expect(request.headers["authorization"] == "Bearer tk_123" && request.headers["priority"] == "high")
        #expect(
            request.body == """
                Since 2026-11-21 11:00: a camera delivers no pictures, camera rack-1.
                Plug it in.
                Then wait.
                """)
        _ = try sender.send(try workout(), id: "2", to: recipient)
        #expect(receiver.requests[1].body.contains("Squat: 12 x 62.5 kg, 10\nPlank: 31 s"))
        #expect(receiver.requests[1].headers["priority"] == nil)
    }

    @Test func `a mail goes through the program sendmail, and a line break adds no line to its head`() throws {
        let program = folder.file("sendmail").path, mail = folder.file("mail").path
        try write(program, "#!/bin/sh\necho \"$@\" > \(mail); cat >> \(mail)\n")
        let recipient = Recipient(name: "staff", kind: .mail, to: "staff@example.org", sendmail: program)
        let node = SendingNode(site: "berlin", node: "sp-one", name: "Räck\nBcc: else@example.org")
        let alert = AlertMessage(state: .ended, topic: .disk, since: Example.noon, until: Example.noon + 300)
        _ = try sender.send(.alert(alert, from: node), id: "1", to: recipient)
        let text = try String(contentsOfFile: mail, encoding: .utf8)
        #expect(text.hasPrefix("-t -i\nTo: staff@example.org\nSubject: =?utf-8?B?"), "\(text)")
        #expect(text.contains("It lasted 5 min.") && !text.contains("\nBcc:"))
        try write(program, "#!/bin/sh\ncat > /dev/null; echo 'no relay' >&2; exit 75\n")
        let refusal = try #require(failure(.alert(alert, from: node), to: recipient))
        #expect(refusal.contains("no relay") && refusal.contains("look at its log"), "\(refusal)")
        let missing = Recipient(name: "staff", kind: .mail, to: "a@b", sendmail: folder.file("nowhere").path)
        #expect(failure(.alert(alert, from: node), to: missing)?.contains("msmtp") == true)
    }

    private func write(_ path: String, _ script: String) throws {
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    @Test func `receivers that refuse, hang, or are not there, and a secret that is missing`() throws {
        let receiver = try HTTPReceiver { _ in .status(503, "come\nback later") }
        let recipient = Recipient(name: "club", kind: .webhook, url: receiver.url())
        #expect(failure(try workout(), to: recipient) == "the receiver answered HTTP 503: come back later")
        receiver.answer { _ in .silence }
        let began = ContinuousClock.now
        let late = try #require(failure(try workout(), to: recipient, Sender(patienceSeconds: 1)))
        #expect(late.contains("was not reached") && ContinuousClock.now - began < .seconds(30), "\(late)")
        receiver.answer { _ in .status(302, "") }
        #expect(failure(try workout(), to: recipient) == "the receiver answered HTTP 302", "no redirection is followed")
        let nobody = Recipient(name: "club", kind: .webhook, url: "http://127.0.0.1:9/")
        #expect(try #require(failure(try workout(), to: nobody)).contains("check the address and the network"))
        let file = Recipient(name: "club", kind: .webhook, url: "file:///etc/passwd")
        #expect(failure(try workout(), to: file) != nil, "no other protocol is spoken")
        let secret = Recipient(
            name: "club", kind: .webhook, url: receiver.url(), secretFile: folder.file("none").path)
        #expect(try #require(failure(try workout(), to: secret)).contains("No such file"))
        #expect(
            try #require(failure(try workout(), to: recipient, Sender(curl: folder.file("none").path)))
                .contains("apt install curl"))
    }
}
