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
    ///   - isForced: whether the file gets the wanted name in any case. The model's name still says that it is not ready.
    /// - Returns: the file.
    /// - Throws: as ``write(to:description:)``.
    func write(to wanted: String, isReady: Bool, name: String? = nil, isForced: Bool = false) throws -> String {
        let file = isReady || isForced ? wanted : Train.unready(wanted)
        var description = description
        description.name = name ?? URL(filePath: wanted).deletingPathExtension().lastPathComponent
        if !isReady { description.name += ModelDescription.notReady }
        description.tool = "spotter \(Version.text)"
        description.created = Date().formatted(.iso8601.year().month().day())
        try write(to: URL(filePath: file), description: description)
        return file
    }
}
