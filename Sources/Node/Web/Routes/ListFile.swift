import Foundation
import HTTPServing
import History
import Records

// Lists as files of comma-separated values.

extension HTTPResponse {
    /// The most rows of one file.
    static let maximumFileRows = 50_000

    /// A file of comma-separated values, to be saved.
    ///
    /// - Throws: ``WebFailure`` where there are more rows than a file has: it would end before its end.
    init<Row>(
        csv columns: CSVColumns<Row>, of answer: (rows: [Row], count: RowCount), name: String, zone: TimeZone
    ) throws {
        guard answer.count.shown < Self.maximumFileRows || !answer.count.isCut else {
            throw WebFailure(
                .badRequest, "too_many_rows",
                "There are more than \(Self.maximumFileRows) rows, too many for one file: choose a shorter time."
            )
        }
        var text = CSV.line(columns.names) + "\n"
        for row in answer.rows { for line in columns.lines(row) { text += CSV.line(line) + "\n" } }
        var headers = WebResponse.headers(type: "text/csv; charset=utf-8")
        let day = Timestamp.text(milliseconds: Timestamp.milliseconds(Date()), in: zone).prefix(10)
        headers["Content-Disposition"] = "attachment; filename=\"spotter-\(name)-\(day).csv\""
        self.init(.ok, headers: headers, body: Data(text.utf8))
    }
}

extension WebRequest {
    /// Whether an address asks for a file of comma-separated values: `format=csv`.
    func asksForCSV() throws -> Bool {
        switch query("format") {
        case nil, "json": return false
        case "csv": return true
        default: throw WebFailure.invalid("format", "json or csv")
        }
    }
}
