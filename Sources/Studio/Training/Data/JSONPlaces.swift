/// Where the objects of a JSON list stand in its text, to name the line of a mistake.
struct JSONPlaces {
    /// The begin of each object of the outermost list.
    private var starts: [String.Index] = []
    private let text: String

    /// Finds the objects of a text that is JSON.
    init(_ text: String) {
        self.text = text
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for index in text.indices {
            let letter = text[index]
            if isQuoted {
                if letter == "\"" && !isEscaped { isQuoted = false }
                isEscaped = letter == "\\" && !isEscaped
                continue
            }
            switch letter {
            case "\"": isQuoted = true
            case "[", "{":
                if letter == "{" && depth == 1 { starts.append(index) }
                depth += 1
            case "]", "}": depth -= 1
            default: break
            }
        }
    }

    /// The line and the column, from 1, of a key in an object, or of the object if it has no such key.
    func place(object number: Int, key: String) -> (line: Int, column: Int)? {
        guard starts.indices.contains(number) else { return nil }
        let end = starts.indices.contains(number + 1) ? starts[number + 1] : text.endIndex
        let place = text[starts[number]..<end].firstRange(of: "\"\(key)\"")?.lowerBound ?? starts[number]
        let before = text[..<place]
        let column = before.distance(from: before.lastIndex(where: \.isNewline) ?? before.startIndex, to: place)
        let isFirstLine = !before.contains(where: \.isNewline)
        return (before.count(where: \.isNewline) + 1, isFirstLine ? column + 1 : column)
    }
}
