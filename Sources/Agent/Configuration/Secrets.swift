/// Covers what nobody but its owner may read, in everything that is shown or logged.
///
/// The broker's password is never part of the configuration, only the name of its file. What is left are addresses of
/// cameras: `rtsp://user:password@host/path?token=…`.
public enum Secrets {
    public static func covered(in text: String) -> String {
        guard text.contains("://") else { return text }
        return text.replacing(/:\/\/([^:@\/\s"]*):[^\/\s"]*@/) { "://\($0.output.1):***@" }
            .replacing(/([?&](?i:password|passwd|pwd|pass|token|key|secret|auth)=)[^&\s"]+/) { "\($0.output.1)***" }
    }
}
