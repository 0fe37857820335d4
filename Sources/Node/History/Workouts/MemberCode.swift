import Foundation
import GRDB
import Records
import Workouts

/// What lets a member see their own workouts: a nickname, and a code of which only the hash is kept.
public struct MemberCode: Sendable, Equatable {
    /// A random id, another one for each code that is made. Log-ins name it, so a new code ends them.
    public let id: String
    /// The name under which the member's workouts are stored.
    public let name: String
    /// What the member types beside the code.
    public let nickname: String
    /// The hash, as JSON; the history does not look into it.
    package let code: String
    /// When it was made.
    public let made: Date

    /// A code that is made now.
    package init(id: String, name: PersonName, nickname: PersonName, code: String, made: Date) {
        (self.id, self.name, self.nickname) = (id, name.text, nickname.text)
        (self.code, self.made) = (code, made)
    }

    /// Whether a workout of this name is the member's.
    package func isCalled(_ name: String) -> Bool { PersonName.areSame(name, self.name) }

    /// Whether the member types this nickname.
    package func hasNickname(_ name: String) -> Bool { PersonName.areSame(name, nickname) }

    fileprivate init(_ row: Row) {
        (id, name, nickname) = (row.text("id"), row.text("name"), row.text("nickname"))
        code = row.text("code")
        made = Timestamp.date(milliseconds: row.moment("made_ms"))
    }

    /// Deletes the codes of a name or nickname inside the caller's transaction.
    ///
    /// - Returns: how many there were. A history of an earlier version has none.
    @discardableResult
    static func forget(_ name: String, in db: Database) throws -> Int {
        guard try db.tableExists("member_code") else { return 0 }
        let all = try Row.fetchAll(db, sql: "SELECT * FROM member_code").map(MemberCode.init)
        let own = all.filter { $0.isCalled(name) || $0.hasNickname(name) }
        for code in own { try db.execute(sql: "DELETE FROM member_code WHERE id = ?", arguments: [code.id]) }
        return own.count
    }
}

/// Why a code cannot be made. The text ends with what to do.
package struct MemberCodeRefusal: Error, Equatable, CustomStringConvertible {
    /// The reason, and what to do.
    package let description: String
}

extension Store {
    /// The most members with a code.
    package static let maximumCodes = 2000

    /// Stores a code in the place of the one that the member had.
    ///
    /// - Throws: ``MemberCodeRefusal`` where another member has the nickname, or too many have codes; ``HistoryError``.
    package func store(_ code: MemberCode) throws {
        let refusal = try write { db -> MemberCodeRefusal? in
            let all = try Row.fetchAll(db, sql: "SELECT * FROM member_code").map(MemberCode.init)
            let others = all.filter { !PersonName.areSame($0.name, code.name) }
            if others.contains(where: { PersonName.areSame($0.nickname, code.nickname) }) {
                return MemberCodeRefusal(
                    description: "the nickname '\(code.nickname)' has another member's code: choose another nickname")
            }
            guard others.count < Self.maximumCodes else {
                return MemberCodeRefusal(
                    description: "\(Self.maximumCodes) members have a code: take back codes that nobody uses")
            }
            for old in all where PersonName.areSame(old.name, code.name) {
                try db.execute(sql: "DELETE FROM member_code WHERE id = ?", arguments: [old.id])
            }
            try db.execute(
                sql: "INSERT INTO member_code(key, id, name, nickname, code, made_ms) VALUES(?, ?, ?, ?, ?, ?)",
                arguments: [
                    PersonName.key(code.nickname), code.id, code.name, code.nickname, code.code,
                    Timestamp.milliseconds(code.made),
                ])
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Takes the code of a name or nickname back.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``HistoryError``.
    @discardableResult
    package func removeCode(of name: String) throws -> Bool {
        let count = try write { db in try MemberCode.forget(name, in: db) }
        try checkpoint()
        return count > 0
    }
}

extension HistoryQuery {
    /// All codes, by nickname. A history from before codes existed has none.
    ///
    /// - Throws: ``HistoryError``.
    public func memberCodes() throws -> [MemberCode] {
        try read { db in
            guard try db.tableExists("member_code") else { return [] }
            return try Row.fetchAll(db, sql: "SELECT * FROM member_code ORDER BY key").map(MemberCode.init)
        }
    }

    /// The code that a member of this nickname has; `nil` for none.
    ///
    /// - Throws: ``HistoryError``.
    package func memberCode(nickname: String) throws -> MemberCode? {
        // Keys of earlier versions were made by another rule, so the nicknames themselves are compared.
        try memberCodes().first { $0.hasNickname(nickname) }
    }

    /// The code with this id; `nil` where it was taken back or made anew.
    ///
    /// - Throws: ``HistoryError``.
    package func memberCode(id: String) throws -> MemberCode? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM member_code WHERE id = ?", arguments: [id]).map(MemberCode.init)
        }
    }
}
