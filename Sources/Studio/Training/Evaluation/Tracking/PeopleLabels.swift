import Foundation

/// Who is where in a real video, as a person wrote it down: a file `*.people.csv`.
///
/// A row says where one person is at one moment, usually every half second. Places and sizes are shares of the
/// picture's width and height, so that they stay right when the video is scaled.
public struct PeopleLabels: Sendable, Equatable {
    /// One person at one moment.
    public struct Row: Sendable, Equatable {
        /// Seconds since the beginning.
        public var time: Double
        /// The person's number, the same in every row.
        public var person: Int
        /// The middle of the box; without a size the middle of the hips. Shares of the picture, 0…1.
        public var place: SIMD2<Double>
        /// Width and height of the box around the body, shares of the picture; `nil` for a point.
        public var size: SIMD2<Double>?
        /// The exercise until the person's next row; `nil` for none.
        public var activity: String?
        /// The share of the body that is inside the picture and not hidden, 0…1.
        public var visibleShare: Double

        /// Creates a row from its parts.
        public init(
            time: Double, person: Int, place: SIMD2<Double>, size: SIMD2<Double>? = nil, activity: String? = nil,
            visibleShare: Double = 1
        ) {
            (self.time, self.person, self.place, self.size) = (time, person, place, size)
            (self.activity, self.visibleShare) = (activity, visibleShare)
        }
    }

    /// The name of the video.
    public var video: String
    /// The width of the video's pictures in pixels.
    public var width: Int
    /// The height of the video's pictures in pixels.
    public var height: Int
    /// Remarks, without the sign before them.
    public var remarks: [String] = []
    /// Everybody at every moment, in order of time and then of their numbers.
    public var rows: [Row]
    /// Moments at which nobody is in view, seconds, in order.
    public var emptyTimes: [Double]

    /// Creates labels from their parts. Rows may come in any order.
    public init(video: String, width: Int, height: Int, rows: [Row], emptyTimes: [Double] = []) {
        (self.video, self.width, self.height) = (video, width, height)
        self.rows = Self.sorted(rows)
        self.emptyTimes = emptyTimes.sorted()
    }

    static func sorted(_ rows: [Row]) -> [Row] { rows.sorted { ($0.time, $0.person) < ($1.time, $1.person) } }

    /// The moments that were labelled, seconds, in order.
    public var times: [Double] { Set(rows.map(\.time) + emptyTimes).sorted() }

    /// Seconds between two labelled moments: the middle one of all such steps; half a second when there is only one.
    public var intervalSeconds: Double {
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        return steps.isEmpty ? 0.5 : steps[steps.count / 2]
    }

    /// The numbers of the people, in order.
    public var people: [Int] { Set(rows.map(\.person)).sorted() }

    /// The file, as ``init(contentsOf:)`` reads it.
    public var text: String {
        var lines = ["# video \(video) \(width)x\(height)"] + remarks.map { "# " + $0 }
        let withVisible = rows.contains { $0.visibleShare != 1 }
        lines.append(Column.allCases.filter { withVisible || $0 != .visible }.map(\.rawValue).joined(separator: ","))
        let ofPeople = rows.map { row in (row.time, Self.line(row, withVisible)) }
        let empty = emptyTimes.map { ($0, Self.number($0) + ",,,,,," + (withVisible ? "," : "")) }
        // `sorted` does not promise to keep the order of equal ones.
        let all = (ofPeople + empty).enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return (lines + all.map(\.element.1)).joined(separator: "\n") + "\n"
    }

    private static func line(_ row: Row, _ withVisible: Bool) -> String {
        // A side of 0 could not be read again.
        let size = row.size.map { [number(max($0.x, 0.001)), number(max($0.y, 0.001))] } ?? ["", ""]
        let fields = [number(row.time), "\(row.person)", number(row.place.x), number(row.place.y)] + size
        return (fields + [row.activity ?? ""] + (withVisible ? [number(row.visibleShare)] : [])).joined(separator: ",")
    }

    /// At most three digits after the point.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
    }

    /// The columns of the file.
    enum Column: String, CaseIterable {
        case time, person, x, y, width, height, activity, visible
    }
}
