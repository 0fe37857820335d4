import Foundation
import TestSupport
import Testing
import Web

@Suite struct OneTimeTokensTests {
    private let folder: TemporaryFolder
    private let tokens: OneTimeTokens
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    init() throws {
        folder = try TemporaryFolder()
        tokens = OneTimeTokens(folder: folder.url)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file(OneTimeTokens.name).path) }
    }

    @Test(arguments: WebRole.allCases)
    func `a token opens its role, once`(role: WebRole) throws {
        let token = try tokens.make(role, now: now)
        #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(try tokens.take(token, now: now) == role)
        #expect(try tokens.take(token, now: now) == nil)
        #expect(try names == [])
    }

    @Test func `the folder is for its owner alone and holds no token`() throws {
        let token = try tokens.make(.viewer, now: now)
        let path = folder.file(OneTimeTokens.name).path
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o700)
        let name = try #require(names.first)
        #expect(stat(path + "/" + name, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        let content = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        #expect(!name.contains(token) && !content.contains(token))
    }

    @Test func `a token works for ten minutes`() throws {
        let (first, second) = (try tokens.make(.viewer, now: now), try tokens.make(.viewer, now: now))
        #expect(try tokens.take(first, now: now + 599) == .viewer)
        #expect(try tokens.take(second, now: now + 600) == nil)
        #expect(try names == [])
    }

    @Test func `a clock that is set back does not prolong a token`() throws {
        let token = try tokens.make(.viewer, now: now)
        #expect(try tokens.take(token, now: now - 3600) == nil)
    }

    @Test func `of two who take a token at once exactly one wins`() throws {
        let (url, now) = (folder.url, now)
        for _ in 0..<100 {
            let token = try tokens.make(.operator, now: now)
            let roles = try AtOnce.run(2) { try OneTimeTokens(folder: url).take(token, now: now) }
            #expect(roles.count == 2 && roles.compactMap { $0 } == [.operator])
        }
    }

    @Test func `at most twenty are kept, and the oldest make room`() throws {
        let made = try (0..<23).map { try tokens.make(.viewer, now: now + Double($0)) }
        #expect(try names.count == OneTimeTokens.maximumCount)
        #expect(try made.prefix(3).allSatisfy { try tokens.take($0, now: now + 30) == nil })
        #expect(try made.dropFirst(3).allSatisfy { try tokens.take($0, now: now + 30) == .viewer })
    }

    @Test func `expired and foreign files are removed`() throws {
        _ = try tokens.make(.viewer, now: now)
        try Data("{".utf8).write(to: folder.file(OneTimeTokens.name + "/garbage"))
        let kept = try tokens.make(.viewer, now: now + 700)
        #expect(try names.count == 1)
        #expect(try tokens.take(kept, now: now + 700) == .viewer)
    }

    @Test func `no link works any more after all were removed`() throws {
        let token = try tokens.make(.operator, now: now)
        try tokens.removeAll()
        #expect(try names == [] && tokens.take(token, now: now) == nil)
    }

    @Test func `text that is no token touches no file`() throws {
        let token = try tokens.make(.viewer, now: now)
        try Data("{}".utf8).write(to: folder.file("spotter.db"))
        let wrong = [
            "", "../spotter.db", "../../etc/passwd", token.uppercased() + "x", String(token.dropLast()), token + "0",
            token + "\n", String(repeating: "/", count: 32), String(repeating: ".", count: 32),
            String(repeating: "A", count: 32), String(repeating: "é", count: 16), "\u{0}" + token.dropFirst(),
        ]
        for text in wrong { #expect(try tokens.take(text, now: now) == nil, "\(text)") }
        #expect(try tokens.take(String(repeating: "0", count: 32), now: now) == nil)
        #expect(try names.count == 1 && FileManager.default.fileExists(atPath: folder.file("spotter.db").path))
    }

    @Test func `without a folder no token is valid, and the first one makes it`() throws {
        let missing = OneTimeTokens(folder: folder.file("missing"))
        #expect(try missing.take(String(repeating: "0", count: 32), now: now) == nil)
        try missing.removeAll()
        let token = try missing.make(.viewer, now: now)
        #expect(try missing.take(token, now: now) == .viewer)
    }

    @Test func `a link in place of the folder is refused`() throws {
        let other = folder.file("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(OneTimeTokens.name).path, withDestinationPath: other.path)
        #expect(throws: AccessError.self) { try tokens.make(.viewer, now: now) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
    }
}
