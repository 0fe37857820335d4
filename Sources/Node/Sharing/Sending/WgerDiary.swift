import Foundation
import Records

/// Adds a workout to a diary of wger, the open training diary.
///
/// The fields are those of wger's published API, `/api/v2/workoutsession/` and `/api/v2/workoutlog/`, as its client
/// wger-api-client 2.7 lists them. Both take ids from outside. A set keeps its id in every attempt, so nothing stands
/// in the diary twice.
struct WgerDiary {
    private struct Session: Encodable {
        let id, notes: String
        let start, end: String

        enum CodingKeys: String, CodingKey {
            case id, notes
            case start = "datetime_start"
            case end = "datetime_end"
        }
    }

    private struct Entry: Encodable {
        let id, session, date: String
        let exercise: Int
        /// In wger's first unit, repetitions, or its third, seconds.
        let repetitions: String
        let unit: Int
        /// In wger's first unit, kilograms.
        let weight: String?
        let weightUnit: Int?

        enum CodingKeys: String, CodingKey {
            case id, session, date, exercise, repetitions, weight
            case unit = "repetitions_unit"
            case weightUnit = "weight_unit"
        }
    }

    private let recipient: Recipient
    private let curl: Curl
    private let base: String

    init(_ recipient: Recipient, _ curl: Curl) {
        (self.recipient, self.curl) = (recipient, curl)
        let url = recipient.url
        base = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/api/v2/"
    }

    /// Adds a session and an entry for each step whose exercise is known at wger.
    ///
    /// - Returns: what was added, in one line.
    /// - Throws: ``SendingFailure``; what was added until then stays.
    func add(_ workout: FinishedWorkout) throws(SendingFailure) -> String {
        let token = try Secret.required(recipient)
        let known = workout.steps.filter { recipient.exercises[$0.action] != nil }
        let unknown = Set(workout.steps.map(\.action)).subtracting(recipient.exercises.keys).sorted()
        let left = unknown.isEmpty ? "" : " Without a number at wger: \(unknown.joined(separator: ", "))."
        let session = UUIDv8.string(of: "\(workout.id) session")
        try post(
            "workoutsession", session,
            Session(
                id: session, notes: "\(workout.plan), counted by Spotter.\(left)",
                start: Timestamp.text(workout.start), end: Timestamp.text(workout.end)), token)
        for (index, step) in workout.steps.enumerated() {
            guard let exercise = recipient.exercises[step.action] else { continue }
            try post(
                "workoutlog", UUIDv8.string(of: "\(workout.id) \(index)"),
                entry(step, index, of: workout, session, exercise), token)
        }
        return "wger has the workout and \(known.count.counted("set"))"
            + (unknown.isEmpty ? "" : "; not \(unknown.joined(separator: ", ")), which exercises does not name")
    }

    private func entry(
        _ step: FinishedWorkout.Performed, _ index: Int, of workout: FinishedWorkout, _ session: String, _ exercise: Int
    ) -> Entry {
        let isCounted = step.repetitions > 0
        return Entry(
            id: UUIDv8.string(of: "\(workout.id) \(index)"), session: session, date: Timestamp.text(step.start),
            exercise: exercise,
            repetitions: isCounted ? String(step.repetitions) : AppCSV.plain(step.seconds.rounded()),
            unit: isCounted ? 1 : 3, weight: step.loadKilograms.map(AppCSV.plain),
            weightUnit: step.loadKilograms.map { _ in 1 })
    }

    /// Asks whose diary it is, and adds nothing.
    ///
    /// - Throws: ``SendingFailure``.
    func check() throws(SendingFailure) -> String {
        let headers = headers(try Secret.required(recipient))
        let answer = try curl.send(HTTPRequest("GET", "\(base)workoutsession/?limit=1", headers: headers))
        guard answer.isSuccess else { throw SendingFailure("wger answered \(answer.words)") }
        return "wger knows the token; nothing was added"
    }

    private func headers(_ token: String) -> [HTTPRequest.Header] {
        [
            .init("Authorization", "Token \(token)"), .init("Content-Type", "application/json"),
            .init("Accept", "application/json"),
        ]
    }

    /// Adds one thing. What an earlier attempt added is refused, and is there.
    private func post(
        _ kind: String, _ id: String, _ content: some Encodable, _ token: String
    ) throws(SendingFailure) {
        let headers = headers(token)
        // Only NaN cannot be written, and a stored number is none.
        let body = (try? JSONText.encode(content)) ?? "{}"
        let answer = try curl.send(HTTPRequest("POST", "\(base)\(kind)/", headers: headers, body: body))
        if answer.isSuccess { return }
        if try curl.send(HTTPRequest("GET", "\(base)\(kind)/\(id)/", headers: headers)).isSuccess { return }
        throw SendingFailure("wger refused a \(kind) (\(answer.words)): check the token and exercises")
    }
}
