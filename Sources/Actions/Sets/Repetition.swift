/// One repetition: out and back again.
public struct Repetition: Sendable, Equatable {
    /// When the motion leaves its rest, is furthest from it, and is back, in seconds on the source's clock.
    public var start: Double
    public var extreme: Double
    public var end: Double
    /// How well it was done; `nil` while nobody judged it.
    public var form: FormScore?

    public init(start: Double, extreme: Double, end: Double) {
        self.start = start
        self.extreme = extreme
        self.end = end
    }

    public var seconds: Double { end - start }
}
