import Foundation
import History
import Records

/// Sends what waits in the history, one after another, and tries again what nobody took.
///
/// It blocks while a receiver answers, so it has an executor of its own. Messages of alerts are also sent while the
/// history cannot be written: they are then kept in memory.
package struct Outbox {
    /// Whom it sends to, and how long it tries.
    package struct Route: Sendable {
        /// Where and how it is sent.
        package let recipient: Recipient
        /// After this long a delivery is given up, seconds.
        package let patienceSeconds: Double

        /// A route of these values.
        package init(_ recipient: Recipient, patienceSeconds: Double) {
            (self.recipient, self.patienceSeconds) = (recipient, patienceSeconds)
        }
    }

    /// Which of the waiting messages an outbox sends. A receiver that is slow delays no other where each has its own.
    package enum Share: Sendable, Equatable {
        /// Those of all recipients.
        case all
        /// Those of one recipient, by the name that deliveries have.
        case one(String)
        /// Those that nobody wants any more, which are forgotten.
        case unwanted
    }

    /// The delays before the second attempt and at most, seconds.
    static let (firstDelay, lastDelay) = (15.0, 3600.0)
    private static let mostAtOnce = 20

    private let store: Store
    private let routes: [String: Route]
    private let node: SendingNode
    private let names: [String: String]
    private let sender: Sender
    private let share: Share
    private let log: (String) -> Void
    /// What the history did not take, and how often each was tried.
    private var unstored: [(delivery: Delivery, tries: Int, due: Date)] = []
    /// What was sent although the history could not forget it.
    private var done: Set<String> = []

    /// - Parameters:
    ///   - routes: by the name that deliveries have.
    ///   - names: the model's names of exercises, by label.
    ///   - log: takes a line for each failure and each success after one.
    package init(
        store: Store, routes: [String: Route], node: SendingNode, names: [String: String], sender: Sender,
        share: Share = .all, log: @escaping (String) -> Void
    ) {
        (self.store, self.routes, self.node, self.names) = (store, routes, node, names)
        (self.sender, self.share, self.log) = (sender, share, log)
    }

    /// Stores the problems that stand and the messages that tell of them. Messages that cannot be stored wait in
    /// memory.
    package mutating func add(
        _ messages: [(alert: String, message: AlertMessage)], standing: [StandingProblem], at wall: Date
    ) {
        let deliveries = messages.compactMap { alert, message -> Delivery? in
            guard let text = try? JSONText.encode(message) else { return nil }
            return Delivery(
                id: UUIDv7.string(at: wall), recipient: Self.name(ofAlert: alert), message: text, made: wall)
        }
        do {
            try store.replaceStandingProblems(standing, adding: deliveries)
        } catch {
            unstored += deliveries.map { ($0, 0, wall) }
        }
    }

    /// How the deliveries of an alert name their recipient.
    package static func name(ofAlert name: String) -> String { "alert \(name)" }

    /// The same for those of a share.
    package static func name(ofShare name: String) -> String { "share \(name)" }

    /// Sends what is due.
    ///
    /// - Parameter isClockRight: whether the time is trusted; if not, nothing is given up for its age.
    /// - Returns: how many attempts were made.
    @discardableResult
    package mutating func pass(at wall: Date, isClockRight: Bool, random: Double = .random(in: 0...1)) -> Int {
        var count = 0
        for index in unstored.indices where unstored[index].due <= wall {
            count += 1
            let (delivery, tries, _) = unstored[index]
            if attempt(delivery, at: wall) == nil {
                unstored[index].due = .distantFuture
            } else {
                unstored[index].tries += 1
                unstored[index].due = wall + Self.delay(after: tries, random)
            }
        }
        unstored.removeAll { $0.due == .distantFuture }
        for delivery in (try? due(at: wall)) ?? [] {
            if done.contains(delivery.id) {
                if (try? store.removeDelivery(delivery.id)) != nil { done.remove(delivery.id) }
                continue
            }
            count += 1
            do { try send(delivery, at: wall, isClockRight, random) } catch {
                // It waits in the history, and is looked at again.
                log("\(error)")
            }
        }
        return count
    }

    private func due(at wall: Date) throws -> [Delivery] {
        switch share {
        case .all: try store.query.dueDeliveries(at: wall, limit: Self.mostAtOnce)
        case .one(let name): try store.query.dueDeliveries(at: wall, limit: Self.mostAtOnce, for: name)
        case .unwanted:
            try store.query.dueDeliveries(at: wall, limit: Self.mostAtOnce, without: routes.keys.sorted())
        }
    }

    private mutating func send(_ delivery: Delivery, at wall: Date, _ isClockRight: Bool, _ random: Double) throws {
        guard let failure = attempt(delivery, at: wall) else {
            done.insert(delivery.id)
            try store.removeDelivery(delivery.id)
            done.remove(delivery.id)
            return
        }
        let patience = routes[delivery.recipient]?.patienceSeconds ?? 0
        let isTooOld = isClockRight && wall.timeIntervalSince(delivery.made) >= patience
        if delivery.tries == 0 || isTooOld {
            let next = isTooOld ? "it is given up" : "it is tried again"
            log("\(delivery.recipient): \(next): \(failure)")
        }
        try store.noteFailure(
            of: delivery.id, failure.description, due: isTooOld ? nil : wall + Self.delay(after: delivery.tries, random)
        )
    }

    /// 15 s, doubled with each attempt up to an hour, and shortened by chance by up to a quarter.
    private static func delay(after tries: Int, _ random: Double) -> Double {
        min(firstDelay * Double(1 << min(tries, 16)), lastDelay) * (1 - random / 4)
    }

    /// Sends once.
    ///
    /// - Returns: why it failed; `nil` when it was taken, or nobody wants it any more.
    private func attempt(_ delivery: Delivery, at wall: Date) -> SendingFailure? {
        guard let route = routes[delivery.recipient], let message = message(delivery) else { return nil }
        do {
            let answer = try sender.send(message, id: delivery.id, to: route.recipient, at: wall)
            if delivery.tries > 0 {
                log("\(delivery.recipient): taken after \((delivery.tries + 1).counted("attempt")): \(answer)")
            }
            return nil
        } catch { return error }
    }

    /// What is sent; `nil` for a workout that was deleted, or whose name was.
    private func message(_ delivery: Delivery) -> Message? {
        if delivery.message != nil { return delivery.alert.map { .alert($0, from: node) } }
        guard let id = delivery.workout, let row = try? store.query.workout(id) else { return nil }
        let efforts = (try? store.query.efforts(ofWorkout: id)) ?? [:]
        return (try? FinishedWorkout(row, efforts: efforts, words: sender.words, names: names)).map {
            .workout($0, from: node)
        }
    }
}

extension Delivery {
    /// The message of an alert that waits; `nil` for a workout.
    package var alert: AlertMessage? {
        message.flatMap { try? JSONDecoder.ofMessages.decode(AlertMessage.self, from: Data($0.utf8)) }
    }
}

extension JSONDecoder {
    /// Times are written with milliseconds.
    fileprivate static var ofMessages: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = Timestamp.date(text: text) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
            }
            return date
        }
        return decoder
    }
}
