extension OutputFile {
    /// Looks that a command does not write over what it reads, by whatever names and links.
    ///
    /// - Parameters:
    ///   - output: what is written; `nil` where nothing is.
    ///   - inputs: what is read: paths or addresses, `nil` where nothing is.
    /// - Throws: ``FileProblem``.
    static func check(_ output: String?, sparing inputs: [String?]) throws {
        guard let output else { return }
        for case let input? in inputs {
            let path = input.hasPrefix("file://") ? String(input.dropFirst("file://".count)) : input
            // Half a file has the second name.
            guard areSame(path, output) || areSame(path, output + ".part") else { continue }
            throw FileProblem(
                path: output, reason: "it would be written over \(input), which is read: name another file to write")
        }
    }
}
