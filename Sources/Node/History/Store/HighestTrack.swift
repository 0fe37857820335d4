import Foundation
import GRDB
import Records

extension Store {
    /// Higher numbers are no people that were counted from 1, but those of a person's pose stream.
    private static let maximumTracks = 1_000_000_000
    /// No session is longer than this, milliseconds.
    private static let longestSessionMs: Int64 = 86_400_000

    /// The highest number of a track that a camera's predictions and sessions have after a moment, the future included;
    /// `nil` without any.
    ///
    /// - Throws: ``HistoryError``.
    package func highestTrack(of camera: String, since: Date) throws -> Int? {
        let moment = Timestamp.milliseconds(since)
        return try query.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT max(track) FROM (
                      SELECT track FROM prediction
                      WHERE end_ms >= :moment AND camera = (SELECT id FROM name WHERE text = :camera)
                      UNION ALL SELECT track FROM session
                      WHERE start_ms >= :moment - :longest AND end_ms >= :moment AND camera = :camera)
                    WHERE track < :most
                    """,
                arguments: [
                    "moment": moment, "camera": camera, "longest": Self.longestSessionMs, "most": Self.maximumTracks,
                ])
        }
    }
}
