import Foundation
import History

/// Deletes a name from what lies beside a history: training clips, and databases that were set aside. The history itself
/// is `Store.deleteName`.
///
/// Every way to delete a name ends here: `spotter person forget`, `spotter workout delete-name`, the command `name_delete`
/// and the page.
package struct NameRemoval: Sendable {
    /// The training clips that were deleted, relative to their folder.
    package let clips: [String]
    /// The databases that had the name, and those that could not be changed.
    package let copies: [HistoryCopy]

    /// Deletes the name.
    ///
    /// - Parameters:
    ///   - name: as it was typed; letter case and blanks around it do not matter.
    ///   - history: the path of the history.
    /// - Throws: the file system's error for clips that cannot be deleted.
    package init(of name: String, beside history: String) throws {
        clips = try NamedClips(beside: history).forget(name)
        copies = Store.copies(beside: history, with: name, deleting: true)
    }

    /// What no deletion reaches.
    package static let unreached = [
        "exports, reports and recordings that were written into files or printed",
        "backups in other places: restore one, and forget the name again",
        "receivers and programs that this node does not know",
    ]
}
