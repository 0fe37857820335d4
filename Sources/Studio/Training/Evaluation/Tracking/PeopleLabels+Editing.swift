/// Why people cannot be joined, split or dropped. Every message ends with what to do next.
public enum PeopleLabelsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody has this number.
    case noSuchPerson(number: Int, known: [Int])
    /// Two people who should become one are both in view.
    case bothInView(first: Int, second: Int, time: Double)
    /// A person has no rows on one side of the time at which they should be split.
    case nothingToSplit(number: Int, time: Double)
    /// The number of the new person is taken.
    case numberTaken(number: Int, free: Int)

    public var description: String {
        switch self {
        case .noSuchPerson(let number, let known):
            "there is no person \(number); the file has \(known.map(String.init).joined(separator: ", "))"
        case .bothInView(let first, let second, let time):
            "\(first) and \(second) are both in view at \(time) s, so they cannot be one person; "
                + "split one of them before, or delete the wrong rows"
        case .nothingToSplit(let number, let time):
            "person \(number) has no rows on both sides of \(time) s; choose a time between their first and last row"
        case .numberTaken(let number, let free):
            "there is a person \(number) already; take a free number, such as \(free), and join them afterwards"
        }
    }
}

extension PeopleLabels {
    /// Gives all rows of one person to another, who is never in view at the same moment.
    ///
    /// - Throws: ``PeopleLabelsError``; nothing has changed then.
    public mutating func join(_ person: Int, to other: Int) throws(PeopleLabelsError) {
        try check(person)
        try check(other)
        guard person != other else { return }
        let taken = Set(rows.filter { $0.person == other }.map(\.time))
        if let both = rows.first(where: { $0.person == person && taken.contains($0.time) }) {
            throw .bothInView(first: person, second: other, time: both.time)
        }
        for index in rows.indices where rows[index].person == person { rows[index].person = other }
        rows = Self.sorted(rows)
    }

    /// Gives the rows of a person from a time on to a new person.
    ///
    /// - Throws: ``PeopleLabelsError``; nothing has changed then.
    public mutating func split(_ person: Int, at time: Double, to new: Int) throws(PeopleLabelsError) {
        try check(person)
        guard !people.contains(new) else { throw .numberTaken(number: new, free: (people.max() ?? 0) + 1) }
        let own = rows.filter { $0.person == person }
        guard own.contains(where: { $0.time < time }), own.contains(where: { $0.time >= time }) else {
            throw .nothingToSplit(number: person, time: time)
        }
        for index in rows.indices where rows[index].person == person && rows[index].time >= time {
            rows[index].person = new
        }
        rows = Self.sorted(rows)
    }

    /// Deletes a person who is none. Moments without anybody else stay, as empty ones.
    ///
    /// - Throws: ``PeopleLabelsError``; nothing has changed then.
    public mutating func drop(_ person: Int) throws(PeopleLabelsError) {
        try check(person)
        let all = times
        rows.removeAll { $0.person == person }
        emptyTimes = Set(all).subtracting(rows.map(\.time)).sorted()
    }

    private func check(_ person: Int) throws(PeopleLabelsError) {
        guard people.contains(person) else { throw .noSuchPerson(number: person, known: people) }
    }
}
