import CTOML

/// A value of a TOML file, and where its key stands.
struct TOMLValue {
    /// What a value is. Tables keep their keys sorted.
    enum Content {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
        /// A date, a time or both.
        case time
        case list([TOMLValue])
        case table([(key: String, value: TOMLValue)])
    }

    /// A line and a column, both from 1; 0 where the file has no word of its own for the value.
    typealias Place = (line: Int, column: Int)

    let place: Place
    let content: Content

    /// A file that is no TOML.
    struct Fault: Error {
        /// `nil` where the parser does not know it.
        let place: Place?
        let reason: String
    }

    /// Reads the outermost table of a file.
    ///
    /// - Throws: ``Fault``.
    static func read(_ text: String) throws(Fault) -> TOMLValue {
        var gathering = Gathering()
        var fault = ctoml_place()
        var reason = [CChar](repeating: 0, count: 256)
        var bytes = Array(text.utf8)[...]
        let isRead = bytes.withUnsafeMutableBytes { bytes in
            withUnsafeMutablePointer(to: &gathering) { gathering in
                ctoml_read(
                    bytes.baseAddress, bytes.count, gathering,
                    { object, value in
                        guard let value else { return }
                        object?.assumingMemoryBound(to: Gathering.self).pointee.take(value.pointee)
                    }, &fault, &reason, reason.count) != 0
            }
        }
        guard isRead else {
            let words = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw Fault(place: fault.line == 0 ? nil : (Int(fault.line), Int(fault.column)), reason: words)
        }
        return TOMLValue(place: (1, 1), content: .table(gathering.outermost))
    }

    /// The values of a table; `nil` for another value.
    var table: [(key: String, value: TOMLValue)]? {
        if case .table(let table) = content { table } else { nil }
    }

    /// The items of a list; `nil` for another value.
    var list: [TOMLValue]? {
        if case .list(let list) = content { list } else { nil }
    }
}

/// Builds the values from the parser's calls.
private struct Gathering {
    /// The tables and lists that are not complete, the innermost last.
    private var open: [(key: String, place: TOMLValue.Place, isTable: Bool, values: [(key: String, value: TOMLValue)])]
    /// The values of the outermost table.
    private(set) var outermost: [(key: String, value: TOMLValue)] = []

    init() { open = [] }

    mutating func take(_ value: ctoml_value) {
        let key = Self.text(value.key, value.key_count)
        let place = (line: Int(value.place.line), column: Int(value.place.column))
        let content: TOMLValue.Content
        switch value.kind {
        case CTOML_TABLE, CTOML_LIST: return open.append((key, place, value.kind == CTOML_TABLE, []))
        case CTOML_END:
            guard let whole = open.popLast() else { return }
            let content = whole.isTable ? TOMLValue.Content.table(whole.values) : .list(whole.values.map(\.value))
            return add(whole.key, TOMLValue(place: whole.place, content: content))
        case CTOML_TEXT: content = .text(Self.text(value.text, value.text_count))
        case CTOML_INTEGER: content = .integer(Int(value.integer))
        case CTOML_NUMBER: content = .number(value.number)
        case CTOML_FLAG: content = .flag(value.integer != 0)
        default: content = .time
        }
        add(key, TOMLValue(place: place, content: content))
    }

    private mutating func add(_ key: String, _ value: TOMLValue) {
        if open.isEmpty { outermost.append((key, value)) } else { open[open.count - 1].values.append((key, value)) }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
