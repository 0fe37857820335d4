import HTTPServing

/// Why log-ins cannot be checked or changed. A reason ends with what to do next.
package enum AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder of the database cannot be opened or made.
    case unreachable(path: String, cause: String)
    /// The file exists and cannot be read. `remedy` is the command that makes a new one.
    case unreadable(path: String, cause: String, remedy: String)
    /// The file holds something else than this program writes.
    case damaged(path: String, cause: String, remedy: String)
    /// The file cannot be written. What was there before is unchanged.
    case unwritable(path: String, cause: String, remedy: String)
    /// There is no memory to check a password with. `path` is the file of the passwords.
    case noMemory(path: String)

    /// The file or folder.
    package var path: String {
        switch self {
        case .unreachable(let path, _), .unreadable(let path, _, _), .damaged(let path, _, _),
            .unwritable(let path, _, _), .noMemory(let path):
            path
        }
    }

    /// What is wrong with it, and what to do.
    package var reason: String {
        switch self {
        case .unreachable(_, let cause):
            "the folder cannot be opened: \(cause); use sudo, or check history.path"
        case .unreadable(_, let cause, let remedy):
            "it cannot be read: \(cause); use sudo, or delete it and run: \(remedy)"
        case .damaged(_, let cause, let remedy):
            "it is damaged: \(cause); delete it and run: \(remedy)"
        case .unwritable(_, let cause, let remedy):
            "it cannot be written: \(cause); free some disk space or use sudo, then run: \(remedy)"
        case .noMemory:
            "16 MB of memory for a password are missing; end another program, then try again"
        }
    }

    package var description: String { "\(path): \(reason)" }
}

extension WebFailure {
    /// What a person reads who wants to log in. The folder is nobody's business.
    init(_ error: AccessError) {
        let name = error.path.split(separator: "/").last.map(String.init) ?? error.path
        self.init(
            .internalServerError, "passwords_unusable",
            "The node cannot check who you are. On the node, look at \(name): \(error.reason).")
    }
}
