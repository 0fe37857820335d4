extension BinaryInteger {
    /// The number with its noun: `1 session`, `2 sessions`.
    ///
    /// - Parameters:
    ///   - one: the noun for one.
    ///   - many: the plural; `nil` for `one` with an s.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
    }
}
