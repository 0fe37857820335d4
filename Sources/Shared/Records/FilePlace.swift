import Foundation

/// What stands at a name under which something is to be written.
package enum FilePlace: Equatable, Sendable {
    /// A file, or nothing yet: it is replaced as a whole. Links are followed, so that they stay links.
    case file(URL)
    /// A device or a pipe: it is opened and written into, and stays what it is.
    case other(URL)

    /// Looks what stands at a name.
    package init(_ url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            self = .file(Self.end(of: url))
            return
        }
        self = status.st_mode & S_IFMT == S_IFREG ? .file(url.resolvingSymlinksInPath()) : .other(url)
    }

    /// The place, behind its links.
    package var url: URL {
        switch self {
        case .file(let url), .other(let url): url
        }
    }

    /// Where a chain of links leads, though nothing is there yet.
    private static func end(of url: URL) -> URL {
        var url = url
        // As many as the system follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
            url = URL(filePath: target, relativeTo: url.deletingLastPathComponent())
        }
        return url.absoluteURL
    }
}

extension Data {
    /// Writes into the place at a name. A file is replaced as a whole: readers see the old one or the new one.
    package func write(toPlace url: URL) throws {
        switch FilePlace(url) {
        case .file(let file): try write(to: file, options: .atomic)
        case .other(let place): try write(to: place)
        }
    }
}
