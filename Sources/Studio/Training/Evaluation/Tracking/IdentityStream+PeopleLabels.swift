import Foundation

extension IdentityStream {
    /// Where a body is, in units of the picture's height.
    public struct Outline: Sendable, Equatable {
        /// The middle of the box around it, or of the hips.
        public var centre: SIMD2<Double>
        /// Width and height of the box; `nil` for a point.
        public var size: SIMD2<Double>?

        /// Creates an outline from its parts.
        public init(centre: SIMD2<Double>, size: SIMD2<Double>? = nil) { (self.centre, self.size) = (centre, size) }
    }

    /// Between two rows that are at most so many seconds apart a person is where the line between them passes.
    private static let longestGapSeconds = 1.5

    /// What was written down by hand: a picture for each labelled moment.
    ///
    /// A person without a row at a moment at which others have one is between their rows, if these are at most 1.5 s
    /// apart; otherwise they are not in view.
    public init(_ labels: PeopleLabels) {
        let times = labels.times
        let ofPeople = Dictionary(grouping: labels.rows, by: \.person)
        let scale = SIMD2(Double(labels.width) / Double(labels.height), 1)
        var people: [Double: [Person]] = [:]
        for (number, rows) in ofPeople.sorted(by: { $0.key < $1.key }) {
            var next = 0
            for time in times {
                while next < rows.count, rows[next].time < time { next += 1 }
                guard next < rows.count, let row = Self.row(rows, upTo: next, at: time) else { continue }
                let outline = Outline(centre: row.place * scale, size: row.size.map { $0 * scale })
                people[time, default: []].append(
                    Person(identity: number, outline: outline, visibleShare: row.visibleShare))
            }
        }
        self.init(
            pictures: times.map { Picture(time: $0, people: people[$0] ?? []) },
            intervalSeconds: labels.intervalSeconds, aspect: scale.x)
        exercises = ofPeople.sorted { $0.key < $1.key }.flatMap { Self.exercises($1, labels.intervalSeconds) }
    }

    /// A person at a time: their row, or what lies between two near rows.
    private static func row(_ rows: [PeopleLabels.Row], upTo next: Int, at time: Double) -> PeopleLabels.Row? {
        let after = rows[next]
        guard after.time > time else { return after }
        guard next > 0 else { return nil }
        let before = rows[next - 1]
        guard after.time - before.time <= longestGapSeconds + 1e-6 else { return nil }
        let share = (time - before.time) / (after.time - before.time)
        var row = before
        row.place += (after.place - before.place) * share
        row.size = before.size.flatMap { size in after.size.map { size + ($0 - size) * share } }
        row.visibleShare = min(before.visibleShare, after.visibleShare)
        return row
    }

    /// The stretches of one person in which the rows name the same exercise.
    private static func exercises(_ rows: [PeopleLabels.Row], _ interval: Double) -> [Exercise] {
        var all: [Exercise] = []
        for (index, row) in rows.enumerated() {
            guard let label = row.activity else { continue }
            let next = index + 1 < rows.count ? rows[index + 1].time : .infinity
            let end = next - row.time <= longestGapSeconds + 1e-6 ? next : row.time + interval
            if let last = all.last, last.label == label, last.end == row.time {
                all[all.count - 1].end = end
            } else {
                all.append(Exercise(identity: row.person, label: label, start: row.time, end: end, repetitions: []))
            }
        }
        return all
    }
}

extension IdentityStream.Person {
    /// A person of whom only the outline is known.
    public init(identity: Int, outline: IdentityStream.Outline, visibleShare: Double = 1) {
        self.init(identity: identity, joints: [], visibleShare: visibleShare)
        self.outline = outline
    }

    /// The outline, or the box around the joints; `nil` without either.
    var body: IdentityStream.Outline? {
        if let outline { return outline }
        let known = joints.compactMap { $0 }
        guard let first = known.first else { return nil }
        let low = known.reduce(first) { pointwiseMin($0, $1) }
        let high = known.reduce(first) { pointwiseMax($0, $1) }
        return IdentityStream.Outline(centre: (low + high) / 2, size: high - low)
    }

    /// How far the middle of another body is from the middle of this one, in sizes of this body, or of the other one
    /// where this is a point; infinite where nothing is known.
    func outlineDistance(to other: Self) -> Double {
        guard let own = body, let theirs = other.body, let size = own.size ?? theirs.size, size.max() > 0 else {
            return .infinity
        }
        let step = theirs.centre - own.centre
        return (step * step).sum().squareRoot() / size.max()
    }
}
