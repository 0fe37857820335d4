extension AsyncSequence {
    /// Passes every element through a stage that has memory: `stage` may change with each element.
    ///
    /// The one operator of our own. A stage is a plain value or object with a synchronous method, so that tests feed
    /// it arrays; the sequence lives in one task and nothing is shared.
    func scan<Stage, Output>(
        _ stage: Stage, _ step: @escaping (inout Stage, Element) throws -> Output
    ) -> ScanSequence<Self, Stage, Output> {
        ScanSequence(base: self, stage: stage, step: step)
    }
}

/// The sequence behind ``AsyncSequence/scan(_:_:)``.
public struct ScanSequence<Base: AsyncSequence, Stage, Output>: AsyncSequence {
    public typealias Element = Output
    let base: Base
    let stage: Stage
    let step: (inout Stage, Base.Element) throws -> Output

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), stage: stage, step: step)
    }

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
