import Broker
import Foundation
import History

extension MQTTSession {
    /// Subscribes to everything this node receives. Retained commands are refused; a consumer's retained
    /// acknowledgement is wanted.
    func subscribe() throws {
        try subscribe(loop.topics.status)
        try subscribe(loop.topics.cameraStatuses)
        if !loop.settings.consumers.isEmpty { try subscribe(loop.topics.acknowledgements) }
        if !loop.settings.commands.isEmpty {
            try subscribe(loop.topics.commands, retained: .refuse)
            try subscribe(loop.topics.switches, retained: .refuse)
        }
        if loop.discovery != nil { try subscribe(Discovery.birthTopic, retained: .refuse) }
    }

    /// A subscription that the broker was asked for.
    struct Subscription {
        let topic: String
        let retained: RetainedMessages
        var refusals = 0
    }

    func subscribe(_ topic: String, retained: RetainedMessages = .send) throws {
        try subscribe(Subscription(topic: topic, retained: retained))
    }

    func subscribe(_ subscription: Subscription) throws {
        guard !loop.closing.isLeftOut(subscription.topic, .now) else { return }
        guard held.isEmpty, loop.closing.maySend else { return hold(.subscription(subscription)) }
        let mid = try client.subscribe(subscription.topic, retained: subscription.retained)
        subscriptions[mid] = subscription
        loop.closing.sent(subscription.topic, mid: mid, .now)
    }

    func subscribed(_ mid: Int32, _ codes: [Int32]) {
        loop.closing.acknowledged(mid)
        guard var subscription = subscriptions.removeValue(forKey: mid), let code = codes.first else { return }
        guard code >= 128 else {
            if subscription.refusals > 0 {
                withdrawNotice(ConnectionTrouble.notAuthorized.rawValue, subscription.topic)
            }
            return
        }
        // This subscription only finds topics to remove. Brokers configured for earlier versions may refuse it.
        guard subscription.topic != loop.topics.cameraStatuses else { return }
        if isLeftOver(subscription.topic) { return refusedLeftOvers(subscription.topic) }
        subscription.refusals += 1
        let delay = loop.settings.firstRetry * (30 << min(subscription.refusals - 1, 4))
        refusedSubscriptions.append((subscription, .now + delay))
        let text =
            "the broker does not let this node subscribe to \(subscription.topic) (code \(code)): "
            + ConnectionTrouble.notAuthorized.remedy
        if notice(ConnectionTrouble.notAuthorized.rawValue, text) { loop.log(.warning, text) }
    }

    /// Asks once more for what was refused: a hub that has just lost a server refuses subscriptions that it grants half a
    /// minute later, and rights may have been corrected.
    func retrySubscriptions(_ now: ContinuousClock.Instant) throws {
        while let place = refusedSubscriptions.firstIndex(where: { $0.dueAt <= now }) {
            try subscribe(refusedSubscriptions.remove(at: place).subscription)
        }
    }

    func receive(_ message: ArrivedMessage) {
        do {
            switch loop.topics.address(of: message.topic) {
            case .status: receiveStatus(message)
            case .acknowledgement(let consumer): try acknowledged(by: consumer, message)
            case .command(let word): try commanded(word, message)
            case .cameraSwitch(let camera): try switched(camera, message)
            case .cameraStatus(let camera):
                guard message.retained, !message.payload.isEmpty else { return }
                // More cannot be this node's; what is left is found at the next connection.
                if keptCameras.count < Self.maximumKeptCameras { keptCameras.insert(camera) }
            case nil where isLeftOver(message.topic): receiveLeftOver(message)
            case nil:
                guard message.topic == Discovery.birthTopic, message.payload == Array("online".utf8) else { return }
                loop.discovery?.receivedBirth(.now, delaySeconds: .random(in: 0...Discovery.longestDelay))
            }
        } catch {
            loop.complain("a message on \(message.topic) could not be handled: \(error)", key: "hearing")
        }
    }

    private func acknowledged(by consumer: String, _ message: ArrivedMessage) throws {
        // An empty message removes a retained acknowledgement from the broker.
        guard !message.payload.isEmpty else { return }
        guard let position = try? JSONDecoder().decode(ConsumerPosition.self, from: Data(message.payload)) else {
            return complain(
                "\(message.topic) holds no acknowledgement such as {\"epoch\":\"…\",\"seq\":1}; ignored", "unreadable")
        }
        do {
            guard try records.acknowledged(position, by: consumer) else { return }
            loop.shared.report.withLock { report in
                report.notices.removeAll {
                    $0.code == Self.ignoredCode && $0.message?.hasPrefix("\(consumer) ") == true
                }
            }
        } catch let refusal as Cursors.Refusal {
            return complain("\(refusal)", refusal.name)
        }
        let acked = records.acked
        loop.shared.report.withLock { $0.ackedSeq = acked }
    }

    private static let ignoredCode = "acknowledgement_ignored"

    private func complain(_ text: String, _ kind: String) {
        notice(Self.ignoredCode, text)
        loop.complain(text, key: "ack \(kind)")
    }

    private func commanded(_ word: String, _ message: ArrivedMessage) throws {
        // The broker acknowledges answers more slowly than commands can arrive, and libmosquitto would queue them all.
        guard unacked.count < Self.maximumAnswers else {
            loop.outgoing.count(dropped: 1)
            return loop.complain(
                "commands come faster than the broker takes the answers; some are not obeyed and not answered: "
                    + "send fewer, and send one without an answer again under the same id", key: "flood")
        }
        switch try loop.validator.validate(message, command: word, wall: Date()) {
        case .ignore: if message.retained { refuseRetained(message.topic) }
        case .answer(let answer): send(answer)
        case .carryOut(let name, let request):
            loop.log(.info, "command \(name.rawValue), id \(request.id)")
            do {
                switch try Command(name, CommandArguments(request.arguments), cameras: knownCameras) {
                case .session(let command): try finish(request.id, .success(answer(command)))
                case .agent(.node(.setCamera(let camera, let enabled))):
                    try requestSwitch(SwitchQueue.SwitchRequest(camera: camera, enabled: enabled, command: request.id))
                case .agent(let command):
                    guard !loop.shared.carryOut(command, .command(request.id)) else { break }
                    try finish(request.id, .failure(Self.noHandler))
                }
            } catch let error as CommandError {
                try finish(request.id, .failure(error))
            } catch {
                try finish(request.id, .failure(CommandError(.failed, "\(error)", retryable: true)))
            }
        }
    }

    func refuseRetained(_ topic: String) {
        let count = loop.validator.refusedRetained
        loop.shared.report.withLock { $0.refusedRetained = count }
        loop.complain(
            "a command on \(topic) was retained and is not obeyed: send it without the retain flag", key: topic)
    }

    /// Handles the outcomes of commands that other parts of the node carried out.
    func answer() throws {
        for (ticket, outcome) in loop.outgoing.drainOutcomes() {
            switch ticket {
            case .command(let id): try finish(id, outcome)
            case .cameraSwitch(let camera, let id): try switchEnded(camera, command: id, outcome)
            }
        }
    }

    func finish(_ id: String, _ outcome: CommandOutcome) throws {
        let wall = Date()
        let messages = try loop.validator.finish(id, outcome, wall: wall)
        do {
            try loop.validator.writeDown(wall)
        } catch {
            loop.complain("the answer to a command could not be stored: \(error)", key: "answer")
        }
        for message in messages { send(message) }
    }

    func sendDiscovery() throws {
        for message in try loop.discovery?.messages() ?? [] { send(message) }
    }

    /// Home Assistant loses all states when it restarts. Sends the description first, then everything else again.
    func answerBirth(_ now: ContinuousClock.Instant) throws {
        for message in try loop.discovery?.messages(afterBirth: true) ?? [] { send(message) }
        for message in try loop.outgoing.retained.dueMessages(now, sid: sid, everything: true) { send(message) }
        let health = try loop.outgoing.repeatHealth(outbox: outbox, connection: connectionHealth())
        if let health { send(health) }
        send(try status(.online))
    }
}
