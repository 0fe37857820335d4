import Foundation

extension Error {
    /// Why a file could not be read or written, in the system's own words: "No such file or directory".
    package var fileReason: String {
        if let systemError { return String(cString: strerror(systemError)) }
        switch CocoaError.Code(rawValue: (self as NSError).code) {
        case .fileReadNoSuchFile, .fileNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileReadNoPermission, .fileWriteNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        default: return localizedDescription
        }
    }

    /// The system's `errno` that this error stands for, or that caused it.
    package var systemError: Int32? {
        let error = self as NSError
        // On Linux the cause is no `NSError` until it is converted.
        let causes = [error] + [error.userInfo[NSUnderlyingErrorKey] as? any Error].compactMap { $0 as NSError? }
        return causes.first { $0.domain == NSPOSIXErrorDomain }.map { Int32($0.code) }
    }
}
