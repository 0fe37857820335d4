import Foundation

/// What Home Assistant was told there is, and what there was: it takes a component off only when told to while it is
/// connected, so what is gone has to be taken off again after each of its births.
package struct AnnouncedComponents: Codable, Equatable {
    package private(set) var components: [String: JSONValue] = [:]
    package private(set) var removed: [String: JSONValue] = [:]

    package init() {}

    /// What was written down; an unreadable note is none.
    package init(note: String?) {
        let known = note.flatMap { try? JSONDecoder().decode(AnnouncedComponents.self, from: Data($0.utf8)) }
        self = known ?? AnnouncedComponents()
    }

    /// Takes note of what there is now.
    ///
    /// - Returns: whether anything changed.
    package mutating func update(to now: [String: JSONValue]) -> Bool {
        guard now != components else { return false }
        for (key, component) in components where now[key] == nil { removed[key] = component }
        for key in now.keys { removed[key] = nil }
        components = now
        return true
    }

    /// The lists of components to send one after the other, the last of them the one that stays.
    ///
    /// - Parameter isBirth: Home Assistant just started: it has to meet what is gone once more before it can be told
    ///   that it is gone.
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
