import Foundation

/// Puts a new database in the place of another. It is built and synced beside it under a name of its own; only then
/// does the old one move aside and the new one get the name. Whenever the machine dies in between, the next start finds
/// the old history, or a whole new one to finish with.
package struct FileReplacement {
    package enum Kind: CaseIterable, Sendable {
        /// What could be read of a damaged file.
        case recovery
        /// A copy that is to be the history again.
        case restore

        /// Ends the name of the file that is being built; whatever has it after a death is worth nothing.
        fileprivate var partSuffix: String { self == .recovery ? ".recovering" : ".restoring" }
        /// Ends the name of the file that is whole and waits for its place.
        fileprivate var wholeSuffix: String { self == .recovery ? ".recovered" : ".restored" }
        /// Why the old file was moved aside; part of its name then.
        fileprivate var why: String { self == .recovery ? "corrupt" : "before-restore" }
    }

    /// Moments at which a death is tried; for tests.
    package enum Step: Sendable, CaseIterable { case halfBuilt, built, whole, movingAside, movedAside, placed }

    let kind: Kind
    let path: String
    let wall: Date
    var atStep: (Step) throws -> Void = { _ in }

    /// Where the new file is to be built.
    var part: String { path + kind.partSuffix }
    private var whole: String { path + kind.wholeSuffix }

    /// Gives the built file its place; no connection to it may be open any more.
    ///
    /// - Returns: where the file lies that was there before; `nil` if there was none.
    /// - Throws: ``HistoryError``; the old file then still has its place, or the next start gives it to the new one.
    func install() throws -> String? {
        // GRDB closes its readers last, and these may not take the emptied log away.
        guard DatabaseFiles.status(part + "-wal")?.st_size ?? 0 == 0 else {
            throw HistoryError.storage(.failing, path: part, reason: "its log could not be emptied")
        }
        for suffix in ["-wal", "-shm"] { unlink(part + suffix) }
        try atStep(.built)
        DatabaseFiles.restrict(part, isNew: true)
        try DatabaseFiles.sync(part)
        try DatabaseFiles.move(part, to: whole)
        try atStep(.whole)
        return try place()
    }

    private func place() throws -> String? {
        let aside = DatabaseFiles.exists(path) ? try moveAside() : nil
        try moveLog(to: aside ?? DatabaseFiles.unusedName(path, kind.why, wall: wall))
        try atStep(.movedAside)
        try DatabaseFiles.move(whole, to: path)
        try atStep(.placed)
        return aside
    }

    private func moveAside() throws -> String {
        let aside = DatabaseFiles.unusedName(path, kind.why, wall: wall)
        try DatabaseFiles.move(path, to: aside)
        try atStep(.movingAside)
        return aside
    }

    /// The old file's log must not meet the new file.
    private func moveLog(to aside: String) throws {
        for suffix in ["-wal", "-shm"] where DatabaseFiles.exists(path + suffix) {
            try DatabaseFiles.move(path + suffix, to: aside + suffix)
        }
    }

    /// Finishes what a dead process began, and removes what it had not made whole.
    ///
    /// - Returns: the recovery that was finished, by where the damaged file lies now.
    static func finish(_ path: String, wall: Date) throws -> String? {
        var recovered: String?
        for kind in Kind.allCases {
            let replacement = FileReplacement(kind: kind, path: path, wall: wall)
            DatabaseFiles.removeDatabase(replacement.part)
            guard DatabaseFiles.exists(replacement.whole) else { continue }
            var aside = DatabaseFiles.newestName(path, kind.why)
            // Died between the file and its log: they belong together.
            if !DatabaseFiles.exists(path), let aside { try replacement.moveLog(to: aside) }
            aside = try replacement.place() ?? aside
            if kind == .recovery { recovered = aside }
        }
        return recovered
    }
}
