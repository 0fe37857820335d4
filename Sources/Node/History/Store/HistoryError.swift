import Foundation
import Records

/// Why the history could not be opened, read or written. Every description ends with what to do.
public enum HistoryError: Error, Equatable, Sendable {
    /// Another process writes this database. `holder` is its process id, if the lock file contains it.
    case locked(path: String, holder: Int32?)
    /// The directory or the file cannot be created or written.
    case notWritable(path: String, reason: String)
    /// Root would make files in a folder of another user, who could not write them afterwards.
    case ownedByOther(path: String, owner: String)
    /// A newer spotter wrote the file. `snapshot` is the copy it made before migrating, if there is one.
    case newerSchema(path: String, found: Int, known: Int, snapshot: String?)
    /// SQLite's write-ahead log needs shared memory, which network file systems do not offer.
    case networkFilesystem(path: String, kind: String)
    /// The database does not exist.
    case missing(path: String)
    /// The history was made up, and what is seen is not added to it.
    case madeUp(path: String)
    /// The history was not made up, and nothing that is made up is added to it.
    case notMadeUp(path: String)
    /// This user has no permission to read the database.
    case notReadable(path: String, reason: String)
    /// The file is damaged or no history; nothing was changed.
    case unreadable(path: String, reason: String)
    /// The file is no backup of a history; nothing was changed. `reason` is `nil` where there is no file.
    case noBackup(path: String, reason: String?)
    /// The times within a day are stored no longer. `since` is the first moment that is; `nil` if none is.
    case tooFine(since: Date?)
    /// A write failed, and nothing of it was stored.
    case storage(StorageProblem, path: String, reason: String)

    /// The same error where the file was to be restored.
    package var ofBackup: HistoryError {
        switch self {
        case .missing(let path): .noBackup(path: path, reason: nil)
        case .unreadable(let path, let reason): .noBackup(path: path, reason: reason)
        default: self
        }
    }

    /// The process exit code for this error.
    public var exitCode: Int32 {
        switch self {
        case .locked: 75
        case .notWritable, .notReadable, .ownedByOther: 77
        case .newerSchema, .networkFilesystem, .madeUp, .notMadeUp: 78
        case .missing, .noBackup(_, nil): 3
        case .tooFine: 2
        case .unreadable, .noBackup, .storage: 74
        }
    }
}

/// Problem codes in `health` for a failing disk.
public enum StorageProblem: String, Sendable, Codable {
    case diskFull = "disk_full"
    case readOnly = "storage_readonly"
    case failing = "storage_error"
    /// The database was deleted, replaced or emptied while the node was running.
    case lost = "database_lost"
}

extension HistoryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .locked(let path, let holder):
            let who = holder.map { " (process \($0))" } ?? ""
            return
                "another spotter\(who) writes \(path): stop it first, or use `spotter history`, which reads beside it"
        case .notWritable(let path, let reason):
            return "\(path) cannot be written (\(reason)): give this user write access to its directory, "
                + "or choose another path; that of the history stands in config.toml"
        case .ownedByOther(let path, let owner):
            return "\(path) belongs to \(owner), who could not write what root makes there: "
                + "run the command as `sudo -u \(owner) spotter …`"
        case .newerSchema(let path, let found, let known, let snapshot):
            let back =
                snapshot.map { "or go back with `spotter db restore \($0) --database \(path) --yes`" }
                ?? "or restore a backup of the older file"
            return "\(path) was written by a newer spotter (schema \(found), this one knows \(known)): "
                + "update spotter, \(back)"
        case .networkFilesystem(let path, let kind):
            return "\(path) lies on \(kind), where SQLite's log can be damaged: move the database to a local disk"
        case .missing(let path):
            return "there is no history at \(path): start `spotter run` once, or check the path in config.toml"
        case .madeUp(let path):
            return "the history \(path) was made up by `spotter setup --demo`, and nothing else is stored in it: "
                + "`spotter run --demo` shows it; name another file for what is seen"
        case .notMadeUp(let path):
            return "the history \(path) was not made up, and nothing that is made up is stored in it: "
                + "name another file, such as one of `spotter setup --demo --folder`"
        case .notReadable(let path, let reason):
            return "this user may not read \(path) (\(reason)): run the command as the user or in the group that "
                + "owns it, as with `sudo -u spotter`"
        case .unreadable(let path, let reason):
            return "\(path) cannot be read (\(reason)): start `spotter run`, which sets a damaged file aside "
                + "and saves what is readable"
        case .noBackup(let path, let reason):
            return
                "\(path) cannot be restored (\(reason ?? "there is no such file")), and nothing was changed: name another backup; "
                + "`spotter db backup` makes one"
        case .tooFine(let since):
            let kept = since.map { "are kept since \(Timestamp.text($0))" } ?? "are not kept any more"
            return
                "the times within a day \(kept), and before only totals of whole days: begin and end the span with a day, "
                + "such as --since 2026-11-21, or raise history.prediction_days for the future"
        case .storage(let problem, let path, let reason):
            return "writing \(path) failed (\(reason)), and nothing of it was stored: \(problem.remedy)"
        }
    }
}

extension StorageProblem {
    fileprivate var remedy: String {
        switch self {
        case .diskFull: "free some disk space"
        case .readOnly: "check whether the disk was remounted read-only (`dmesg | tail`) and replace a dying card"
        case .failing: "check the disk (`dmesg | tail`)"
        case .lost: "leave the files of the history alone while the node runs"
        }
    }
}
