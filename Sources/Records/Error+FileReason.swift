import Foundation

extension Error {
    /// Why a file could not be read or written, in the system's own words: "No such file or directory".
    package var fileReason: String {
        let error = self as NSError
        // On Linux the cause is no `NSError` until it is converted.
        let causes = [error] + [error.userInfo[NSUnderlyingErrorKey] as? any Error].compactMap { $0 as NSError? }
        if let cause = causes.first(where: { $0.domain == NSPOSIXErrorDomain }) {
            return String(cString: strerror(Int32(cause.code)))
        }
        switch CocoaError.Code(rawValue: error.code) {
        case .fileReadNoSuchFile, .fileNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileReadNoPermission, .fileWriteNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        default: return error.localizedDescription
        }
    }
}
