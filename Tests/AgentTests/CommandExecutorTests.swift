import Agent
import Configuration
import Foundation
import History
import Logging
import Messaging
import Records
import Testing

@Suite struct CommandExecutorTests {
    private let fixture: NodeFixture
    private let store: Store
    private let levels = LogLevelOverride(.info)
    private let happenings = Happenings<String>()

    init() throws {
        fixture = try NodeFixture()
        store = try Store(path: fixture.database)
    }

    /// Executes the commands of a node with four cameras.
    private func executor(path: String? = nil) throws -> CommandExecutor {
        let configuration = fixture.configuration((0..<4).map { fixture.camera("rack\($0)") })
        return try executor(configuration, path: path)
    }

    private func executor(
        _ configuration: Configuration, path: String? = nil, alarms: [Alarm] = []
    ) throws -> CommandExecutor {
        let executor = try CommandExecutor(
            configuration, path: path, store: store, models: ModelChoice(configuration: configuration, store: store),
            alarms: AlarmBoard(open: alarms), levelOverride: levels, logger: fixture.log.logger())
        executor.onRestart { [happenings] in happenings.add("restart") }
        return executor
    }

    /// The path of a configuration file with this name of the node.
    private func file(_ name: String) throws -> String {
        let file = fixture.folder.file("config.toml")
        try Data("[node]\nname = \"\(name)\"\n".utf8).write(to: file)
        return file.path
    }

    private func error(_ outcome: CommandOutcome) -> CommandError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    @Test func `commands take effect and are answered in the order they came in`() async throws {
        let executor = try executor()
        let answers = Happenings<CommandOutcome>()
        for index in 0..<20 { executor.submit(.setCamera("rack0", enabled: index % 2 == 1)) { answers.add($0) } }
        let last = await outcome { executor.submit(.setCamera("rack0", enabled: false), done: $0) }
        #expect(try last.get() == ["camera": "rack0", "enabled": false, "persisted": true])
        let enabled = try answers.all.compactMap { try $0.get()["enabled"]?.bool }
        #expect(enabled == (0..<20).map { $0 % 2 == 1 })
        #expect(!executor.switches.isOn("rack0"))
    }

    @Test func `an acknowledged alarm is in the history before the command is answered`() async throws {
        let moment = Date(timeIntervalSince1970: 1_800_000_000)
        let alarms = (0..<3).map {
            Alarm(
                id: UUIDv7.string(at: moment + Double($0)), camera: "rack\($0)", zone: nil, cause: .fall, since: moment,
                raised: moment + Double($0))
        }
        try store.save(alarms)
        let executor = try executor(fixture.configuration([fixture.camera("rack0")]), alarms: alarms)
        let first = await outcome { executor.submit(.acknowledgeAlarm(alarms[1].id), done: $0) }
        #expect(try first.get() == ["acknowledged": .list([.text(alarms[1].id)])])
        #expect(try store.query.openAlarms().map(\.id) == [alarms[2].id, alarms[0].id])
        let again = await outcome { executor.submit(.acknowledgeAlarm(alarms[1].id), done: $0) }
        #expect(error(again)?.code == .unknownAlarm)
        let all = await outcome { executor.submit(.acknowledgeAlarm(nil), done: $0) }
        #expect(try all.get() == ["acknowledged": .list([.text(alarms[0].id), .text(alarms[2].id)])])
        #expect(try store.query.openAlarms().isEmpty)
    }

    @Test func `commands from several threads are each answered once, and each sender's last one holds`() async throws {
        let executor = try executor()
        let answers = Happenings<CommandOutcome>()
        await onThreads(4) { thread in
            for index in 0..<8 {
                executor.submit(.setCamera("rack\(thread)", enabled: index % 2 == thread % 2)) { answers.add($0) }
            }
        }
        // The last command is answered last.
        _ = await outcome { executor.submit(.checkConfiguration, done: $0) }
        let fields = try answers.all.map { try $0.get() }
        #expect(fields.count == 32)
        for thread in 0..<4 {
            let mine = fields.filter { $0["camera"]?.text == "rack\(thread)" }.compactMap { $0["enabled"]?.bool }
            #expect(mine == (0..<8).map { $0 % 2 == thread % 2 })
            #expect(executor.switches.isOn("rack\(thread)") == (thread % 2 == 1))
        }
    }

    @Test func `an unknown camera is refused with a list of the known ones, and nothing is published`() async throws {
        let executor = try executor()
        executor.onSwitch { [happenings] camera in happenings.add(camera) }
        let refused = await outcome { executor.submit(.setCamera("rack9", enabled: false), done: $0) }
        #expect(error(refused)?.code == .unknownCamera)
        #expect(error(refused)?.message.hasSuffix("known: rack0, rack1, rack2, rack3") == true)
        _ = await outcome { executor.submit(.setCamera("rack1", enabled: false), done: $0) }
        #expect(happenings.all == ["rack1"])
    }

    @Test func `a switch that cannot be stored is refused as temporary, and stays as it was`() async throws {
        let executor = try executor()
        try store.simulateReadOnly(true)
        let refused = await outcome { executor.submit(.setCamera("rack1", enabled: false), done: $0) }
        #expect(error(refused)?.code == .failed && error(refused)?.retryable == true)
        #expect(executor.switches.isOn("rack1"))
    }

    @Test func `the answer for a recording that has ended says that it begins at the next start`() async throws {
        let executor = try executor(fixture.configuration([fixture.camera("clip", source: "clip.mp4", enabled: false)]))
        let answer = await outcome { executor.submit(.setCamera("clip", enabled: true), done: $0) }
        #expect(try answer.get()["restart_required"] == true)
        executor.sessionEnds.supervise("clip")
        let again = await outcome { executor.submit(.setCamera("clip", enabled: true), done: $0) }
        #expect(try again.get()["restart_required"] == nil, "one that was only switched off goes on by itself")
    }

    @Test func `a restart is answered before it begins`() async throws {
        let executor = try executor()
        #expect(!executor.wantsRestart)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            executor.onRestart { [happenings] in
                happenings.add("restart")
                continuation.resume()
            }
            executor.submit(.restart) { [happenings] _ in happenings.add("answer") }
        }
        #expect(happenings.all == ["answer", "restart"] && executor.wantsRestart)
    }

    @Test func `a reload is answered before it restarts`() async throws {
        let executor = try executor(path: try file("Hall"))
        _ = try file("Cellar")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            executor.onRestart { [happenings] in
                happenings.add("restart")
                continuation.resume()
            }
            executor.submit(.reload) { [happenings] _ in happenings.add("answer") }
        }
        #expect(happenings.all == ["answer", "restart"])
    }

    @Test func `a node that is restarting ignores a second restart`() throws {
        let executor = try executor()
        executor.restart("the clock was set")
        executor.restart("the database is gone")
        #expect(happenings.all == ["restart"] && fixture.log.count("the database is gone") == 0)
    }

    @Test func `a reload without a change restarts nothing`() async throws {
        let executor = try executor(path: try file("Hall"))
        let answer = await outcome { executor.submit(.reload, done: $0) }
        #expect(try answer.get() == ["restarting": false])
        #expect(!executor.wantsRestart && happenings.all == [])
    }

    @Test func `a reload of a changed file restarts`() async throws {
        let executor = try executor(path: try file("Hall"))
        _ = try file("Cellar")
        let check = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(try check.get() == ["ok": true, "restart_required": true])
        #expect(!executor.wantsRestart, "a check changes nothing")
        let answer = await outcome { executor.submit(.reload, done: $0) }
        #expect(try answer.get() == ["restarting": true])
        // The restart follows the answer; the queue goes on after it.
        _ = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(executor.wantsRestart && happenings.all == ["restart"])
    }

    @Test func `a reload restarts for a changed model, too`() async throws {
        var configuration = fixture.configuration([])
        configuration.recognition.model = fixture.folder.file("own.safetensors").path
        let executor = try executor(configuration)
        let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Models")
        try FileManager.default.copyItem(
            at: shipped.appending(path: "exercises.safetensors"), to: fixture.folder.file("own.safetensors"))
        let check = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(try check.get() == ["ok": true, "restart_required": true])
        let answer = await outcome { executor.submit(.reload, done: $0) }
        #expect(try answer.get() == ["restarting": true])
    }

    @Test func `a node that would not come back does not restart`() async throws {
        let path = try file("Hall")
        let executor = try executor(path: path)
        try Data("[recognition]\nexercises = [\"sqat\"]\n".utf8).write(to: URL(filePath: path))
        let check = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(try check.get()["ok"] == false && check.get()["problem"]?.text?.contains("sqat") == true)
        let refused = await outcome { executor.submit(.reload, done: $0) }
        #expect(error(refused)?.code == .failed && executor.problem?.code == "config_invalid")
        var configuration = fixture.configuration([])
        configuration.recognition.model = fixture.folder.file("own.safetensors").path
        let other = try self.executor(configuration)
        try Data("half a model".utf8).write(to: fixture.folder.file("own.safetensors"))
        let damaged = await outcome { other.submit(.reload, done: $0) }
        #expect(error(damaged)?.message.contains("own.safetensors") == true)
        #expect(!executor.wantsRestart && !other.wantsRestart && happenings.all == [])
    }

    @Test func `a broken file is reported as a problem until it is valid again`() async throws {
        let path = try file("Hall")
        let executor = try executor(path: path)
        try Data("[node\n".utf8).write(to: URL(filePath: path))
        let refused = await outcome { executor.submit(.reload, done: $0) }
        #expect(error(refused)?.code == .failed && executor.problem?.code == "config_invalid")
        #expect(executor.problem?.message?.contains("config.toml:") == true && !executor.wantsRestart)
        let check = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(try check.get()["ok"] == false)
        _ = try file("Hall")
        _ = await outcome { executor.submit(.reload, done: $0) }
        #expect(executor.problem == nil && !executor.wantsRestart)
    }

    @Test func `a SIGHUP that cannot be carried out is logged`() async throws {
        let path = try file("Hall")
        let executor = try executor(path: path)
        try Data("[node\n".utf8).write(to: URL(filePath: path))
        executor.hangUp()
        _ = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(fixture.log.count("error ") == 1 && fixture.log.count("config.toml:") == 1)
    }

    @Test func `the log level is overridden, and an unknown level is refused`() async throws {
        let executor = try executor()
        let refused = await outcome { executor.submit(.setLogLevel("loud", seconds: 60), done: $0) }
        #expect(error(refused)?.code == .invalidArguments && levels.level == .info)
        let answer = await outcome { executor.submit(.setLogLevel("debug", seconds: 100_000), done: $0) }
        #expect(try answer.get() == ["level": "debug", "for_s": 100_000])
        #expect(levels.level == .debug)
    }

    @Test func `a model is stored before the restart that loads it, and an unknown one is refused`() async throws {
        let executor = try executor()
        let refused = await outcome { executor.submit(.setModel("nobody"), done: $0) }
        #expect(error(refused)?.code == .unknownModel && !executor.wantsRestart)
        let name = try fixture.configuration([]).classifier().description.name
        executor.onRestart { [store, happenings] in
            happenings.add((try? store.value(of: .model)) ?? "nothing")
        }
        let answer = await outcome { executor.submit(.setModel(name), done: $0) }
        #expect(try answer.get()["restarting"] == true)
        // The restart follows the answer; the queue goes on after it.
        _ = await outcome { executor.submit(.checkConfiguration, done: $0) }
        #expect(happenings.all == [name])
    }

    @Test func `a preview is refused while the camera delivers nothing`() async throws {
        let executor = try executor()
        let refused = await outcome { executor.submit(.preview(camera: "rack0", seconds: 5), done: $0) }
        #expect(error(refused)?.retryable == true)
        executor.sessionEnds.begin("rack0")
        let answer = await outcome { executor.submit(.preview(camera: "rack0", seconds: 5), done: $0) }
        #expect(try answer.get() == ["camera": "rack0", "seconds": 5])
    }
}
