import Foundation
import TOMLSettings

/// The plan files of a node: `*.toml` in one folder.
public struct PlanLibrary: Sendable {
    /// The folder.
    public let folder: String
    private let exercises: PlanExercises?

    /// - Parameters:
    ///   - folder: the folder; one that is missing holds no plans.
    ///   - exercises: the exercises of the model; `nil` accepts every name.
    public init(folder: String, exercises: PlanExercises? = nil) {
        self.folder = folder
        self.exercises = exercises
    }

    /// A plan file of the folder.
    public struct Entry: Sendable {
        /// The file's name without `.toml`.
        public let id: String
        /// The plan, or what is wrong with the file.
        public let plan: Result<WorkoutPlan, any Error>
    }

    /// Why a plan cannot be had.
    public struct Unknown: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        public let description: String
    }

    /// All plan files, by name.
    public var entries: [Entry] {
        names.map { name in
            Entry(id: name, plan: Result { try WorkoutPlan(path: path(of: name), exercises: exercises) })
        }
    }

    /// The plan of this name, in any letter case unless two plans differ in nothing else.
    ///
    /// - Throws: ``Unknown`` for a name without a file, ``PlanError`` for a file with an error.
    public func plan(_ id: String) throws -> WorkoutPlan {
        let names = names
        let same = names.contains(id) ? [id] : names.filter { NearestName.areSame($0, id) }
        guard same.count == 1 else {
            let hint =
                names.isEmpty
                ? "there is none in \(folder)"
                : NearestName.of(id, among: names).map { "did you mean '\($0)'?" }
                    ?? "known: \(names.joined(separator: ", "))"
            throw Unknown(description: "no plan '\(id)': \(hint)")
        }
        return try WorkoutPlan(path: path(of: same[0]), exercises: exercises)
    }

    private func path(of name: String) -> String { "\(folder)/\(name).toml" }

    private var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
    }
}
