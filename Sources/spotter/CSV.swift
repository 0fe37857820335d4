import Foundation

/// Comma-separated values as RFC 4180 has them.
enum CSV {
    /// A cell with a comma, a quote or a line break stands in quotes.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }

    /// Reads line after line.
    struct Reader {
        private let bytes: Data
        private var place: Int

        init(_ bytes: Data) {
            self.bytes = bytes
            place = bytes.startIndex
            // What spreadsheets put before UTF-8.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place += 3 }
        }

        /// The next line's cells; `nil` at the end. Empty lines are passed over.
        mutating func next() -> [String]? {
            while place < bytes.endIndex {
                let cells = line()
                if cells != [""] { return cells }
            }
            return nil
        }

        private mutating func line() -> [String] {
            var cells: [String] = []
            var cell: [UInt8] = []
            var isQuoted = false
            func end() { cells.append(String(decoding: cell, as: UTF8.self)) }
            while place < bytes.endIndex {
                let byte = bytes[place]
                place += 1
                switch byte {
                case UInt8(ascii: "\"") where isQuoted && place < bytes.endIndex && bytes[place] == byte:
                    cell.append(byte)
                    place += 1
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: ",") where !isQuoted:
                    end()
                    cell = []
                case UInt8(ascii: "\r") where !isQuoted: break
                case UInt8(ascii: "\n") where !isQuoted:
                    end()
                    return cells
                default: cell.append(byte)
                }
            }
            end()
            return cells
        }
    }
}
