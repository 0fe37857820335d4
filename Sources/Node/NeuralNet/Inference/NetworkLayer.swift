/// A step of a network, for reports.
package struct NetworkLayer: Sendable {
    /// The step's operations and its output shape.
    package let name: String
    /// Multiplications in millions, by all weights including zeros.
    package let megaMultiplications: Double
}
