import Foundation
import Training

extension FuzzReader {
    /// Labels of people by hand, as they are compared, changed and written again.
    static let peopleLabels = FuzzReader(name: "people-labels") { bytes in
        try Scratch.file("gym.people.csv", bytes) { file in
            var labels = try PeopleLabels(contentsOf: file)
            let stream = IdentityStream(labels)
            precondition(stream.pictures.count == labels.times.count, "a moment from nowhere")
            precondition(stream.exercises.allSatisfy { $0.start < $0.end }, "an exercise without time")
            precondition(labels.text.hasPrefix("# video "), "a file that cannot be read again")
            if let person = labels.people.first { try labels.drop(person) }
            precondition(labels.times.count == stream.pictures.count, "a moment that is lost")
        }
    }
}
