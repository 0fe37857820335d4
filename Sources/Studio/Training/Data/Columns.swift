/// A share as text: `93.5 %`, or a dash for `nil`.
func percent(_ share: Double?) -> String {
    guard let share else { return "–" }
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
}

extension String {
    /// Left-aligned in a column.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }

    /// Right-aligned in a column.
    func leading(_ width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }
}
