import Actions
import Contract
import Records
import TOMLSettings

/// Why a set cannot be corrected. Nothing was changed. Every description ends with what to do.
public enum CorrectionError: Error, Equatable, Sendable {
    /// There is no such session, or it was deleted.
    case unknownSession(MissingSession)
    /// The session has not ended.
    case sessionOpen(String)
    /// The session has no set with this number; `known` are the numbers that it has.
    case unknownSet(Int, known: [Int])
    /// The text cannot be a label.
    case invalidLabel(String)
    /// Nobody knows the label, and it was not said to be a new one; `known` are the labels that are known.
    case unknownLabel(String, known: [String])
    /// A set cannot have this many repetitions.
    case invalidReps(Int)
    /// A set cannot have this load, kilograms.
    case invalidLoad(Double)
    /// A set cannot have this perceived exertion.
    case invalidRPE(Double)
    /// Repetitions, a load or an exertion of a set that never was.
    case workOfNothing
}

extension CorrectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownSession(let missing): missing.description
        case .sessionOpen: "the session is still going on: wait until it has ended"
        case .unknownSet(let number, let known):
            known.isEmpty
                ? "the session has no sets: choose another session"
                : "the session has no set \(number): choose one of \(known.map(String.init).joined(separator: ", "))"
        case .invalidLabel(let label):
            PseudoLabel(rawValue: label) == nil
                ? "'\(label.prefix(63))' cannot be a label: take 1 to 63 lower-case letters, digits and underscores, such as "
                    + "push_up, or none for a set that never was"
                : "'\(label)' is the name of windows without an answer: take the label of an exercise, or none for a set that "
                    + "never was"
        case .unknownLabel(let label, let known): Self.unknown(label, known)
        case .invalidReps(let reps):
            "a set cannot have \(reps.counted("repetition")): give a number from 0 to \(SetCorrection.maximumReps)"
        case .invalidLoad(let load):
            "a set cannot have a load of \(load) kg: give a number from 0 to \(Int(SetBody.maximumLoadKg)); 0 is none"
        case .invalidRPE(let rpe):
            "a set cannot have an exertion of \(rpe): give a number from 1 to 10 in steps of a half; 0 is none"
        case .workOfNothing:
            "a set that never was has no repetitions, load or exertion: give none with the label none"
        }
    }

    /// The most labels that are listed.
    private static let maximumListed = 12

    private static func unknown(_ label: String, _ known: [String]) -> String {
        let nearest = NearestName.of(label, among: known).map { ": did you mean '\($0)'?" } ?? "."
        let more = known.count > maximumListed ? " and \(known.count - maximumListed) more" : ""
        return
            "no exercise has the name '\(label)'\(nearest) Known: \(known.prefix(maximumListed).joined(separator: ", "))"
            + "\(more). Choose one of them, or say that it is a new one"
    }
}
