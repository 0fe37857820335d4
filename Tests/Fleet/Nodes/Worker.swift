import Foundation
import History
import Synchronization

/// A thread with its share of the nodes.
final class Worker: Sendable {
    private let settings: FleetSettings
    private let numbers: [Int]
    private let state = Mutex(State())

    /// Where the thread is.
    enum Phase: Sendable { case opening, opened, running, ended }

    /// Sums over the worker's nodes.
    struct Figures: Sendable {
        var made = 0
        var pending = 0
        var online = 0
    }

    private struct State: Sendable {
        var phase = Phase.opening
        var orders: [Order] = []
        var figures = Figures()
    }

    init(_ numbers: [Int], _ settings: FleetSettings) {
        self.numbers = numbers
        self.settings = settings
    }

    var phase: Phase { state.withLock { $0.phase } }
    var figures: Figures { state.withLock { $0.figures } }

    /// Opens the histories on a thread of their own.
    func open() {
        let thread = Thread {
            do { try self.run() } catch {
                Lines.put(["at": "failed", "reason": .text(String(describing: error))])
                exit(1)
            }
        }
        thread.start()
    }

    /// Lets the nodes connect, once all histories are open.
    func begin() { state.withLock { $0.phase = .running } }

    func give(_ order: Order) { state.withLock { $0.orders.append(order) } }

    private func run() throws {
        var nodes: [SimulatedNode?] = try numbers.map { try SimulatedNode($0, settings) }
        state.withLock { $0.phase = .opened }
        while phase == .opened { Thread.sleep(forTimeInterval: 0.02) }
        for node in nodes { node?.start() }
        var isEnding = false
        while !isEnding {
            let tick = ContinuousClock.now
            for order in takeOrders() {
                if order.kind == .quit { isEnding = true }
                try carryOut(order, on: nodes)
            }
            for place in nodes.indices { try step(place, of: &nodes) }
            sum(nodes)
            let left = 0.1 - (ContinuousClock.now - tick).inSeconds
            if left > 0 { Thread.sleep(forTimeInterval: left) }
        }
        try close(nodes)
        state.withLock { $0.phase = .ended }
    }

    private func takeOrders() -> [Order] {
        state.withLock { state in
            let orders = state.orders
            state.orders = []
            return orders
        }
    }

    private func carryOut(_ order: Order, on nodes: [SimulatedNode?]) throws {
        if order.kind == .stop || order.kind == .quit {
            for node in nodes { try node?.finish() }
            return
        }
        guard let number = order.node, let place = numbers.firstIndex(of: number), let node = nodes[place] else {
            return
        }
        switch order.kind {
        case .restore: try node.backUp(restoreAfter: .seconds(order.seconds ?? 15))
        case .pick: node.pick()
        case .delete: if let id = order.id { try node.delete(id) }
        case .stop, .quit: break
        }
    }

    private func step(_ place: Int, of nodes: inout [SimulatedNode?]) throws {
        let now = ContinuousClock.now
        try nodes[place]?.step(now)
        guard let backup = nodes[place]?.backup, now >= backup.due else { return }
        let (before, made) = try retire(nodes[place])
        // The history's lock is released with the node.
        nodes[place] = nil
        let aside = try restore(backup.path, node: numbers[place])
        let node = try SimulatedNode(numbers[place], settings, made: made)
        node.say(
            "restored",
            ["before": .text(before), "epoch": .text(node.store.identity.epoch), "aside": .text(aside)])
        node.start()
        nodes[place] = node
    }

    private func retire(_ node: SimulatedNode?) throws -> (epoch: String, made: Int) {
        guard let node else { return ("", 0) }
        try node.retire()
        return (node.store.identity.epoch, node.made)
    }

    /// Replaces the history. Its thread may need a moment more to let go of it.
    private func restore(_ copy: String, node: Int) throws -> String {
        let path = SimulatedNode.path(node, settings)
        for _ in 0..<300 {
            do { return try Store.restore(copy, to: path) ?? "" } catch HistoryError.locked {
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        return try Store.restore(copy, to: path) ?? ""
    }

    private func sum(_ nodes: [SimulatedNode?]) {
        var figures = Figures()
        for case let node? in nodes {
            figures.made += node.made
            figures.pending += node.pending
            figures.online += node.isOnline ? 1 : 0
        }
        let new = figures
        state.withLock { $0.figures = new }
    }

    private func close(_ nodes: [SimulatedNode?]) throws {
        Publishers.stop(nodes.compactMap { $0?.publisher })
        for node in nodes { try node?.store.close() }
    }
}
