import Configuration
import Foundation

extension Doctor {
    /// Whether the current user may open the configured cameras; for root, whether the service's user `spotter` may.
    static func permissions(_ configuration: Configuration) -> [DiagnosticResult] {
        let devices = configuration.cameras.filter { $0.enabled && $0.source.hasPrefix("/dev/") }.map(\.source)
        let account = getuid() == 0 ? Account(named: "spotter") ?? Account.current : Account.current
        return devices.compactMap { device in
            var facts = stat()
            // The camera check reports a missing device.
            guard stat(device, &facts) == 0 else { return nil }
            let subject = "permissions"
            if account.mayReadAndWrite(facts) { return .good(subject, "\(account.name) may open \(device)") }
            let group = getgrgid(facts.st_gid).flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
            let name = group ?? "\(facts.st_gid)"
            return .bad(
                subject, "\(account.name) may not open \(device), which belongs to the group \(name)",
                advice: "sudo usermod -aG \(name) \(account.name), then start again")
        }
    }
}

/// A user and their groups.
package struct Account {
    let name: String
    let id: uid_t
    let groups: [gid_t]

    init?(named name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.init(entry.pointee)
    }

    static var current: Account {
        guard let entry = getpwuid(getuid()) else {
            return Account(name: "\(getuid())", id: getuid(), groups: [getgid()])
        }
        return Account(entry.pointee)
    }

    /// Creates an account from given values, for tests and for users without a passwd entry.
    package init(name: String, id: uid_t, groups: [gid_t]) {
        self.name = name
        self.id = id
        self.groups = groups
    }

    private init(_ entry: passwd) {
        var count: Int32 = 64
        var groups = [gid_t](repeating: 0, count: Int(count))
        if getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count) < 0 { count = 64 }
        self.init(name: String(cString: entry.pw_name), id: entry.pw_uid, groups: Array(groups.prefix(Int(count))))
    }

    /// Whether the file's owner, group or other permissions grant reading and writing; always `true` for root.
    package func mayReadAndWrite(_ file: stat) -> Bool {
        if id == 0 { return true }
        let shift: mode_t = file.st_uid == id ? 6 : groups.contains(file.st_gid) ? 3 : 0
        return (file.st_mode >> shift) & 0o6 == 0o6
    }
}
