/// What somebody may do on the node's page. An operator may do all that a viewer may.
package enum WebRole: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable, Comparable {
    /// Looks at the cameras' skeletons and the history.
    case viewer
    /// Also switches cameras, deletes sessions and reads the log.
    case `operator`

    package static func < (one: WebRole, other: WebRole) -> Bool { one == .viewer && other == .operator }
}
