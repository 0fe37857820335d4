import Foundation
import History

extension PublishingLife {
    /// What this node listens to. Commands that the broker kept are not wanted; a consumer's last word is.
    func subscribe() throws {
        try subscribe(loop.topics.status)
        try subscribe(loop.topics.cameraStatuses)
        if !loop.settings.consumers.isEmpty { try subscribe(loop.topics.acknowledgements) }
        if !loop.settings.commands.isEmpty { try subscribe(loop.topics.commands, retained: .refuse) }
        if loop.settings.commands.contains(.cameraSet) { try subscribe(loop.topics.switches, retained: .refuse) }
        if loop.discovery != nil { try subscribe(Discovery.birthTopic, retained: .refuse) }
    }

    private func subscribe(_ topic: String, retained: RetainedMessages = .send) throws {
        subscriptions[try client.subscribe(topic, retained: retained)] = topic
    }

    func subscribed(_ mid: Int32, _ codes: [Int32]) {
        guard let topic = subscriptions.removeValue(forKey: mid), let code = codes.first, code >= 128 else { return }
        // It serves to tidy up, and no right was needed for that before.
        guard topic != loop.topics.cameraStatuses else { return }
        let text =
            "the broker lets this node not listen to \(topic) (code \(code)): "
            + ConnectionTrouble.notAuthorized.remedy
        if notice(ConnectionTrouble.notAuthorized.rawValue, text) { loop.log(.warning, text) }
    }

    func heard(_ message: ArrivedMessage) {
        do {
            switch loop.topics.address(of: message.topic) {
            case .status: repairStatus(message)
            case .acknowledgement(let consumer): try acknowledged(by: consumer, message)
            case .command(let word): try commanded(word, message)
            case .cameraSwitch(let camera): switched(camera, message)
            case .cameraStatus(let camera):
                if message.retained, !message.payload.isEmpty { keptCameras.insert(camera) }
            case nil:
                guard message.topic == Discovery.birthTopic, message.payload == Array("online".utf8) else { return }
                loop.discovery?.heardBirth(.now, delaySeconds: .random(in: 0...Discovery.longestDelay))
            }
        } catch {
            loop.log(.warning, "a message on \(message.topic) could not be dealt with: \(error)")
        }
    }

    private func acknowledged(by consumer: String, _ message: ArrivedMessage) throws {
        // An empty message takes a kept acknowledgement off the broker.
        guard !message.payload.isEmpty else { return }
        guard let position = try? JSONDecoder().decode(ConsumerPosition.self, from: Data(message.payload)) else {
            return complain("\(message.topic) holds no acknowledgement such as {\"epoch\":\"…\",\"seq\":1}; ignored")
        }
        do {
            try records.acknowledged(position, by: consumer)
        } catch let refusal as Cursors.Refusal {
            complain("\(refusal)")
        }
        let acked = records.acked
        loop.shared.report.withLock { $0.ackedSeq = acked }
    }

    private func complain(_ text: String) {
        if notice("acknowledgement_ignored", text) { loop.log(.warning, text) }
    }

    private func commanded(_ word: String, _ message: ArrivedMessage) throws {
        switch try loop.desk.take(message, command: word, wall: Date()) {
        case .ignore: if message.retained { refuseRetained(message.topic) }
        case .answer(let answer): send(answer)
        case .carryOut(let name, let request):
            loop.log(.info, "command \(name.rawValue), id \(request.id)")
            do {
                switch try order(name, request) {
                case .done(let data): try finish(request.id, .success(data))
                case .pass(let command):
                    guard !loop.shared.carryOut(command, id: request.id) else { return }
                    try finish(request.id, .failure(CommandError(.notSupported, "this node has nothing to command")))
                }
            } catch let error as CommandError {
                try finish(request.id, .failure(error))
            } catch {
                try finish(request.id, .failure(CommandError(.failed, "\(error)", retryable: true)))
            }
        }
    }

    private func refuseRetained(_ topic: String) {
        let count = loop.desk.refusedRetained
        loop.shared.report.withLock { $0.refusedRetained = count }
        loop.log(.warning, "a command on \(topic) was kept by the broker and is not obeyed: send it without retain")
    }

    /// `ON` or `OFF`: a switch has no id and no answer; its state says what came of it.
    private func switched(_ camera: String, _ message: ArrivedMessage) {
        guard !message.retained else {
            loop.desk.refuseRetained()
            return refuseRetained(message.topic)
        }
        let word = String(decoding: message.payload, as: UTF8.self)
        guard word == "ON" || word == "OFF" else {
            return loop.log(.warning, "\(message.topic) takes ON or OFF")
        }
        _ = loop.shared.carryOut(.setCamera(camera, enabled: word == "ON"), id: "")
    }

    /// Sends what came of the commands the node's other parts carried out.
    func answer() throws {
        for (id, outcome) in loop.outgoing.takeOutcomes() { try finish(id, outcome) }
    }

    private func finish(_ id: String, _ outcome: CommandOutcome) throws {
        let wall = Date()
        let message = try loop.desk.finish(id, outcome, wall: wall)
        do {
            try loop.desk.writeDown(wall)
        } catch {
            loop.log(.warning, "the answer to a command could not be stored: \(error)")
        }
        if let message { send(message) }
    }

    func sendDiscovery() throws {
        for message in try loop.discovery?.messages() ?? [] { send(message) }
    }

    /// Home Assistant forgot all states with its restart: description first, then everything again.
    func answerBirth(_ now: ContinuousClock.Instant) throws {
        for message in try loop.discovery?.messages(afterBirth: true) ?? [] { send(message) }
        for message in try loop.outgoing.retained.take(now, sid: sid, everything: true) { send(message) }
        send(try status(.online))
    }
}
