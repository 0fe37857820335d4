import TOMLSettings

/// The names that people may ask for.
public struct HistoryNames: Sendable, Equatable {
    /// The labels of actions.
    public var labels: [String]
    /// The cameras' ids.
    public var cameras: [String]
    /// The zones.
    public var zones: [String]

    /// Creates a list of names.
    public init(labels: [String], cameras: [String], zones: [String]) {
        (self.labels, self.cameras, self.zones) = (labels, cameras, zones)
    }
}

extension HistoryFilter {
    /// The filter with its camera, action and zone as they are written, in whatever letter case they were typed.
    ///
    /// - Parameters:
    ///   - query: knows the names of the history.
    ///   - others: the names that are known besides. They are asked for only where the history does not know one.
    /// - Throws: `KnownName.Unknown` for a name that nothing is known of: with the nearest one, because it is mostly mistyped;
    ///   ``HistoryError``.
    package func resolved(_ query: HistoryQuery, besides others: () -> HistoryNames) throws -> HistoryFilter {
        guard camera != nil || action != nil || zone != nil else { return self }
        let stored = try query.storedNames()
        let isStored =
            (camera.map(stored.cameras.contains) ?? true) && (action.map(stored.labels.contains) ?? true)
            && (zone.map(stored.zones.contains) ?? true)
        if isStored { return self }
        let others = others()
        var filter = self
        filter.camera = try camera.map {
            try KnownName.resolve($0, kind: "camera", among: stored.cameras + others.cameras)
        }
        filter.action = try action.map {
            try KnownName.resolve($0, kind: "action", among: stored.labels + others.labels)
        }
        filter.zone = try zone.map { try KnownName.resolve($0, kind: "zone", among: stored.zones + others.zones) }
        return filter
    }
}
