/// How long a text may be that is stored and that leaves with an export.
///
/// The code that lets such a text in asks its limit, and so does an import. So what was accepted once can always be exported
/// and imported again.
public struct TextLimit: Sendable {
    /// The most bytes in UTF-8.
    public let bytes: Int
    private let allowsLines: Bool

    private init(bytes: Int, allowsLines: Bool = false) {
        self.bytes = bytes
        self.allowsLines = allowsLines
    }

    /// An id, a camera, an exercise, a zone, the id of a plan.
    public static let word = TextLimit(bytes: 128)
    /// The name of a model and the start of its digest. The name comes from a file.
    public static let model = TextLimit(bytes: 512)
    /// A name that a person typed: up to 40 characters, which `PersonName` counts.
    public static let name = TextLimit(bytes: 160)
    /// The name of a plan.
    public static let title = TextLimit(bytes: 200)
    /// The description of a plan.
    public static let paragraph = TextLimit(bytes: 4000, allowsLines: true)
    /// What a rule file says about a fault, with places for the value and the limit.
    public static let cueRule = TextLimit(bytes: 200)
    /// What is said in a workout: ``cueRule`` with its values.
    public static let cue = TextLimit(bytes: 2000)
    /// A document in JSON: a plan, or what was measured and said in a step.
    public static let document = TextLimit(bytes: 4 << 20)

    /// What is wrong with a text, as the end of a sentence; `nil` for nothing.
    public func fault(of text: String) -> String? {
        let count = text.utf8.count
        if count > bytes { return "has \(count) bytes; at most \(bytes) are taken" }
        if count == 0 { return "is empty" }
        return hasControls(text) ? "has a control character" : nil
    }

    /// Most texts are ASCII, whose controls are seen without decoding.
    private func hasControls(_ text: String) -> Bool {
        var isPlain = true
        for byte in text.utf8 {
            if byte >= 0x80 { isPlain = false }
            guard byte < 0x20 || byte == 0x7F else { continue }
            guard allowsLines, byte == 0x0A || byte == 0x0D || byte == 0x09 else { return true }
        }
        return !isPlain && text.unicodeScalars.contains { (0x80..<0xA0).contains($0.value) }
    }
}
