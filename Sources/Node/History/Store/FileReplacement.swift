import Foundation

/// Replaces a database by a new one. The new one is built and synced under its own name. Only then is the old one moved
/// aside and the new one renamed. If the machine crashes in between, the next start finds the old history, or a
/// complete new one to finish with.
package struct FileReplacement {
    /// Why the database is replaced.
    package enum Kind: CaseIterable, Sendable {
        /// The new file holds what could be read from a damaged one.
        case recovery
        /// The new file is a backup to restore.
        case restore

        /// The suffix of the file under construction. After a crash such a file is useless.
        fileprivate var partSuffix: String { self == .recovery ? ".recovering" : ".restoring" }
        /// The suffix of the complete file that waits for its place.
        fileprivate var wholeSuffix: String { self == .recovery ? ".recovered" : ".restored" }
        /// Why the old file was moved aside, as part of its new name.
        fileprivate var why: String { self == .recovery ? "corrupt" : "before-restore" }
    }

    /// The steps at which tests simulate a crash.
    package enum Step: Sendable, CaseIterable { case halfBuilt, built, whole, movingAside, movedAside, placed }

    let kind: Kind
    let path: String
    let wall: Date
    var atStep: (Step) throws -> Void = { _ in }

    /// Where to build the new file.
    var part: String { path + kind.partSuffix }
    private var whole: String { path + kind.wholeSuffix }

    /// Puts the new file in place. No connection to it may be open any more.
    ///
    /// - Returns: the new path of the old file; `nil` if there was none.
    /// - Throws: ``HistoryError``. The old file is then still in place, or the next start finishes the replacement.
    func install() throws -> String? {
        // GRDB closes its readers last, and they may not delete the emptied log.
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

    /// The old log must not be applied to the new file.
    private func moveLog(to aside: String) throws {
        for suffix in ["-wal", "-shm", "-journal"] where DatabaseFiles.exists(path + suffix) {
            try DatabaseFiles.move(path + suffix, to: aside + suffix)
        }
    }

    /// Finishes replacements of a crashed process, and deletes incomplete files.
    ///
    /// - Returns: where the damaged file is now, if a recovery was finished.
    static func finish(_ path: String, wall: Date) throws -> String? {
        var recovered: String?
        for kind in Kind.allCases {
            let replacement = FileReplacement(kind: kind, path: path, wall: wall)
            DatabaseFiles.removeDatabase(replacement.part)
            guard DatabaseFiles.exists(replacement.whole) else { continue }
            var aside = DatabaseFiles.newestName(path, kind.why)
            // The crash came between moving the file and moving its log, which belong together.
            if !DatabaseFiles.exists(path), let aside { try replacement.moveLog(to: aside) }
            aside = try replacement.place() ?? aside
            if kind == .recovery { recovered = aside }
        }
        return recovered
    }
}
