/// An exercise as people of the made-up gym do it.
struct Movement: Sendable {
    /// The label.
    let label: String
    /// The repetitions of a set; `nil` for what is held.
    let repetitions: ClosedRange<Int>?
    /// The seconds of a repetition, or of a whole set that is held.
    let seconds: ClosedRange<Float>
    /// The weights, kilograms; `nil` without one.
    let loadKg: ClosedRange<Float>?

    static func counted(
        _ label: String, _ repetitions: ClosedRange<Int>, _ seconds: ClosedRange<Float>,
        loadKg: ClosedRange<Float>? = nil
    ) -> Movement {
        Movement(label: label, repetitions: repetitions, seconds: seconds, loadKg: loadKg)
    }

    static func held(_ label: String, _ seconds: ClosedRange<Float>) -> Movement {
        Movement(label: label, repetitions: nil, seconds: seconds, loadKg: nil)
    }
}
