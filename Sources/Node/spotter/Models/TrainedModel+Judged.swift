import Actions
import Foundation
import Records
import Training

extension TrainedModel {
    /// Writes a model that was judged, with its name, tool and date. One that is not ready gets a name of its own, so that nobody
    /// takes it for the one that was asked for.
    ///
    /// - Parameters:
    ///   - name: the model's name; `nil` for that of the file.
    /// - Returns: the file.
    /// - Throws: as ``write(to:description:)``.
    func write(to wanted: String, isReady: Bool, name: String? = nil) throws -> String {
        let file = isReady ? wanted : Train.unready(wanted)
        var description = description
        description.name =
            name.map { isReady ? $0 : $0 + ModelDescription.notReady }
            ?? URL(filePath: file).deletingPathExtension().lastPathComponent
        description.tool = "spotter \(Version.text)"
        description.created = Date().formatted(.iso8601.year().month().day())
        try write(to: URL(filePath: file), description: description)
        return file
    }
}
