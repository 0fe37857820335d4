/// Queues requests to switch cameras. At most one request per camera is under way, and at most one waits: the newest.
struct SwitchQueue {
    /// A request to switch a camera on or off.
    struct SwitchRequest: Equatable {
        let camera: String
        let enabled: Bool
        /// The id of the command that requested it; `nil` for `enabled/set`, which gets no response.
        let command: String?
    }

    /// How a request is handled.
    enum Step: Equatable {
        /// Carry it out now.
        case begin
        /// It waits for the request under way, in place of an older one.
        case wait(replacing: SwitchRequest?)
    }

    /// Requests that a newer one replaced before they were carried out.
    private(set) var replaced = 0
    private var underWay: Set<String> = []
    private var waiting: [String: SwitchRequest] = [:]

    mutating func add(_ request: SwitchRequest) -> Step {
        guard !underWay.insert(request.camera).inserted else { return .begin }
        let older = waiting.updateValue(request, forKey: request.camera)
        if older != nil { replaced += 1 }
        return .wait(replacing: older)
    }

    /// Ends the camera's request that is under way.
    ///
    /// - Returns: the next request, which is under way from here on.
    mutating func finish(_ camera: String) -> SwitchRequest? {
        let next = waiting.removeValue(forKey: camera)
        if next == nil { underWay.remove(camera) }
        return next
    }
}
