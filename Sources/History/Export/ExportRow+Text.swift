import Foundation

/// A row as text: one JSON object, or one line of comma-separated values.
extension ExportRow {
    /// The row as a JSON object on one line: `{"id":…}`, with the columns in the table's order. Absent values are left
    /// out.
    ///
    /// - Parameter named: whether the object begins with `"table":"…"`, for files with rows of several tables.
    public func json(named: Bool) -> String {
        var fields = named ? ["\"table\":\"\(table.rawValue)\""] : []
        for (column, value) in zip(table.columns, values) {
            guard let text = value.json else { continue }
            fields.append("\"\(column.name)\":\(text)")
        }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// Parses a line written by ``json(named:)`` with the table's name.
    ///
    /// - Throws: ``ImportError`` when the line is no row of an export.
    public init(jsonLine line: Data) throws {
        let fields = try Self.fields(line)
        guard case .text(let name)? = fields["table"], let table = ExportTable(rawValue: name) else {
            throw ImportError("a line names no table of an export")
        }
        self.init(table, fields: fields)
    }

    /// Creates a row from values by column.
    ///
    /// - Parameter fields: values by column name; names that are no columns of the table are ignored.
    public init(_ table: ExportTable, fields: [String: ExportValue]) {
        let values = table.columns.map { column -> ExportValue in
            // JSON does not distinguish 30 from 30.0.
            if column.kind == .number, case .integer(let number)? = fields[column.name] {
                return .number(Double(number))
            }
            return fields[column.name] ?? .none
        }
        self.init(table, values)
    }

    /// The row as the cells of a line of comma-separated values.
    public var cells: [String] {
        values.map { value in
            switch value {
            case .none: ""
            case .text(let text): text
            case .integer(let number): String(number)
            case .number(let number): "\(number)"
            }
        }
    }

    /// Parses the cells of a line of comma-separated values.
    ///
    /// - Parameters:
    ///   - cells: the cells of one line.
    ///   - header: the names of their columns.
    /// - Throws: ``ImportError`` when a number cannot be parsed, or when the counts differ.
    public init(_ table: ExportTable, cells: [String], header: [String]) throws {
        guard cells.count == header.count else {
            throw ImportError("a line of \(table.rawValue) has \(cells.count) cells instead of \(header.count)")
        }
        let texts = Dictionary(zip(header, cells), uniquingKeysWith: { first, _ in first })
        let values = try table.columns.map { try $0.value(texts[$0.name] ?? "", in: table) }
        self.init(table, values)
    }

    private static func fields(_ line: Data) throws -> [String: ExportValue] {
        do {
            return try JSONDecoder().decode([String: ExportValue].self, from: line)
        } catch {
            throw ImportError("a line is no JSON object of texts and numbers")
        }
    }
}

extension ExportTable.Column {
    fileprivate func value(_ text: String, in table: ExportTable) throws -> ExportValue {
        if text.isEmpty { return isOptional ? .none : .text("") }
        switch kind {
        case .text, .moment: return .text(text)
        case .integer: if let number = Int64(text) { return .integer(number) }
        case .number: if let number = Double(text) { return .number(number) }
        }
        throw ImportError("'\(text.prefix(40))' as \(name) of a row of \(table.rawValue) is no number")
    }
}

extension ExportValue: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// The value as JSON; `nil` when absent.
    fileprivate var json: String? {
        switch self {
        case .none: nil
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .text(let text): Self.quoted(text)
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
