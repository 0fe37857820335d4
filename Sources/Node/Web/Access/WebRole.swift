/// What a person may do on the node's page. Each role may do all that those before it may.
package enum WebRole: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable, Comparable {
    /// Looks at the screen for the wall, and at nothing else.
    case wall
    /// Looks at the cameras' skeletons and the history, without anybody's name.
    case viewer
    /// Also sees names and pain, switches cameras, deletes sessions and reads the log.
    case `operator`

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: WebRole, other: WebRole) -> Bool { one.rank < other.rank }
}
