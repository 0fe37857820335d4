/// Reads FIT files, independently of the program: messages as numbers by field.
struct FITReader {
    struct Message: Equatable {
        let number: Int
        /// `nil` for a field whose value is missing.
        let fields: [Int: Int?]
    }

    private(set) var messages: [Message] = []
    /// Whether header and file have the right length and checksums.
    let isWhole: Bool

    init(_ bytes: [UInt8]) {
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        let length = number(4, 4)
        isWhole =
            bytes.count == length + 16 && bytes[0] == 14 && Array(bytes[8..<12]) == Array(".FIT".utf8)
            && Self.remainder(bytes[..<12]) == number(12, 2)
            && Self.remainder(bytes.dropLast(2)) == number(14 + length, 2)
        var definitions: [UInt8: (number: Int, fields: [(number: Int, size: Int, base: UInt8)])] = [:]
        var place = 14
        while place < 14 + length {
            let head = bytes[place]
            place += 1
            if head & 0x40 != 0 {
                let count = Int(bytes[place + 4])
                let fields = (0..<count).map { index -> (number: Int, size: Int, base: UInt8) in
                    let start = place + 5 + 3 * index
                    return (Int(bytes[start]), Int(bytes[start + 1]), bytes[start + 2])
                }
                definitions[head & 15] = (number(place + 2, 2), fields)
                place += 5 + 3 * count
            } else if let definition = definitions[head & 15] {
                var values: [Int: Int?] = [:]
                for field in definition.fields {
                    let value = number(place, min(field.size, 4))
                    let isMissing = field.base != 7 && field.base != 0x8C && value == (1 << (8 * field.size)) - 1
                    values[field.number] = .some(isMissing ? nil : value)
                    place += field.size
                }
                messages.append(Message(number: definition.number, fields: values))
            } else {
                break
            }
        }
    }

    /// The checksum by long division, bit by bit, of the reversed polynomial.
    private static func remainder(_ bytes: some Sequence<UInt8>) -> Int {
        var sum = 0
        for byte in bytes {
            for bit in 0..<8 {
                let isOdd = (sum ^ Int(byte) >> bit) & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xA001 }
            }
        }
        return sum
    }
}
