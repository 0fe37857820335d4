/// One repetition: out and back again.
public struct Repetition: Sendable, Equatable {
    /// When the motion leaves its rest, in seconds on the source's clock.
    public var start: Double
    /// When the motion is furthest from its rest, in seconds on the source's clock.
    public var extreme: Double
    /// When the motion is back at rest, in seconds on the source's clock.
    public var end: Double
    /// What was measured in it; `nil` until it is judged.
    public var measures: RepetitionMeasures?
    /// How well it was done; `nil` until it is judged.
    public var form: FormScore?

    /// Creates a repetition that is not judged.
    public init(start: Double, extreme: Double, end: Double) {
        self.start = start
        self.extreme = extreme
        self.end = end
    }

    /// The duration in seconds.
    public var seconds: Double { end - start }
}
