import CommandLineProgram
import History

/// Says that what a command shows was made up.
enum MadeUpNotice {
    /// The sentence for people.
    static let text = "This history was made up by `spotter setup --demo`: nothing in it was seen."

    /// Says it on stderr where a database was made up, so that no table or file of it is taken for what was seen.
    static func show(_ query: HistoryQuery) throws {
        if try query.isMadeUp() { Terminal.print(text) }
    }

    /// The same of a database that may be missing; what is wrong with it is told by whoever reads it.
    static func show(path: String) { try? show(HistoryQuery(path: path)) }
}
