import Foundation

/// A fenced block of a page of the documentation.
struct DocumentBlock {
    /// What a comment above the fence says of the block.
    enum Note: Equatable {
        case none
        /// No test can run it, for this reason.
        case notRun(String)
        /// A file of the repository that runs it, or compares it with the program.
        case testedBy(String)
    }

    /// Relative to the checkout.
    let page: String
    /// The line of the fence, counted from 1.
    let line: Int
    /// The word behind the fence, such as `sh`.
    let language: String
    /// Without the indentation of the fence.
    let lines: [String]
    let note: Note

    var place: String { "\(page):\(line)" }
    var text: String { lines.joined(separator: "\n") + "\n" }
    /// Whether this suite runs it as a reader would.
    var isRun: Bool { language == "sh" && note == .none }

    /// The commands of a block of the shell. What goes on in the background is joined with the command behind it.
    var commands: [String] {
        var commands: [String] = []
        var begun = ""
        for line in lines where !line.isEmpty && !line.hasPrefix("#") {
            if line.hasSuffix("\\") {
                begun += line.dropLast()
            } else if line.hasSuffix("&") {
                // A person takes a moment for the next command.
                begun += line + " sleep 1; "
            } else {
                commands.append(begun.contains("& sleep") ? "\(begun)\(line); wait" : begun + line)
                begun = ""
            }
        }
        return commands
    }
}

extension DocumentBlock {
    /// Every page, relative to the checkout.
    static let pages: [String] = {
        let files = FileManager.default
        // A folder that is missing shows in the number of pages.
        let top = ((try? files.contentsOfDirectory(atPath: Program.root.path)) ?? [])
        let below = [".github", "Models", "Sources", "Tests", "deploy"].flatMap { folder in
            (files.enumerator(atPath: Program.root.appending(path: folder).path)?.compactMap { $0 as? String } ?? [])
                .map { folder + "/" + $0 }
        }
        return (top + below).filter { $0.hasSuffix(".md") }.sorted()
    }()

    /// Every block of a page.
    static func all(of page: String) throws -> [DocumentBlock] {
        let text = try String(contentsOf: Program.root.appending(path: page), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        var blocks: [DocumentBlock] = []
        var open: (index: Int, indentation: Int, language: String)?
        for (index, line) in lines.enumerated() {
            guard let fence = line.wholeMatch(of: #/(\s*)```(\w*)/#) else { continue }
            guard let start = open else {
                open = (index, fence.1.count, String(fence.2))
                continue
            }
            let inside = lines[(start.index + 1)..<index].map { String($0.dropFirst(start.indentation)) }
            let above = start.index > 0 ? lines[start.index - 1].trimmingCharacters(in: .whitespaces) : ""
            blocks.append(
                DocumentBlock(
                    page: page, line: start.index + 1, language: start.language, lines: inside, note: note(in: above)))
            open = nil
        }
        return blocks
    }

    private static func note(in comment: String) -> Note {
        guard let match = comment.wholeMatch(of: #/<!-- (not run|tested by): (.+) -->/#) else { return .none }
        return match.1 == "not run" ? .notRun(String(match.2)) : .testedBy(String(match.2))
    }
}
