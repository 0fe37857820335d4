import Foundation
import Workouts

/// What training clips hold of people: below each label a folder for each name.
package struct NamedClips: Sendable {
    /// The folder of clips.
    package let folder: URL

    /// - Parameter folder: the folder of clips; it need not exist.
    package init(folder: URL) { self.folder = folder }

    /// The clips that lie beside a history.
    package init(beside history: String) {
        self.init(folder: URL(filePath: history).deletingLastPathComponent().appending(path: "clips"))
    }

    /// The names under which clips were recorded.
    package func people() -> [String] { Set(folders().map(\.person)).sorted() }

    /// The files of a person, whatever they are called, relative to the folder of clips.
    package func files(of name: String) -> [String] {
        folders(of: name).flatMap { place in
            contents(place).map { "\(place)/\($0)" }
        }.sorted()
    }

    /// Deletes everything of a person.
    ///
    /// - Returns: the files that there were, relative to the folder of clips.
    /// - Throws: the file system's error.
    @discardableResult
    package func forget(_ name: String) throws -> [String] {
        let (gone, places) = (files(of: name), folders(of: name))
        for place in places {
            try FileManager.default.removeItem(at: folder.appending(path: place))
            // `rmdir` refuses a label's folder that is not empty.
            rmdir(folder.appending(path: place).deletingLastPathComponent().path)
        }
        return gone
    }

    private func folders(of name: String) -> [String] {
        folders().filter { PersonName.areSame($0.person, name) }.map { "\($0.label)/\($0.person)" }
    }

    private func folders() -> [(label: String, person: String)] {
        contents("").flatMap { label in
            contents(label).compactMap { person in
                var isFolder = ObjCBool(false)
                let path = folder.appending(path: "\(label)/\(person)").path
                let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                return exists && isFolder.boolValue ? (label, person) : nil
            }
        }
    }

    /// A folder that cannot be read holds nothing that could be shown.
    private func contents(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + path)) ?? []).sorted()
    }
}
