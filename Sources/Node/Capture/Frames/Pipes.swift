import Foundation

/// Pipes are no sources: ffprobe and ffmpeg each open a recording, and what came through a pipe does not come again.
package enum Pipes {
    /// Refuses a source that can be read only once, before anything waits for it.
    ///
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)``
    package static func refuse(_ source: String) throws(CaptureError) {
        guard let path = VideoInput.path(of: source), isPipe(path) else { return }
        throw CaptureError.decodingFailed(source: source, reason: StreamAdvice.pipe)
    }

    private static func isPipe(_ path: String) -> Bool {
        // The files behind these names are other ones in the process of ffmpeg.
        if path == "-" || path.contains(#/^\/(dev\/(fd\/|stdin$|stdout$|stderr$)|proc\/[^\/]+\/fd\/)/#) { return true }
        var status = stat()
        return stat(path, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }
}
