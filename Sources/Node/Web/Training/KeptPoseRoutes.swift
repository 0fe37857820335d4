import Contract
import Foundation
import HTTPServing
import History
import Poses
import Records

/// The kept poses of sessions: their replay, and their use as training clips.
struct KeptPoseRoutes {
    /// The longest part of one answer, and the longest clip: ten minutes in milliseconds.
    private static let longest: Int64 = 600_000
    /// What a replay shows before and after a set, milliseconds.
    private static let margin: Int64 = 1000
    /// The person of a clip when nobody says who it is.
    private static let unnamed = "person-1"

    let status: NodeStatus
    let library: ClipLibrary

    var all: [Route] {
        [
            Route(.GET, "/api/v1/sessions/{id}/poses", .role(.viewer), answer: replay),
            Route(.POST, "/api/v1/sessions/{id}/sets/{number}/clip", .role(.operator), answer: makeClip),
        ]
    }

    // MARK: - Replay

    @Sendable private func replay(_ request: WebRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        let number = try request.query("set").map(Self.setNumber)
        let from = try request.query("from").map(Self.seconds) ?? 0
        let text = try await status.query(.long) { [missing] query in
            guard let session = try query.session(id) else { throw WebFailure(try query.missingSession(id)) }
            let set = try number.map { try Self.set($0, of: session) }
            guard let span = try Self.keptSpan(of: session, set, margin: Self.margin, in: query) else { throw missing }
            let begin = span.lowerBound + Int64((from * 1000).rounded())
            // After a long rest the next part begins with the next poses.
            guard let rest = try query.keptSpan(ofSession: id, from: begin), rest.lowerBound <= span.upperBound,
                begin <= span.upperBound
            else {
                throw WebFailure(
                    .notFound, "no_more_poses", "Nothing is kept from there on: take a smaller 'from', or none.")
            }
            let first = max(begin, rest.lowerBound)
            let last = min(span.upperBound, first + Self.longest)
            guard let clip = try KeptClip.read(first...last, ofSession: id, from: query) else { throw missing }
            var replay = Replay(clip, frames: clip.frames)
            if last < span.upperBound { replay.next = Double(last + 1 - span.lowerBound) / 1000 }
            return replay.json
        }
        return WebResponse.json(text, status: .ok)
    }

    /// What is kept of a set with a margin, or of a whole session, milliseconds since 1970; `nil` if nothing is.
    private static func keptSpan(
        of session: SessionRow, _ set: SetBody?, margin: Int64, in query: HistoryQuery
    ) throws -> ClosedRange<Int64>? {
        guard let kept = try query.keptSpan(ofSession: session.id) else { return nil }
        guard let set else { return kept }
        guard let span = set.span else { return nil }
        let first = max(kept.lowerBound, span.lowerBound - margin)
        let last = min(kept.upperBound, span.upperBound + margin)
        return first <= last ? first...last : nil
    }

    private static func set(_ number: Int, of session: SessionRow) throws -> SetBody {
        guard let set = session.sets?.first(where: { $0.number == number }) else {
            throw WebFailure(.notFound, "unknown_set", "This session has no set \(number): take one of its sets.")
        }
        return set
    }

    private var missing: WebFailure {
        let days = status.node.configuration.history.keepPoses
        let advice =
            days > 0
            ? "poses are kept for \(days.counted("day")) since history.keep_poses was set, so choose a newer session."
            : "set history.keep_poses to a number of days, and those of coming sessions are kept."
        return WebFailure(.notFound, "no_poses", "No poses are kept here: \(advice)")
    }

    // MARK: - Training clips

    @Sendable private func makeClip(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let label, person: String? }
        struct Answer: Encodable {
            let id: String
            let figures: ClipFigures
        }
        let body = try request.body(Body.self)
        let id = request.parameters["id"] ?? ""
        let number = try Self.setNumber(request.parameters["number"] ?? "")
        let (clip, name) = try await status.query(.long) { [missing] query in
            guard let session = try query.session(id) else { throw WebFailure(try query.missingSession(id)) }
            let set = try Self.set(number, of: session)
            // Without the margin: what is done before and after the set is something else.
            guard let span = try Self.keptSpan(of: session, set, margin: 0, in: query), let begin = set.span?.lowerBound
            else { throw missing }
            let name = try ClipName(
                label: body.label ?? set.label, person: body.person ?? Self.unnamed,
                at: Timestamp.date(milliseconds: begin))
            let part = span.lowerBound...min(span.upperBound, span.lowerBound + Self.longest)
            guard let clip = try KeptClip.read(part, ofSession: id, from: query) else { throw missing }
            return (clip, name)
        }
        try await status.pool.change(.long) { try library.add(clip, as: name) }
        status.node.logger.notice("the page made a clip of \(name.label) from a session's set")
        return try WebResponse.json(Answer(id: name.id, figures: ClipFigures(clip)))
    }

    // MARK: - What requests say

    private static func setNumber(_ text: String) throws -> Int {
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw WebFailure(.badRequest, "invalid_set", "A set is named by its number, such as 1.")
        }
        return number
    }

    private static func seconds(_ text: String) throws -> Double {
        guard let seconds = Double(text), (0...1_000_000).contains(seconds) else {
            throw WebFailure(.badRequest, "invalid_from", "'from' takes seconds since the beginning, such as 600.")
        }
        return seconds
    }
}

extension SetBody {
    /// When the set began and ended, milliseconds since 1970.
    fileprivate var span: ClosedRange<Int64>? {
        let begin = Timestamp.date(text: start).map(Timestamp.milliseconds)
        let finish = Timestamp.date(text: end).map(Timestamp.milliseconds)
        guard let begin, let finish else { return nil }
        return begin...max(begin, finish)
    }
}
