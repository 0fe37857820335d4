/// The exit codes, from sysexits.h where it has one.
package enum ExitStatus: Int32 {
    /// Success.
    case done = 0
    /// Any error without a code of its own, or a negative result.
    case failed = 1
    /// Wrong arguments.
    case usage = 2
    /// A file or a stored item does not exist.
    case notFound = 3
    /// A service, program or device is missing.
    case unavailable = 69
    /// Reading or writing failed.
    case inputOutput = 74
    /// The device or database is in use.
    case tryLater = 75
    /// Permission denied.
    case noPermission = 77
    /// The configuration or a model file is wrong.
    case configuration = 78
    /// The reader of the output has gone, as with `head`. Shells report this code for SIGPIPE.
    case brokenPipe = 141
}
