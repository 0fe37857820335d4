import Foundation
import TestSupport
import Testing
import Web

@Suite struct PasswordFileTests {
    private let folder: TemporaryFolder
    private let file: PasswordFile

    init() throws {
        folder = try TemporaryFolder()
        file = PasswordFile(folder: folder.url)
    }

    private var text: String { get throws { try String(contentsOf: URL(filePath: file.path), encoding: .utf8) } }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file.path)) }

    @Test func `without a file nobody has a password`() throws {
        #expect(try !file.hasPassword)
        #expect(try file.role(for: "23456-abcde-fghjk-mnpqr") == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a new password has four groups of five and opens its role`() throws {
        let viewer = try file.generate(.viewer)
        let owner = try file.generate(.operator)
        #expect(viewer.wholeMatch(of: /[2-9a-hjkmnp-z]{5}(-[2-9a-hjkmnp-z]{5}){3}/) != nil)
        #expect(viewer != owner)
        #expect(try file.hasPassword)
        #expect(try file.role(for: viewer) == .viewer)
        #expect(try file.role(for: owner) == .operator)
        #expect(try file.role(for: String(owner.dropLast()) + "!") == nil)
        #expect(try file.role(for: "") == nil)
    }

    @Test func `large letters, missing dashes and spaces around do not matter`() throws {
        let password = try file.generate(.viewer)
        #expect(try file.role(for: " " + password.replacing("-", with: " ").uppercased() + "\n") == .viewer)
        #expect(try file.role(for: password.replacing("-", with: "")) == .viewer)
        #expect(try file.role(for: password + String(repeating: "x", count: 1_000_000)) == nil)
    }

    @Test func `the file holds no password and is for its owner alone`() throws {
        let password = try file.generate(.operator)
        #expect(try !text.contains(password) && !text.contains(password.replacing("-", with: "")))
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [PasswordFile.name])
    }

    @Test func `a new password replaces the old one, keeps the other role's, and renews the key`() throws {
        let viewer = try file.generate(.viewer)
        let old = try file.generate(.operator)
        let key = try file.signingKey()
        let new = try file.generate(.operator)
        #expect(try file.role(for: old) == nil)
        #expect(try file.role(for: new) == .operator)
        #expect(try file.role(for: viewer) == .viewer)
        #expect(try file.signingKey() != key)
    }

    @Test func `the key exists before any password and stays the same`() throws {
        let key = try file.signingKey()
        #expect(key.count == 32)
        #expect(try file.signingKey() == key)
        #expect(try PasswordFile(folder: folder.url).signingKey() == key)
        #expect(try !file.hasPassword)
    }

    @Test func `a running node sees what the command line changes`() throws {
        #expect(try !file.hasPassword)
        let command = PasswordFile(folder: folder.url)
        let first = try command.generate(.operator)
        #expect(try file.role(for: first) == .operator)
        let second = try command.generate(.operator)
        #expect(try file.role(for: first) == nil)
        #expect(try file.role(for: second) == .operator)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try !file.hasPassword)
    }

    @Test(arguments: [
        "", "{", "null", "[]", "{\"passwords\":{}}", "{\"passwords\":{},\"signing_key\":\"QUJD\"}",
        "{\"passwords\":{\"king\":{}},\"signing_key\":\"QUJD\"}", String(repeating: "x", count: 70_000),
    ])
    func `a damaged file is an error that says what to do`(content: String) throws {
        try write(content)
        let errors = [
            try #require(throws: AccessError.self) { try file.hasPassword },
            try #require(throws: AccessError.self) { try file.signingKey() },
            try #require(throws: AccessError.self) { try file.role(for: "x") },
            try #require(throws: AccessError.self) { try file.generate(.viewer) },
        ]
        for error in errors {
            #expect(error.path == file.path)
            #expect(error.description.contains("delete it and run: spotter web password"))
        }
        #expect(try text == content)
    }

    @Test(arguments: [
        ("\"n\":16384", "\"n\":1073741824"), ("\"n\":16384", "\"n\":16383"), ("\"r\":8", "\"r\":4096"),
        ("\"p\":1", "\"p\":-1"), ("\"p\":1", "\"p\":1000000"), ("\"hash\":\"", "\"hash\":\"QUJD"),
    ])
    func `parameters that would exhaust the machine are damage`(right: String, wrong: String) throws {
        let password = try file.generate(.viewer)
        let content = try text
        try #require(content.contains(right))
        try write(content.replacing(right, with: wrong))
        #expect(throws: AccessError.self) { try file.role(for: password) }
    }

    @Test func `what cannot be read is no missing password`() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        #expect(throws: AccessError.self) { try file.hasPassword }
        try FileManager.default.removeItem(atPath: file.path)
        // A link may lead to a file of somebody else.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/null")
        let error = try #require(throws: AccessError.self) { try file.role(for: "x") }
        #expect(error.description.contains("spotter web password"))
        #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
        #expect(rename(folder.file("pipe").path, file.path) == 0)
        #expect(throws: AccessError.self) { try file.hasPassword }
    }

    @Test func `the folder is made when it is missing, and one that cannot be made is an error`() throws {
        let inner = PasswordFile(folder: folder.file("a/b"))
        let password = try inner.generate(.viewer)
        #expect(try inner.role(for: password) == .viewer)
        let below = PasswordFile(folder: URL(filePath: inner.path).appending(path: "c"))
        let errors = [
            try #require(throws: AccessError.self) { try below.generate(.viewer) },
            try #require(throws: AccessError.self) { try below.hasPassword },
        ]
        // Nobody must be told to delete the folder of the database.
        for error in errors { #expect(!error.description.contains("delete")) }
    }

    @Test func `a file that a crash left half written is replaced`() throws {
        try Data("half".utf8).write(to: folder.file(PasswordFile.name + ".new"))
        #expect(try file.role(for: file.generate(.viewer)) == .viewer)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [PasswordFile.name])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `what root makes belongs to the folder's owner`() throws {
        try #require(chown(folder.url.path, 1234, 2345) == 0)
        _ = try file.generate(.operator)
        let token = try OneTimeTokens(folder: folder.url).make(.viewer, now: Date())
        #expect(token.count == 32)
        let tokens = folder.file(OneTimeTokens.name)
        let names = try FileManager.default.contentsOfDirectory(atPath: tokens.path)
        for path in [file.path, tokens.path] + names.map({ tokens.appending(path: $0).path }) {
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_uid == 1234 && status.st_gid == 2345, "\(path)")
        }
    }

    @Test func `two who make the first key at once get the same one`() throws {
        for round in 0..<100 {
            let url = folder.file("\(round)")
            let keys = try AtOnce.run(2) { try PasswordFile(folder: url).signingKey() }
            #expect(Set(keys) == [try PasswordFile(folder: url).signingKey()])
        }
    }
}
