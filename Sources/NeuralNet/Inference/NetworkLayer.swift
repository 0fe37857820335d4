/// A step of a network, for reports.
package struct NetworkLayer: Sendable {
    /// Its operations and the shape it makes.
    package let name: String
    /// Multiplications by all weights, zero or not.
    package let megaMultiplications: Double
}
