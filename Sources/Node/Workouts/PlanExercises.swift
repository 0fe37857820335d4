import Actions
import TOMLSettings

/// The exercises that plans may name: those of a model.
public struct PlanExercises: Sendable {
    /// The exercises whose repetitions are counted.
    public let repeated: [String]
    /// Those that are held, such as a plank: they are timed and have no repetitions.
    public let held: [String]

    /// - Parameters:
    ///   - repeated: the exercises whose repetitions are counted.
    ///   - held: those that are only timed.
    public init(repeated: [String], held: [String] = []) {
        (self.repeated, self.held) = (repeated, held)
    }

    /// The exercises of a model.
    public init(_ model: ModelDescription) {
        self.init(repeated: model.repeatedLabels, held: model.heldLabels ?? [])
    }

    /// All of them.
    public var all: [String] { repeated + held }

    /// Why a step cannot have an exercise; `nil` if it can.
    ///
    /// - Parameter counting: the key by which the step needs repetitions; `nil` where it needs none.
    func fault(of action: String, counting: String?) -> String? {
        guard all.contains(action) else {
            let nearest = NearestName.of(action, among: all).map { "; did you mean '\($0)'?" } ?? ""
            return
                "names '\(action)', which is no exercise of the model\(nearest) (it has \(all.joined(separator: ", ")))"
        }
        guard let counting, held.contains(action) else { return nil }
        let advice = counting == "repetitions" ? "give the step seconds, such as seconds = 30" : "leave \(counting) out"
        return "names '\(action)', which is held and has no repetitions: \(advice)"
    }
}
