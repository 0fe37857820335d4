/// Checks names that people type.
package enum KnownName {
    /// The most names that are listed.
    private static let maximumListed = 12

    /// Finds a name as it is written. Letter case and the normal form of Unicode do not matter, unless two names differ in
    /// nothing else.
    ///
    /// - Returns: the known name. Where no name is known nothing can be refused, and it is the typed one.
    /// - Throws: ``Unknown``, with the nearest name.
    package static func resolve(_ name: String, kind: String, among known: [String]) throws -> String {
        let known = Set(known).sorted()
        if known.isEmpty || known.contains(name) { return name }
        let same = known.filter { NearestName.areSame($0, name) }
        guard same.count == 1 else { throw Unknown(name: name, kind: kind, known: known) }
        return same[0]
    }

    /// A name that is not known.
    package struct Unknown: Error, CustomStringConvertible {
        /// The name as it was typed.
        package let name: String
        /// What kind of name it is: `camera`.
        package let kind: String
        let known: [String]

        package var description: String {
            let nearest = NearestName.of(name, among: known).map { ": did you mean '\($0)'?" } ?? "."
            let listed = known.prefix(maximumListed).joined(separator: ", ")
            return "no \(kind) has the name '\(name)'\(nearest) Known: \(listed)"
                + (known.count > maximumListed ? " and \(known.count - maximumListed) more" : "")
        }
    }
}
