import ArgumentParser
import Foundation
import Records

/// Many nodes in one process: real histories and real publishers, people who were made up.
@main
struct FleetNodes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-nodes", abstract: "Simulates many nodes with the real record log and the real publisher.")

    @Option(help: "The nodes of the whole run.")
    var nodes = 1000

    @Option(help: "The number of this process's first node.")
    var first = 0

    @Option(help: "How many nodes this process has (default: all).")
    var count: Int?

    @Option(help: "Each node has its own folder in this one.")
    var folder: String

    @Option(help: "The brokers' address.")
    var host = "127.0.0.1"

    @Option(help: "A broker's port; the nodes are spread over all that are given.")
    var port: [Int] = [1883]

    @Option(help: "The file with the password of all nodes; a node's user is its id.")
    var passwordFile: String?

    @Option(help: "Records per second of the whole run.")
    var rate = 180.0

    @Option(help: "How long records are made, seconds.")
    var seconds = 600.0

    @Option(help: "How much faster than the clock the people exercise.")
    var speed = 20.0

    @Option(help: "The beginning of all random numbers.")
    var seed: UInt64 = 1

    @Option(help: "What the sites' names begin with.")
    var sitePrefix = "gym-"

    @Option(help: "Nodes of one site.")
    var nodesPerSite = 4

    @Option(help: "The longest wait between two attempts to connect, seconds.")
    var lastRetry = 60.0

    @Option(help: "The shortest time between two commits of a node, seconds.")
    var commitInterval = 1.0

    @Option(help: "Threads that share the nodes.")
    var threads = 2

    func validate() throws {
        guard nodes > 0, first >= 0, threads > 0, nodesPerSite > 0, !port.isEmpty, rate >= 0, seconds > 0, speed > 0
        else { throw ValidationError("Counts, times and rates are positive.") }
        guard 1...LowDescriptors.maximumNodes ~= (count ?? nodes) else {
            throw ValidationError("A process has 1 to \(LowDescriptors.maximumNodes) nodes: see --first and --count.")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let settings = FleetSettings(
            folder: URL(fileURLWithPath: folder), host: host, ports: port, passwordFile: passwordFile,
            sitePrefix: sitePrefix, nodesPerSite: nodesPerSite, recordsPerSecond: rate / Double(nodes),
            seconds: seconds, speed: speed, seed: seed, lastRetry: .seconds(lastRetry),
            commitInterval: .seconds(commitInterval))
        let numbers = Array(first..<first + (count ?? nodes))
        let workers = (0..<threads).map { share in
            Worker(numbers.filter { ($0 - first) % threads == share }, settings)
        }
        open(workers)
        Lines.put(["at": "ready", "first": .integer(Int64(first)), "nodes": .integer(Int64(numbers.count))])
        report(workers)
        listen(workers)
        for worker in workers { worker.give(Order(.quit)) }
        wait(for: .ended, workers)
        Lines.put(["at": "ended"])
    }

    /// Opens all histories before the first connection, because connections need low descriptors.
    private func open(_ workers: [Worker]) {
        let low = LowDescriptors()
        for worker in workers { worker.open() }
        wait(for: .opened, workers)
        low.release()
        for worker in workers { worker.begin() }
    }

    private func wait(for phase: Worker.Phase, _ workers: [Worker]) {
        while !workers.allSatisfy({ $0.phase == phase }) { Thread.sleep(forTimeInterval: 0.05) }
    }

    /// Says every second how far the nodes are.
    private func report(_ workers: [Worker]) {
        let thread = Thread {
            while true {
                let all = workers.map(\.figures)
                Lines.put([
                    "at": "progress", "made": .integer(Int64(all.reduce(0) { $0 + $1.made })),
                    "pending": .integer(Int64(all.reduce(0) { $0 + $1.pending })),
                    "online": .integer(Int64(all.reduce(0) { $0 + $1.online })),
                ])
                Thread.sleep(forTimeInterval: 1)
            }
        }
        thread.start()
    }

    /// Passes orders on until the last one, or until nobody can give any more.
    private func listen(_ workers: [Worker]) {
        while let line = readLine() {
            do {
                let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
                if order.kind == .quit { return }
                for worker in workers { worker.give(order) }
                Lines.put(["at": "taken", "do": .text(order.kind.rawValue)])
            } catch {
                Lines.put(["at": "refused", "line": .text(line), "reason": .text(String(describing: error))])
            }
        }
    }
}
