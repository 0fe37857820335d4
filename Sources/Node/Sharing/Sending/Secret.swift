import Foundation
import Records

/// The secret of a recipient, which lies in a file.
enum Secret {
    /// The first line of the file; `nil` without a file.
    ///
    /// - Throws: ``SendingFailure`` when the file cannot be read, or its first line is empty.
    static func read(_ recipient: Recipient) throws(SendingFailure) -> String? {
        guard let path = recipient.secretFile else { return nil }
        let contents: String
        do { contents = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw SendingFailure(
                "the secret of '\(recipient.name)' cannot be read from \(path): \(error.fileReason)")
        }
        let line = contents.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty else {
            throw SendingFailure("\(path) is empty: write the secret of '\(recipient.name)' on its first line")
        }
        return line
    }

    /// The secret of a recipient that cannot do without.
    static func required(_ recipient: Recipient) throws(SendingFailure) -> String {
        guard let secret = try read(recipient) else {
            throw SendingFailure("'\(recipient.name)' needs secret_file, a file with the token on its first line")
        }
        return secret
    }
}
