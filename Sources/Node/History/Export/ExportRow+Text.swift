import Foundation

/// A row as text: one JSON object, or one line of comma-separated values.
extension ExportRow {
    /// The row as a JSON object on one line: `{"id":…}`, with the columns in the table's order. Absent values are left
    /// out.
    ///
    /// - Parameter named: whether the object begins with `"table":"…"`, for files with rows of several tables.
    public func json(named: Bool) -> String {
        var bytes: [UInt8] = []
        append(toJSON: &bytes, named: named)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the row as ``json(named:)``.
    public func append(toJSON bytes: inout [UInt8], named: Bool) {
        bytes.append(UInt8(ascii: "{"))
        if named {
            bytes.append(contentsOf: "\"table\":\"".utf8)
            bytes.append(contentsOf: table.rawValue.utf8)
            bytes.append(UInt8(ascii: "\""))
        }
        var isFirst = !named
        for (column, value) in zip(table.columns, values) where value != .none {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: column.name.utf8)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
            value.append(toJSON: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Parses a line written by ``json(named:)`` with the table's name.
    ///
    /// - Throws: ``ImportError`` when the line is no row of an export.
    public init(jsonLine line: Data) throws {
        self = try Array(line).withUnsafeBufferPointer { try ExportRow(jsonBytes: $0) }
    }

    /// Parses the bytes of a JSON object, such as a line written by ``json(named:)``.
    ///
    /// - Parameter table: the table of the row; `nil` where the object names it.
    /// - Throws: ``ImportError`` when it is no row of an export.
    public init(jsonBytes bytes: UnsafeBufferPointer<UInt8>, of table: ExportTable? = nil) throws {
        var fields: [(name: String, value: ExportValue)] = []
        fields.reserveCapacity(16)
        var reader = FlatJSON(bytes)
        do { try reader.read { fields.append(($0, $1)) } } catch {
            throw ImportError("a line is no JSON object of texts and numbers")
        }
        let named: ExportTable?
        if let table {
            named = table
        } else if case .text(let name)? = fields.last(where: { $0.name == "table" })?.value {
            named = ExportTable(rawValue: name)
        } else {
            named = nil
        }
        guard let named else { throw ImportError("a line names no table of an export") }
        self.init(named, inOrder: fields)
    }

    /// A row of named values. They mostly come in the order of the columns, so each is looked for after the one before.
    private init(_ table: ExportTable, inOrder fields: [(name: String, value: ExportValue)]) {
        let columns = table.columns
        var values = [ExportValue](repeating: .none, count: columns.count)
        var next = 0
        for (name, value) in fields {
            let found = (0..<columns.count).lazy.map { (next + $0) % columns.count }.first { columns[$0].name == name }
            guard let place = found else { continue }
            values[place] = columns[place].converted(value)
            next = place + 1
        }
        self.init(table, values)
    }

    /// Creates a row from values by column.
    ///
    /// - Parameter fields: values by column name; names that are no columns of the table are ignored.
    public init(_ table: ExportTable, fields: [String: ExportValue]) {
        self.init(table, table.columns.map { $0.converted(fields[$0.name] ?? .none) })
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

    /// JSON does not distinguish 30 from 30.0.
    fileprivate func converted(_ value: ExportValue) -> ExportValue {
        if kind == .number, case .integer(let number) = value { return .number(Double(number)) }
        return value
    }
}

extension ExportValue {
    /// Appends the value as JSON. DEL and the C1 controls, which some terminals obey, are escaped as well.
    fileprivate func append(toJSON bytes: inout [UInt8]) {
        switch self {
        case .none: bytes.append(contentsOf: "null".utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .number(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .text(let text): Self.append(text, toJSON: &bytes)
        }
    }

    private static func append(_ text: String, toJSON bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars {
                switch scalar.value {
                case 0x22, 0x5C: bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
                case 0..<0x20, 0x7F..<0xA0: bytes.append(contentsOf: String(format: "\\u%04x", scalar.value).utf8)
                default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
