import TOMLSettings

/// Checks names that people type.
enum KnownName {
    /// The most names that are listed.
    private static let mostListed = 12

    /// Refuses a name that is not known, with the nearest one that is.
    ///
    /// - Throws: ``Unknown``. Where no name is known nothing can be refused.
    static func check(_ name: String, kind: String, among known: [String]) throws {
        let known = Set(known).sorted()
        guard !known.isEmpty, !known.contains(name) else { return }
        throw Unknown(name: name, kind: kind, known: known)
    }

    /// A name that is not known.
    struct Unknown: Error, CustomStringConvertible {
        let name: String
        let kind: String
        let known: [String]

        var description: String {
            let nearest = NearestName.of(name, among: known).map { ": did you mean '\($0)'?" } ?? "."
            let listed = known.prefix(mostListed).joined(separator: ", ")
            return "no \(kind) has the name '\(name)'\(nearest) Known: \(listed)"
                + (known.count > mostListed ? " and \(known.count - mostListed) more" : "")
        }
    }
}
