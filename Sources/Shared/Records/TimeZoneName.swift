import Foundation

/// Time zones by their names in IANA's list, which nodes, receivers and databases share.
///
/// Foundation knows more: abbreviations (`PST`), offsets (`UTC+2`) and names of other lists. A receiver such as PostgreSQL
/// would take them for something else, or not know them.
package enum TimeZoneName {
    /// Where a system keeps the list.
    private static let folder = "/usr/share/zoneinfo"

    /// The zone of a name; `nil` if IANA's list has no such name.
    ///
    /// A name that the list keeps for old programs only, such as `US/Pacific`, gives the zone by its present name.
    package static func zone(_ name: String) -> TimeZone? {
        list.present(name).flatMap(TimeZone.init(identifier:))
    }

    /// The present names, for a suggestion.
    package static var known: [String] { list.present.sorted() }

    private static let list = List(
        table: try? String(contentsOfFile: folder + "/tzdata.zi", encoding: .utf8),
        countries: ["zone.tab", "zone1970.tab"].compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        },
        fallback: TimeZone.knownTimeZoneIdentifiers)

    /// The zone of this machine.
    ///
    /// - Parameter environment: `TZ` is a name, with or without a colon or the path of the list; empty is UTC.
    /// - Throws: ``Unreadable`` for a rule such as `CET-1CEST`, and for a file in place of a name.
    package static func ofMachine(
        environment: [String: String] = ProcessInfo.processInfo.environment, localTime: String = "/etc/localtime",
        written: String = "/etc/timezone"
    ) throws -> TimeZone {
        if let text = environment["TZ"] {
            if let zone = zone(atPath: text.hasPrefix(":") ? String(text.dropFirst()) : text) { return zone }
            throw Unreadable(source: "the environment variable TZ", text: text)
        }
        guard FileManager.default.fileExists(atPath: localTime) else { return utc }
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: localTime)
        if let link, let zone = zone(atPath: link) { return zone }
        // A copied file has no name. Debian writes it down beside it.
        let text = try? String(contentsOfFile: written, encoding: .utf8)
        if let zone = text.flatMap({ zone(atPath: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }) { return zone }
        throw Unreadable(source: localTime, text: link)
    }

    /// What the system's zone is where it has none: UTC.
    package static let utc = TimeZone(identifier: "Etc/UTC") ?? .gmt

    private static func zone(atPath path: String) -> TimeZone? {
        guard !path.isEmpty else { return utc }
        guard let range = path.range(of: "/zoneinfo/") else { return zone(path) }
        return zone(String(path[range.upperBound...]))
    }

    /// The machine's zone has no name in IANA's list.
    package struct Unreadable: Error, CustomStringConvertible {
        let source: String
        let text: String?

        package var description: String {
            "the machine's time zone has no name: \(source) "
                + (text.map { "is '\($0)'" } ?? "is a file without a name")
                + ". Set node.time_zone to a name such as \"Europe/Berlin\"; `timedatectl list-timezones` lists them."
        }
    }

    /// IANA's list as a system stores it.
    struct List {
        /// The names in use.
        let present: Set<String>
        /// The present name of each old one.
        private let links: [String: String]

        /// - Parameters:
        ///   - table: the list's zones (`Z NAME …`) and links (`L TARGET NAME`), the file `tzdata.zi`.
        ///   - countries: the lists of names by country, whose third column is a name.
        ///   - fallback: the names where there is no such file.
        init(table: String?, countries: [String], fallback: [String]) {
            var names: Set<String> = ["Etc/UTC"]
            var links = ["UTC": "Etc/UTC", "GMT": "Etc/UTC"]
            for line in (table ?? "").split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words.count > 1, words[0] == "Z", words[1] != "Factory" { names.insert(String(words[1])) }
                if words.count > 2, words[0] == "L" { links[String(words[2])] = String(words[1]) }
            }
            for line in countries.joined(separator: "\n").split(separator: "\n") where !line.hasPrefix("#") {
                let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
                if columns.count > 2 { names.insert(String(columns[2])) }
            }
            if table == nil { names.formUnion(fallback.filter { $0.contains("/") }) }
            (present, self.links) = (names, links)
        }

        /// The present name of a name; `nil` if it is in no list.
        func present(_ name: String) -> String? {
            if present.contains(name) { return name }
            guard let target = links[name] else { return nil }
            return present.contains(target) ? target : links[target]
        }
    }
}
