import Configuration
import Foundation
import History
import Records

extension Doctor {
    static func database(_ configuration: Configuration) -> [DiagnosticResult] {
        let path = configuration.history.path
        guard FileManager.default.fileExists(atPath: path) else {
            let folder = nearestFolder(of: path)
            return access(folder, W_OK) == 0
                ? [.good("database", "none yet; \(path) is made by the first run")]
                : [.bad("database", "no \(path), and no permission to look or write in \(folder)", advice: advice)]
        }
        if let (files, owner) = DatabaseFiles.ofRoot(path) {
            let names = files.map { URL(filePath: $0).lastPathComponent }.joined(separator: ", ")
            return [
                .bad(
                    "database", "\(names) in \(nearestFolder(of: path)) belongs to root, so \(owner) cannot write it",
                    advice: "sudo chown \(owner): \(path)*")
            ]
        }
        guard access(path, R_OK) == 0 else {
            return [.bad("database", "no permission to read \(path)", advice: advice)]
        }
        do {
            let summary = try HistoryQuery(path: path).summary()
            let origin = summary.madeUp == true ? ", made up by spotter setup --demo" : ""
            return [
                .good(
                    "database",
                    "\(path): \(summary.sessions.counted("session")), \(summary.lastSeq.counted("record"))\(origin)")
            ]
        } catch {
            return [.bad("database", error)]
        }
    }

    private static let advice = "run as the service's user: sudo -u spotter spotter doctor"

    static func running(_ configuration: Configuration) -> [DiagnosticResult] {
        guard let holder = Store.holder(of: configuration.history.path) else {
            return [.unknown("running", "no node writes this history", advice: "systemctl start spotter")]
        }
        return [.good("running", "process \(holder)")]
    }
}
