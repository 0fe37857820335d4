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
    /// What its poses say of the side that works; `nil` where both sides always do, or too little is seen.
    package var sideEvidence: SideEvidence?
    /// How well it was done; `nil` until it is judged.
    public var form: FormScore?

    /// Creates a repetition that is not judged.
    public init(start: Double, extreme: Double, end: Double) {
        self.start = start
        self.extreme = extreme
        self.end = end
    }

    /// The side that worked; `nil` where both did, and where it cannot be told.
    public var side: BodySide? { measures?[.workingSide]?.side }

    /// The duration in seconds.
    public var seconds: Double { end - start }
}
