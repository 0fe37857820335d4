import Actions
import Foundation

/// The time that a person spends in front of one camera.
struct Stay: Sendable {
    let camera: String
    let zone: String?
    var start: Date
    var end: Date
    /// What the person does there, in order.
    var sets: [SessionSet] = []
    /// The weight and the exertion that somebody entered, by the number of the set.
    var efforts: [Int: (loadKg: Double?, rpe: Double?)] = [:]
    /// What the person had to wait for before.
    var waiting: DateInterval?
    /// Why the session ended.
    var endReason = Session.EndReason.left

    /// The stay as far as it was seen; `nil` where nothing of it was.
    ///
    /// - Parameters:
    ///   - moment: when the camera, or the week, ended.
    ///   - reason: why nothing was seen after it.
    func until(_ moment: Date, _ reason: Session.EndReason) -> Stay? {
        guard end > moment else { return self }
        guard start < moment else { return nil }
        var stay = self
        stay.end = moment
        stay.sets.removeAll { $0.end >= moment }
        stay.endReason = reason
        return stay
    }
}
