import Foundation
import Records
import Testing

struct TimeZoneNameTests {
    @Test(arguments: ["Europe/Berlin", "Asia/Kathmandu", "America/Argentina/Buenos_Aires", "Etc/UTC", "Europe/Oslo"])
    func `a name in use stays as it is`(_ name: String) {
        #expect(TimeZoneName.zone(name)?.identifier == name)
    }

    @Test(arguments: [
        ("UTC", "Etc/UTC"), ("Zulu", "Etc/UTC"), ("US/Pacific", "America/Los_Angeles"),
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("Asia/Saigon", "Asia/Ho_Chi_Minh"), ("W-SU", "Europe/Moscow"),
    ])
    func `an old name gives the present one, which every list has`(_ old: String, _ present: String) {
        #expect(TimeZoneName.zone(old)?.identifier == present)
    }

    @Test(arguments: [
        "UTC+2", "GMT+2", "PST", "IST", "BST", "CEST", "+02:00", "Europe/berlin", "Berlin", "CET-1CEST", "posixrules",
        "",
        "right/Europe/Berlin", "SystemV/PST8PDT", "Factory", "localtime", "../Europe/Berlin", " Europe/Berlin",
    ])
    func `what is no name of IANA's list is no zone`(_ text: String) { #expect(TimeZoneName.zone(text) == nil) }

    @Test(
        arguments: [
            ("Europe/Paris", "Europe/Paris"), (":Europe/Paris", "Europe/Paris"), ("", "Etc/UTC"), (":", "Etc/UTC"),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
            ("UTC", "Etc/UTC"), ("UTC0", nil), ("CET-1CEST", nil), ("<+03>-3", nil),
            ("CET-1CEST,M3.5.0,M10.5.0/3", nil),
            (":/tmp/zone", nil), ("EST5EDT4,M3.2.0", nil),
        ] as [(String, String?)])
    func `TZ is a name in any form, or an error`(_ text: String, _ name: String?) {
        let zone = try? TimeZoneName.ofMachine(environment: ["TZ": text])
        #expect(zone?.identifier == name, "\(text)")
        if name == nil {
            let error = #expect(throws: TimeZoneName.Unreadable.self) {
                try TimeZoneName.ofMachine(environment: ["TZ": text])
            }
            #expect(error?.description.contains("node.time_zone") == true && error?.description.contains(text) == true)
        }
    }

    @Test func `the machine's zone is the name behind its link, or what Debian wrote down`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spotter-zone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (link, written) = (folder.appending(path: "localtime").path, folder.appending(path: "timezone").path)
        func zone() throws -> String {
            try TimeZoneName.ofMachine(environment: [:], localTime: link, written: written).identifier
        }
        #expect(try zone() == "Etc/UTC", "a machine without a zone keeps UTC")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/usr/share/zoneinfo/Asia/Tokyo")
        #expect(try zone() == "Asia/Tokyo")
        try FileManager.default.removeItem(atPath: link)
        try Data("TZif".utf8).write(to: URL(filePath: link))
        #expect(throws: TimeZoneName.Unreadable.self) { try zone() }
        try Data("Europe/Rome\n".utf8).write(to: URL(filePath: written))
        #expect(try zone() == "Europe/Rome")
    }

    /// Days around a change of the clock, with zones that change at midnight.
    @Test(arguments: [
        ("Africa/Cairo", "2026-04-24"), ("America/Santiago", "2026-09-06"), ("Asia/Beirut", "2026-03-29"),
        ("America/Asuncion", "2023-10-01"), ("America/Havana", "2026-03-08"), ("Atlantic/Azores", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("Australia/Lord_Howe", "2026-10-04"),
        ("Asia/Kathmandu", "2026-06-01"), ("Pacific/Apia", "2011-12-31"), ("America/Sao_Paulo", "2018-11-04"),
    ])
    func `a day ends where the next begins`(_ name: String, _ text: String) throws {
        let calendar = Calendar.gregorian(in: try #require(TimeZoneName.zone(name)))
        let day = try #require(calendar.date(ofDay: text))
        #expect(
            calendar.dayText(of: day) == text && calendar.dayText(of: day - 1) != text,
            "it begins with its first moment")
        let end = calendar.endOfDay(day)
        #expect(calendar.dayText(of: end - 1) == text && calendar.dayText(of: end) != text)
        #expect(calendar.startOfDay(for: end) == end)
        #expect((23...25).contains(end.timeIntervalSince(day) / 3600))
    }
}
