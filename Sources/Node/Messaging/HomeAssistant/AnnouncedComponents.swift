import Foundation
import Records

/// The components Home Assistant knows, and those that were removed. Home Assistant removes a component only when it is
/// connected, so removed components must be removed again after each of its restarts.
package struct AnnouncedComponents: Codable, Equatable {
    /// The current components by key.
    package private(set) var components: [String: JSONValue] = [:]
    /// The removed components by key.
    package private(set) var removed: [String: JSONValue] = [:]

    /// No components.
    package init() {}

    /// Reads the stored value; an unreadable one counts as empty.
    package init(note: String?) {
        let known = note.flatMap { try? JSONDecoder().decode(AnnouncedComponents.self, from: Data($0.utf8)) }
        self = known ?? AnnouncedComponents()
    }

    /// Replaces the current components.
    ///
    /// - Returns: whether anything changed.
    package mutating func update(to now: [String: JSONValue]) -> Bool {
        guard now != components else { return false }
        for (key, component) in components where now[key] == nil { removed[key] = component }
        for key in now.keys { removed[key] = nil }
        components = now
        return true
    }

    /// The lists of components to publish one after the other. The last one stays.
    ///
    /// - Parameter isBirth: whether Home Assistant has just started. It must then see the removed components once more
    ///   before they can be removed.
    package func steps(afterBirth isBirth: Bool) -> [[String: JSONValue]] {
        guard !removed.isEmpty else { return [components] }
        let gone = removed.mapValues { component in
            JSONValue.object(["platform": component["platform"] ?? .null])
        }
        let farewell = components.merging(gone) { now, _ in now }
        let reunion = components.merging(removed) { now, _ in now }
        return isBirth ? [reunion, farewell, components] : [farewell, components]
    }
}
