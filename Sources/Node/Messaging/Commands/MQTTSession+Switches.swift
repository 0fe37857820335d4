import Broker
import Foundation

extension MQTTSession {
    /// Handles `enabled/set` with the payload `ON` or `OFF`. It has no id and gets no response; the topic `enabled`
    /// shows the result.
    func switched(_ camera: String, _ message: ArrivedMessage) throws {
        guard !message.retained else {
            loop.validator.refuseRetained()
            return refuseRetained(message.topic)
        }
        let word = String(decoding: message.payload, as: UTF8.self)
        guard word == "ON" || word == "OFF" else {
            return loop.complain("\(message.topic) takes ON or OFF, nothing else", key: "switch word")
        }
        guard loop.settings.commands.contains(.cameraSet) else {
            return loop.complain(
                "\(message.topic) is not obeyed: \(loop.settings.refusal(of: .cameraSet))", key: "switch refused")
        }
        guard loop.outgoing.info?.cameras.contains(where: { $0.id == camera }) == true else {
            let known = loop.outgoing.info?.cameras.map(\.id).joined(separator: ", ") ?? "none"
            return loop.complain("\(message.topic) names no camera of this node; known: \(known)", key: "switch camera")
        }
        try requestSwitch(SwitchQueue.SwitchRequest(camera: camera, enabled: word == "ON", command: nil))
    }

    /// Queues a switch request from a command or from `enabled/set`; the newest request counts, whichever way it came.
    func requestSwitch(_ request: SwitchQueue.SwitchRequest) throws {
        switch loop.switches.add(request) {
        case .begin: try begin(request)
        case .wait(let older):
            let replaced = loop.switches.replaced
            loop.shared.report.withLock { $0.replacedSwitches = replaced }
            guard let id = older?.command else { return }
            let reason =
                "a newer request for \(request.camera) replaced this one: send it again with a new id if needed"
            try finish(id, .failure(CommandError(.busy, reason)))
        }
    }

    /// Handles the outcome of a switch request and begins the camera's next one.
    func switchEnded(_ camera: String, command: String?, _ outcome: CommandOutcome) throws {
        if let next = loop.switches.finish(camera) { try begin(next) }
        if let command {
            try finish(command, outcome)
        } else if case .failure(let error) = outcome {
            loop.complain("\(camera) was not switched: \(error.message)", key: "switch failed")
        }
    }

    private func begin(_ request: SwitchQueue.SwitchRequest) throws {
        let setting = AgentCommand.node(.setCamera(request.camera, enabled: request.enabled))
        let ticket = CommandTicket.cameraSwitch(request.camera, command: request.command)
        guard !loop.shared.carryOut(setting, ticket) else { return }
        try switchEnded(request.camera, command: request.command, .failure(Self.noHandler))
    }

    static var noHandler: CommandError { CommandError(.notSupported, "this node cannot carry out commands") }
}
