import Foundation

extension Doctor {
    /// Whether the one who runs the node may open its cameras; for root that is the service's user.
    static func permissions(_ configuration: Configuration) -> [DiagnosticResult] {
        let devices = configuration.cameras.filter { $0.enabled && $0.source.hasPrefix("/dev/") }.map(\.source)
        let account = getuid() == 0 ? Account(named: "spotter") ?? Account.current : Account.current
        return devices.compactMap { device in
            var facts = stat()
            // A camera that is not there is told of elsewhere.
            guard stat(device, &facts) == 0 else { return nil }
            let subject = "permissions"
            if account.mayReadAndWrite(facts) { return .good(subject, "\(account.name) may open \(device)") }
            let group = getgrgid(facts.st_gid).flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
            let name = group ?? "\(facts.st_gid)"
            return .bad(
                subject, "\(account.name) may not open \(device), which is for the group \(name)",
                advice: "sudo usermod -aG \(name) \(account.name), then start again")
        }
    }
}

/// A user and the groups it is in.
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

    package func mayReadAndWrite(_ file: stat) -> Bool {
        if id == 0 { return true }
        let shift: mode_t = file.st_uid == id ? 6 : groups.contains(file.st_gid) ? 3 : 0
        return (file.st_mode >> shift) & 0o6 == 0o6
    }
}
