extension AsyncSequence {
    /// Passes every element through a stage with memory: `step` may change `stage` with each element.
    ///
    /// A stage is a plain value or object with synchronous methods, so tests feed it arrays. The sequence is used by
    /// one task, so the stage is not shared.
    func scan<Stage, Output>(
        _ stage: Stage, _ step: @escaping (inout Stage, Element) throws -> Output
    ) -> ScanSequence<Self, Stage, Output> {
        ScanSequence(base: self, stage: stage, step: step)
    }
}

/// The result of `AsyncSequence.scan(_:_:)`.
public struct ScanSequence<Base: AsyncSequence, Stage, Output>: AsyncSequence {
    /// The output of the stage.
    public typealias Element = Output
    let base: Base
    let stage: Stage
    let step: (inout Stage, Base.Element) throws -> Output

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), stage: stage, step: step)
    }

    /// Applies the stage to each element of the base sequence.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var stage: Stage
        let step: (inout Stage, Base.Element) throws -> Output

        public mutating func next() async throws -> Output? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Output? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            return try step(&stage, element)
        }
    }
}
