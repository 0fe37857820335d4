import Actions
import Foundation
import NeuralNet
import Records
import Testing

/// The catalogue of exercises, and a classifier that recognises only some of its model's.
@Suite struct ExerciseTests {
    @Test func `every exercise has a label, a name and a sentence of its own`() {
        #expect(Exercise.all.count >= 30)
        #expect(Set(Exercise.all.map(\.label)).count == Exercise.all.count)
        #expect(Set(Exercise.all.map(\.name)).count == Exercise.all.count)
        for exercise in Exercise.all {
            #expect(exercise.label.allSatisfy { $0.isLowercase || $0 == "_" }, "\(exercise.label)")
            #expect(
                exercise.definition.first?.isUppercase == true && exercise.definition.hasSuffix("."),
                "\(exercise.label)")
            #expect(Exercise.named(exercise.label)?.name == exercise.name)
        }
        #expect(Exercise.named("other") == nil)
    }

    private func file(_ probabilities: [Float], labels: [String] = ["squat", "row", "other", "none"]) throws
        -> ModelFile
    {
        var example = ModelFileExample(labels: labels, biases: probabilities.map { Float.logarithm($0) })
        example.description.countedLabels = labels.filter { !ModelDescription.noExercise.contains($0) }
        example.description.heldLabels = labels.contains("plank") ? ["plank"] : nil
        return try ModelFile(data: example.encoded(), file: "example")
    }

    @Test func `an exercise that is not wanted counts as other`() throws {
        let file = try file([0.1, 0.7, 0.15, 0.05])
        #expect(try ActionClassifier(file).predict(ModelFileExample.window()).label == "row")
        let squats = try ActionClassifier(file, exercises: ["squat"])
        let prediction = try squats.predict(ModelFileExample.window())
        #expect(prediction.label == "other" && abs(prediction.confidence - 0.85) < 1e-5)
        #expect(zip(prediction.probabilities, [0.1, 0, 0.85, 0.05]).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(try squats.probabilities(of: ModelFileExample.window()) == prediction.probabilities)
        #expect(squats.description.countedLabels == ["squat"] && squats.description.labels == file.description.labels)
        #expect(squats.digest == ActionClassifier(file).digest)
    }

    @Test func `without other it counts as none, and a held one is no longer held`() throws {
        let file = try file([0.2, 0.7, 0.1], labels: ["squat", "plank", "none"])
        let squats = try ActionClassifier(file, exercises: ["squat"])
        #expect(try squats.predict(ModelFileExample.window()).label == "none")
        #expect(squats.description.heldLabels == nil)
        #expect(try ActionClassifier(file, exercises: ["plank"]).description.heldLabels == ["plank"])
        #expect(ActionClassifier(file).description == file.description)
    }

    @Test func `an exercise that the model does not know is refused, and so is a choice without a rest`() throws {
        let known = try file([0.2, 0.7, 0.05, 0.05])
        #expect(throws: ModelFileError.unknownExercise(model: "example", label: "sqat", known: ["squat", "row"])) {
            try ActionClassifier(known, exercises: ["squat", "sqat"])
        }
        // What is none cannot be chosen either.
        #expect(throws: ModelFileError.self) { try ActionClassifier(known, exercises: ["other"]) }
        let restless = try file([0.3, 0.7], labels: ["squat", "row"])
        #expect(throws: ModelFileError.noOther(model: "example")) {
            try ActionClassifier(restless, exercises: ["squat"])
        }
    }
}
