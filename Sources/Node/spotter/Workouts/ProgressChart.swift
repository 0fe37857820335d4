import Foundation
import Records

/// A line through time with error bars, and a band for what is wanted, as SVG.
struct ProgressChart {
    /// One value of one day.
    struct Point {
        /// `2026-11-21`.
        let day: String
        let value: Double
        /// The standard error; 0 for none.
        let uncertainty: Double
    }

    /// The caption.
    let title: String
    /// What the band means.
    let wanted: String
    /// The values in order of time; not empty.
    let points: [Point]
    /// What is wanted; `nil` for no limit.
    var least, most: Double?
    /// The lowest and the highest value of the axis; `nil` for those of the points.
    var bounds: ClosedRange<Double>?
    /// A value as people read it.
    var label: (Double) -> String
    /// A day as people read it.
    var day: (String) -> String

    private static let width = 340.0, height = 130.0, margin = 44.0
    /// Below and above the line.
    private static let top = 8.0, bottom = 22.0

    /// The chart as a `figure`.
    var html: String {
        let hint = least == nil && most == nil ? "" : " <small>\(wanted.escapedForHTML)</small>"
        let name = title.escapedForHTML
        return "<figure><figcaption>\(name)\(hint)</figcaption><svg viewBox=\"0 0 \(Self.width) \(Self.height)\" "
            + "role=\"img\" aria-label=\"\(name)\">\((band + axis + line + days).joined())</svg></figure>"
    }

    private var range: ClosedRange<Double> {
        if let bounds { return bounds }
        let edges = points.flatMap { [$0.value - $0.uncertainty, $0.value + $0.uncertainty] }
        let all = edges + [least, most].compactMap(\.self)
        let (low, high) = (all.min() ?? 0, all.max() ?? 1)
        let room = max(0.15 * (high - low), 0.02 * abs(high), 0.05)
        return max(0, low - room)...max(0, low - room, high + room)
    }

    private func y(_ value: Double) -> Double {
        let range = range
        let share =
            (min(max(value, range.lowerBound), range.upperBound) - range.lowerBound)
            / max(range.upperBound - range.lowerBound, 1e-9)
        return ((1 - share) * (Self.height - Self.top - Self.bottom) + Self.top).rounded()
    }

    /// The place of a day: as far from the first one as time has passed.
    private func x(_ day: String) -> Double {
        func time(_ day: String?) -> Double {
            day.flatMap(Calendar.gregorian(in: .gmt).date(ofDay:))?.timeIntervalSince1970 ?? 0
        }
        let (first, last) = (time(points.first?.day), time(points.last?.day))
        let share = last > first ? (time(day) - first) / (last - first) : 0.5
        return (Self.margin + share * (Self.width - 2 * Self.margin)).rounded()
    }

    private var band: [String] {
        guard least != nil || most != nil else { return [] }
        let (top, bottom) = (y(most ?? range.upperBound), y(least ?? range.lowerBound))
        return [
            "<rect class=\"band\" x=\"\(Self.margin)\" y=\"\(top)\" width=\"\(Self.width - 2 * Self.margin)\" "
                + "height=\"\(max(1, bottom - top))\"/>"
        ]
    }

    private var axis: [String] {
        [range.lowerBound, range.upperBound].map { value in
            "<text x=\"\(Self.margin - 6)\" y=\"\(y(value) + 4)\" class=\"axis\">\(label(value).escapedForHTML)</text>"
        }
    }

    private var line: [String] {
        let places = points.map { "\(x($0.day)),\(y($0.value))" }.joined(separator: " ")
        return ["<polyline points=\"\(places)\"/>"]
            + points.flatMap { point in
                let (top, bottom) = (y(point.value + point.uncertainty), y(point.value - point.uncertainty))
                let x = x(point.day)
                return [
                    "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top)\" y2=\"\(bottom)\"/>",
                    "<circle cx=\"\(x)\" cy=\"\(y(point.value))\" r=\"4\"/>",
                ]
            }
    }

    /// The first and the last day.
    private var days: [String] {
        let ends = [points.first?.day, points.last?.day].compactMap(\.self)
        return (ends.first == ends.last ? Array(ends.prefix(1)) : ends).map { day in
            "<text x=\"\(x(day))\" y=\"\(Self.height - 4)\" class=\"day\">\(self.day(day).escapedForHTML)</text>"
        }
    }
}
