/// A share as people read it: `93.5 %`, or a dash where there is none.
func percent(_ share: Double?) -> String {
    guard let share else { return "–" }
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
}

extension String {
    /// On the left of a column.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }

    /// On the right of a column.
    func leading(_ width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }
}
