import Foundation
import Poses

extension PeopleLabels {
    /// Proposes labels from what a tracker found: a row for each track at each moment, with the box around its joints.
    ///
    /// - Parameters:
    ///   - stream: a pose stream.
    ///   - video: the name of the video; `nil` for the one that the stream names.
    ///   - step: seconds between two moments.
    ///   - activity: the exercise of a track at a time in seconds; `nil` for none.
    /// - Throws: `PoseStreamError`, or ``IdentityStreamError/empty(path:)``.
    public init(
        proposedFrom stream: URL, video: String?, every step: Double,
        activity: (_ track: Int, _ time: Double) -> String?
    ) throws {
        let header = try PoseStreamReader(stream).header
        let tracks = try IdentityStream(contentsOf: stream)
        // A pause of the recording was not seen, so nothing is said about it.
        let reach = min(step / 2, tracks.intervalSeconds) + 1e-6
        var nearest: [Int: IdentityStream.Picture] = [:]
        for picture in tracks.pictures {
            let moment = (picture.time / step).rounded()
            func distance(_ other: IdentityStream.Picture) -> Double { abs(other.time - moment * step) }
            guard distance(picture) <= reach else { continue }
            if let other = nearest[Int(moment)], distance(other) <= distance(picture) { continue }
            nearest[Int(moment)] = picture
        }
        var (rows, empty): ([Row], [Double]) = ([], [])
        for (moment, picture) in nearest.sorted(by: { $0.key < $1.key }) {
            let time = Double(moment) * step
            let found = picture.people.compactMap { person in
                person.body.flatMap { body in
                    Row(body, of: person.identity, at: time, aspect: tracks.aspect, activity(person.identity, time))
                }
            }
            if found.isEmpty { empty.append(time) } else { rows += found }
        }
        self.init(
            video: video ?? header.source, width: header.width, height: header.height, rows: rows,
            emptyTimes: empty)
    }
}

extension PeopleLabels.Row {
    /// The part of a body's box that is inside the picture; `nil` where nothing is.
    fileprivate init?(
        _ body: IdentityStream.Outline, of person: Int, at time: Double, aspect: Double, _ activity: String?
    ) {
        let scale = SIMD2(1 / aspect, 1)
        let half = (body.size ?? .zero) / 2
        let low = ((body.centre - half) * scale).clamped(lowerBound: .zero, upperBound: .one)
        let high = ((body.centre + half) * scale).clamped(lowerBound: .zero, upperBound: .one)
        guard high.x - low.x >= 0.001, high.y - low.y >= 0.001 else { return nil }
        self.init(time: time, person: person, place: (low + high) / 2, size: high - low, activity: activity)
    }
}
