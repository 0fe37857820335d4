/// Queues wishes to switch cameras. Of each camera at most one is carried out at a time; of the others only the newest
/// waits.
struct SwitchQueue {
    /// What somebody wants of a camera.
    struct SwitchRequest: Equatable {
        let camera: String
        let enabled: Bool
        /// The command that wants it; `nil` for `enabled/set`, which nobody answers.
        let command: String?
    }

    /// What a wish comes to.
    enum Step: Equatable {
        /// It is to be carried out now.
        case begin
        /// It waits for the one before it, in the place of an older one.
        case wait(replacing: SwitchRequest?)
    }

    /// Wishes that a newer one replaced before they were carried out.
    private(set) var replaced = 0
    private var underWay: Set<String> = []
    private var waiting: [String: SwitchRequest] = [:]

    mutating func add(_ wish: SwitchRequest) -> Step {
        guard !underWay.insert(wish.camera).inserted else { return .begin }
        let older = waiting.updateValue(wish, forKey: wish.camera)
        if older != nil { replaced += 1 }
        return .wait(replacing: older)
    }

    /// The camera's wish was carried out, or failed.
    ///
    /// - Returns: the next one, which is under way from here on.
    mutating func finish(_ camera: String) -> SwitchRequest? {
        let next = waiting.removeValue(forKey: camera)
        if next == nil { underWay.remove(camera) }
        return next
    }
}
