import Foundation
import Records
import TOMLSettings

extension Configuration {
    /// The time zone whose midnights separate the days: that of the configuration, or else the machine's.
    ///
    /// - Parameter environment: may hold `TZ`.
    /// - Throws: ``ConfigurationError/unusable(place:key:reason:)`` where neither has a name in IANA's list.
    public func timeZone(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> TimeZone {
        if let zone = TimeZoneName.zone(node.timeZone) { return zone }
        do { return try TimeZoneName.ofMachine(environment: environment) } catch {
            throw ConfigurationError.unusable(place: "default", key: "node.time_zone", reason: "is empty, and \(error)")
        }
    }
}
