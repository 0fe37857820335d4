import Agent
import Broker
import CommandLineProgram
import Configuration
import Foundation
import History
import Messaging
import Records
import TOMLSettings
import Workouts

/// Where one name is, or was until it was deleted.
struct PersonTraces: Encodable {
    /// The name as it was written last.
    var name: String
    /// How many workouts have it.
    var workouts = 0
    /// How many records of the log, and answers to commands and requests.
    var records = 0, commands = 0
    /// How many codes of members.
    var codes = 0
    /// Training clips, relative to their folder.
    var clips: [String] = []
    /// The databases beside the history.
    var copies: [HistoryCopy] = []
    /// Topics whose retained message has the name.
    var topics: [String] = []
    /// What could not be looked at.
    var problems: [String] = []
    /// What no command reaches.
    var unreached: [String] = []
    /// The name and the nicknames that the person had. They are looked for at the broker and are not told.
    var names: [String] = []

    enum CodingKeys: String, CodingKey {
        case name, workouts, records, commands, codes, clips, copies, topics, problems
        case unreached = "not_reached"
    }

    /// Whether the name is nowhere.
    var isEmpty: Bool {
        workouts + records + commands + codes + clips.count + topics.count == 0
            && copies.allSatisfy { $0.workouts == 0 }
    }

    /// The copies that cannot be read.
    var copyProblems: [String] { copies.compactMap(\.problem) }
}

/// All places of a node where a name may be.
struct PersonPlaces {
    let query: HistoryQuery
    let clips: NamedClips
    private let database: Database.Options
    private let path: String
    private let configuration: Configuration

    init(_ database: Database.Options) throws {
        self.database = database
        path = try database.path()
        query = try HistoryQuery(path: path)
        try MadeUpNotice.show(query)
        configuration = try database.configurationFile.read()
        clips = NamedClips(beside: path)
    }

    static func areSame(_ one: String, _ other: String) -> Bool { PersonName.areSame(one, other) }

    /// Everything that has the name.
    ///
    /// - Throws: ``WorkoutCommand/Unknown`` where nothing has it.
    func traces(of name: String) throws -> PersonTraces {
        var traces = PersonTraces(name: try query.people().first { Self.areSame($0.name, name) }?.name ?? name)
        let workouts = try query.workouts(ofPerson: name)
        let codes = try query.memberCodes().filter { $0.isCalled(name) || $0.hasNickname(name) }
        traces.workouts = workouts.count
        traces.names = [name] + workouts.compactMap(\.body.nickname) + codes.map(\.nickname)
        (traces.records, traces.commands) = try query.recordsAndCommands(with: name)
        traces.codes = codes.count
        traces.clips = clips.files(of: name)
        traces.copies = Store.copies(beside: path, with: name, deleting: false)
        askBroker(&traces, deleting: false)
        traces.problems += traces.copyProblems
        traces.unreached = try unreached(name)
        if traces.isEmpty { throw try unknown(name) }
        return traces
    }

    /// Deletes the name everywhere.
    ///
    /// - Returns: what had the name, and what could not be reached.
    func forget(_ name: String, _ before: PersonTraces) throws -> PersonTraces {
        var traces = before
        try deleteInHistory(name)
        // A node that runs has done this already, if it may write there; what it left is done now.
        let removal = try NameRemoval(of: name, beside: path)
        let changed = before.copies.filter { copy in !removal.copies.contains { $0.path == copy.path } }
        traces.copies = (changed.filter { $0.problem == nil } + removal.copies).sorted { $0.path < $1.path }
        traces.problems = traces.copyProblems
        askBroker(&traces, deleting: true)
        // Receivers are asked last: the deletion itself is what they have to fetch.
        traces.unreached = try unreached(name)
        return traces
    }

    private func deleteInHistory(_ name: String) throws {
        guard Store.holder(of: path) == nil else {
            _ = try database.ask(.nameDelete, ["name": name])
            return
        }
        let store = try Store(path: path, settings: try database.settings())
        let result = Result { try store.deleteName(name, wall: Date()) }
        try store.close()
        _ = try result.get()
    }

    // MARK: - The broker

    /// A node that was never connected has left nothing at a broker.
    private func askBroker(_ traces: inout PersonTraces, deleting: Bool) {
        do {
            let homes = FormerHomes(note: try Store.value(of: .homes, in: query)).all
            let wasConnected = try !homes.isEmpty || Store.value(of: .sent, in: query) != nil
            guard configuration.mqtt.enabled else {
                if wasConnected {
                    traces.unreached.append("what the broker retains: MQTT is switched off in the configuration")
                }
                return
            }
            do {
                let topics = try namedTopics(homes, traces.names, deleting: deleting)
                traces.topics = Set(traces.topics + topics).sorted()
            } catch {
                guard wasConnected else { return }
                traces.problems.append("what the broker retains was not looked at (\(error))")
            }
        } catch {
            traces.problems.append("what the broker retains was not looked at (\(error))")
        }
    }

    private func namedTopics(_ homes: [TopicHome], _ names: [String], deleting: Bool) throws -> [String] {
        let settings = configuration.mqttSettings
        let node = try settings.node ?? query.summary().node
        let home = TopicHome(prefix: settings.prefix, site: settings.site, node: node)
        let probe = try MQTTProbe(settings.broker, patience: .seconds(5))
        defer { probe.disconnect() }
        let broker = NameAtBroker(homes + (node.isEmpty ? [] : [home]), names: names)
        let topics = try broker.topics(probe)
        if deleting { try broker.remove(topics, probe) }
        return topics
    }

    // MARK: - What is out of reach

    private func unreached(_ name: String) throws -> [String] {
        var places = try query.waitingReceivers().map {
            "the receiver \($0.name): it deletes the name when it has fetched \($0.records.counted("record"))"
        }
        let others = clips.people().filter { !Self.areSame($0, name) }
        if !others.isEmpty {
            places.append("clips that were recorded under another name: \(others.joined(separator: ", "))")
        }
        let shares = configuration.shares.filter { share in
            share.people.isEmpty || share.people.contains { Self.areSame($0, name) }
        }
        if !shares.isEmpty {
            let names = shares.map(\.name).joined(separator: ", ")
            places.append("what was sent to the recipients of shares (\(names)): ask them to delete it")
        }
        return places + NameRemoval.unreached
    }

    /// Nothing has the name.
    func unknown(_ name: String) throws -> WorkoutCommand.Unknown {
        PersonNames.unknown(name, among: try query.people().map(\.name) + clips.people())
    }
}

/// Looks for the name that a person meant.
enum PersonNames {
    /// The error for a name that nobody has, with the nearest one that a person has.
    static func unknown(_ name: String, among names: [String]) -> WorkoutCommand.Unknown {
        let keys = Dictionary(names.map { (PersonName.key($0), $0) }) { first, _ in first }
        let nearest = NearestName.of(PersonName.key(name), among: keys.keys.sorted()).flatMap { keys[$0] }
        return WorkoutCommand.Unknown(
            description: "nobody has the name '\(name)'" + (nearest.map { ": did you mean '\($0)'?" } ?? ";")
                + " `spotter person list` lists all names")
    }
}

/// The same for people.
struct PersonWords {
    private let traces: PersonTraces

    init(_ traces: PersonTraces) { self.traces = traces }

    /// Where the name is.
    var found: [String] { ["\(traces.name) is stored here:"] + places + notReached("No command reaches:") }

    /// What was deleted.
    var forgotten: [String] { ["\(traces.name) was deleted here:"] + places + notReached("Not reached:") }

    private var places: [String] {
        let history = [
            traces.workouts.counted("workout"), traces.records.counted("record"),
            traces.commands.counted("answer to a command", "answers to commands"),
            traces.codes.counted("member's code", "members' codes"),
        ]
        var lines = ["  history  \(history.joined(separator: ", "))"]
        lines += traces.clips.map { "  clip     \($0)" }
        lines += traces.copies.filter { $0.problem == nil }.map {
            "  copy     \($0.path): \($0.workouts.counted("workout"))"
        }
        return lines + traces.topics.map { "  broker   \($0)" }
    }

    private func notReached(_ title: String) -> [String] {
        let all = traces.problems + traces.unreached
        return all.isEmpty ? [] : [title] + all.map { "  \($0)" }
    }
}
