/// A turning point of a signal.
struct Turn {
    let frame: Int
    let isHigh: Bool

    /// Finds the turning points (zig-zag): extremes from which the signal has returned by more than `least`.
    static func find(in line: [Float], least: (Int) -> Float) -> [Turn] {
        var turns: [Turn] = []
        var (high, low) = (0, 0)
        for (frame, value) in line.enumerated() {
            if value > line[high] { high = frame }
            if value < line[low] { low = frame }
            let wanted = least(frame)
            if turns.last?.isHigh != true, line[high] - value > wanted {
                turns.append(Turn(frame: high, isHigh: true))
                low = frame
            } else if turns.last?.isHigh != false, value - line[low] > wanted {
                turns.append(Turn(frame: low, isHigh: false))
                high = frame
            }
        }
        return turns
    }
}

/// One cycle of a signal: from rest to the extreme and back.
struct Cycle {
    /// The frame of the minimum before the extreme.
    let lowBefore: Int
    /// The frame where the signal leaves its rest.
    let start: Int
    /// The frame of the maximum.
    let extreme: Int
    /// The frame where the signal is back at rest.
    let end: Int
    /// The frame of the minimum after the extreme.
    let lowAfter: Int
    /// The smaller of the heights of the rise and the fall.
    let swing: Float

    /// The number of cycles on either side that are compared.
    private static let neighbours = 4
    /// A cycle starts where this share of the rise is done, and ends where this share of the fall is left.
    private static let restShare: Float = 0.15

    /// The cycles around all high turning points, without wobbles and doubles.
    ///
    /// - Parameters:
    ///   - swings: the local swing at each frame.
    ///   - rules: what is a turning point, a wobble and a double.
    static func find(in line: [Float], swings: [Float], _ rules: RecognitionRules.Counting) -> [Cycle] {
        let turns = Turn.find(in: line) { max(rules.turnShare * swings[$0], rules.minimumTurn) }
        var cycles: [Cycle] = []
        for (index, turn) in turns.enumerated() where turn.isHigh {
            let from = index > 0 ? turns[index - 1].frame : 0
            let to = index + 1 < turns.count ? turns[index + 1].frame : line.count - 1
            cycles.append(around(turn.frame, in: line, from: from, to: to))
        }
        dropWobbles(&cycles, below: rules.minimumSwing)
        dropDoubles(&cycles, within: rules.minimumPeriod)
        return cycles
    }

    /// The median number of frames between two extremes; `nil` for fewer than two cycles.
    static func medianPeriod(_ cycles: [Cycle]) -> Int? {
        zip(cycles, cycles.dropFirst()).map { $1.extreme - $0.extreme }.median
    }

    private static func around(_ extreme: Int, in line: [Float], from: Int, to: Int) -> Cycle {
        let before = line[from...extreme].min() ?? line[extreme]
        let after = line[extreme...to].min() ?? line[extreme]
        let (out, back) = (line[extreme] - before, line[extreme] - after)
        let start = (from...extreme).last { line[$0] <= before + restShare * out } ?? from
        let end = (extreme...to).first { line[$0] <= after + restShare * back } ?? to
        return Cycle(
            lowBefore: from, start: start, extreme: extreme, end: end, lowAfter: to, swing: min(out, back))
    }

    /// Removes the weakest cycle until none is weak compared with its neighbours.
    private static func dropWobbles(_ cycles: inout [Cycle], below minimumSwing: Float) {
        while cycles.count > 2 {
            let shares = cycles.indices.map { cycles[$0].swing / (around($0, of: cycles).map(\.swing).median ?? 1) }
            guard let weakest = shares.indices.min(by: { shares[$0] < shares[$1] }), shares[weakest] < minimumSwing
            else { return }
            cycles.remove(at: weakest)
        }
    }

    /// Removes the weaker of two cycles that are too close, until none are.
    private static func dropDoubles(_ cycles: inout [Cycle], within minimumPeriod: Float) {
        while cycles.count > 3 {
            let periods = zip(cycles, cycles.dropFirst()).map { Float($1.extreme - $0.extreme) }
            let shares = periods.indices.map { periods[$0] / (around($0, of: periods).median ?? 1) }
            guard let shortest = shares.indices.min(by: { shares[$0] < shares[$1] }), shares[shortest] < minimumPeriod
            else { return }
            cycles.remove(at: cycles[shortest].swing < cycles[shortest + 1].swing ? shortest : shortest + 1)
        }
    }

    private static func around<Element>(_ index: Int, of list: [Element]) -> ArraySlice<Element> {
        list[max(0, index - neighbours)..<min(list.count, index + neighbours + 1)]
    }
}
