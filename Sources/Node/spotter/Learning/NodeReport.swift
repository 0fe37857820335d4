import Foundation
import History
import Records

/// How often a node is right: everything, and by camera, label and month.
struct NodeReport: Encodable {
    let node: String
    /// The last so many weeks, the present one included; the months are all.
    let weeks: Int
    let accuracy: Accuracy
    let byCamera, byLabel, byMonth: [Accuracy]

    enum CodingKeys: String, CodingKey {
        case node, weeks, accuracy
        case byCamera = "by_camera"
        case byLabel = "by_label"
        case byMonth = "by_month"
    }

    /// - Throws: `HistoryError`.
    init(_ query: HistoryQuery, weeks: Int) throws {
        node = try query.summary().node
        self.weeks = weeks
        let sample = try query.accuracySample()
        accuracy = sample.rows(weeks: weeks)[0]
        byCamera = sample.rows(by: .camera, weeks: weeks)
        byLabel = sample.rows(by: .label, weeks: weeks)
        byMonth = sample.rows(by: .month)
    }

    /// The lines to print.
    var lines: [String] {
        let head = "\(node), the last \(weeks.counted("week"))"
        let parts: [(Accuracy.Grouping, [Accuracy])] = [(.camera, byCamera), (.label, byLabel), (.month, byMonth)]
        var lines = [head] + (accuracy.right == nil ? [AccuracyText.tooFew] : AccuracyText.sentences(accuracy))
        for (grouping, rows) in parts where !rows.isEmpty { lines += [""] + AccuracyText.table(rows, by: grouping) }
        return lines
    }
}
