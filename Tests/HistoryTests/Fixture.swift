import Actions
import Foundation
import GRDB
import History
import TestSupport

/// A test's directory, deleted with the value, and shorthands for the recognition chain's results.
final class Fixture: Sendable {
    let directory: URL
    /// 2026-11-21, 12:00 in Berlin.
    static let noon = Date(timeIntervalSince1970: 1_795_258_800)
    /// A synchronised clock, independent of the machine's own.
    static let clock = ClockReading(state: .synced, uptimeMs: 5000, boot: "f1f1f1f1")
    static let model = ModelStamp(id: "gym14@9f2c41", framesPerSecond: 30)

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "spotter-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var path: String { directory.appendingPathComponent("spotter.db").path }

    func open(
        zone: String = "Europe/Berlin", node: String? = nil, wall: Date = noon, path: String? = nil
    ) throws -> Store {
        let settings = HistorySettings(timeZone: TimeZone(identifier: zone) ?? .gmt, nodeId: node)
        return try Store(path: path ?? self.path, settings: settings, wall: wall, clock: Self.clock)
    }

    func writer(_ store: Store) throws -> HistoryWriter {
        try HistoryWriter(store: store, model: Fixture.model) { Self.clock }
    }

    /// Copies the files while the store is open, as a power cut or `kill -9` would leave them.
    func copyOfRunningFiles() throws -> String {
        let copy = directory.appendingPathComponent("copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: copy.appendingPathComponent("spotter.db").path + suffix)
        }
        return copy.appendingPathComponent("spotter.db").path
    }

    static func prediction(
        _ label: String, frames: Int = 10, track: Int? = 1, confidence: Float = 0.9
    ) -> Prediction {
        Prediction(
            track: track, start: 0, end: 2, label: label, confidence: confidence, probabilities: [], poseShare: 1,
            frames: frames)
    }

    static func session(
        _ id: String, frames: Int = 300, reps: Int? = 5, start: Date = noon, end: Date? = nil,
        reason: Session.EndReason? = nil, camera: String = "rack1", label: String = "squat"
    ) -> Session {
        let action = ActionTotal(
            label: label, frames: frames, seconds: Double(frames) / 30, reps: reps, meanConfidence: 0.91)
        return Session(
            id: id, camera: camera, track: 1, start: start, end: end ?? start.addingTimeInterval(30),
            endReason: reason, actions: [action], excludedFrames: ["no_person": 40])
    }
}

extension Store {
    /// The first value of a query, as `sqlite3` would print it.
    func ask(_ sql: String) throws -> String? { try pool.read { try String.fetchOne($0, sql: sql) } }
}

/// The real `sqlite3` program on a file.
func sqlite3(_ path: String, _ sql: String) throws -> String {
    let text = try Child("sqlite3", ["-readonly", path, sql]).wholeOutput()
    return text.trimmingCharacters(in: .newlines)
}

/// A small pseudo-random generator with a fixed seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
