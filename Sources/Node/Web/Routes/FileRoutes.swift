import Agent
import Foundation
import HTTPServing
import History
import Records
import Sharing

/// The file of a workout for a telephone: a link that works once, for ten minutes.
struct FileRoutes {
    let status: NodeStatus
    let access: AccessControl
    private let tickets = FileTickets()

    init(status: NodeStatus, access: AccessControl) { (self.status, self.access) = (status, access) }

    var all: [Route] {
        [
            Route(.POST, "/api/v1/workouts/{id}/link", .role(.operator), answer: makeLink),
            Route(.GET, "/file/{token}", .open, answer: download),
        ]
    }

    private struct Link: Encodable {
        let address: String
        let seconds: Int64
        /// Whether the address only leads to this machine itself.
        let here: Bool
    }

    private func makeLink(_ request: WebRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        // What cannot be written is refused now, and not on the telephone.
        _ = try await status.file(ofWorkout: id)
        let host = request.http.headers[.host] ?? ""
        let scheme = access.isEncrypted(request.http) ? "https" : "http"
        let token = tickets.make(id, now: .now)
        return try WebResponse.json(
            Link(
                address: "\(scheme)://\(host)/file/\(token)", seconds: FileTickets.lifetime.components.seconds,
                here: HostName(header: host)?.isLoopback ?? true))
    }

    private func download(_ request: WebRequest) async throws -> HTTPResponse {
        let token = request.parameters["token"] ?? ""
        guard let id = tickets.begin(token, now: .now) else {
            throw WebFailure(
                .notFound, "link_used", "This link was used or is too old: let somebody show a new code for it.")
        }
        do {
            var response = try await status.file(ofWorkout: id)
            response.whenSent = { [tickets] in tickets.end(token, isComplete: $0) }
            return response
        } catch {
            tickets.end(token, isComplete: false)
            throw error
        }
    }
}

extension NodeStatus {
    /// The FIT file of a workout that has ended and has a name, to be saved.
    ///
    /// - Throws: ``WebFailure`` for another workout, and with strict privacy.
    func file(ofWorkout id: String) async throws -> HTTPResponse {
        guard node.configuration.recognition.privacy != "strict" else {
            throw WebFailure(
                .conflict, "strict_privacy", "With recognition.privacy = \"strict\" no workout is handed on.")
        }
        let names = node.classifier.description.displayNames
        let zone = timeZone
        return try await query { query in
            guard let row = try query.workout(id) else {
                throw WebFailure(.notFound, "unknown_workout", "There is no workout '\(id)': the history lists them.")
            }
            let workout: FinishedWorkout
            do throws(FinishedWorkout.Refusal) {
                workout = try FinishedWorkout(row, efforts: (try? query.efforts(ofWorkout: id)) ?? [:], names: names)
            } catch {
                throw WebFailure(.conflict, "no_file", WebFailure.sentence(error.description))
            }
            var headers = WebResponse.headers(type: "application/vnd.ant.fit")
            let name = WorkoutFormat.fit.fileName(of: workout, zone: zone)
            headers["Content-Disposition"] = "attachment; filename=\"\(name)\""
            return HTTPResponse(.ok, headers: headers, body: Data(WorkoutFormat.fit.file(of: workout, zone: zone)))
        }
    }
}
