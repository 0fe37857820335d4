import Foundation
import History
import Records

extension HistoryQuery {
    /// The time zone of times and days for people: the gym's, or before a node has run, the machine's.
    func zone() throws -> TimeZone { try timeZone() ?? TimeZoneName.ofMachine() }
}
