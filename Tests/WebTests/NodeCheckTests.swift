import Diagnostics
import Foundation
import Synchronization
import Testing
import Web

/// Who gets which check of the node.
@Suite(.timeLimit(.minutes(2))) struct NodeCheckTests {
    private final class Checks: Sendable {
        let begun = Mutex(0)
        let stopped = Mutex(0)
        let gate = DispatchSemaphore(value: 0)
    }
    private let checks = Checks()

    /// A check that goes on until it is let go, or stopped.
    private func check() -> NodeCheck {
        NodeCheck(pool: WorkPool()) { [checks] stop in
            checks.begun.withLock { $0 += 1 }
            while checks.gate.wait(timeout: .now() + 0.01) == .timedOut {
                guard !stop.isAsked else {
                    checks.stopped.withLock { $0 += 1 }
                    throw CancellationError()
                }
            }
            return []
        }
    }

    private func eventually(_ isTrue: () -> Bool) async throws -> Bool { try await PictureFixture.wait(until: isTrue) }

    @Test func `all who ask while a check runs get its result, and the next one gets a new one`() async throws {
        let check = check()
        let askers = (0..<20).map { _ in Task { try await check.findings() } }
        #expect(try await eventually { checks.begun.withLock { $0 } == 1 })
        try await Task.sleep(for: .milliseconds(50))
        checks.gate.signal()
        for asker in askers { #expect(try await asker.value.isEmpty) }
        #expect(checks.begun.withLock { $0 } == 1)
        checks.gate.signal()
        #expect(try await check.findings().isEmpty)
        #expect(checks.begun.withLock { $0 } == 2)
    }

    @Test func `who leaves takes nobody's result away`() async throws {
        let check = check()
        let (gone, patient) = (Task { try await check.findings() }, Task { try await check.findings() })
        #expect(try await eventually { checks.begun.withLock { $0 } == 1 })
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        checks.gate.signal()
        #expect(try await patient.value.isEmpty)
        #expect(checks.stopped.withLock { $0 } == 0)
    }

    @Test func `when all have left the check stops, and a newcomer gets another one`() async throws {
        let check = check()
        let gone = (0..<3).map { _ in Task { try await check.findings() } }
        #expect(try await eventually { checks.begun.withLock { $0 } == 1 })
        try await Task.sleep(for: .milliseconds(50))
        for asker in gone { asker.cancel() }
        for asker in gone { await #expect(throws: CancellationError.self) { try await asker.value } }
        let newcomer = Task { try await check.findings() }
        #expect(try await eventually { checks.stopped.withLock { $0 } == 1 && checks.begun.withLock { $0 } == 2 })
        checks.gate.signal()
        #expect(try await newcomer.value.isEmpty)
    }

    @Test func `a check ends between two of its parts`() throws {
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try Doctor(path: nil, environment: ["SPOTTER_MQTT_ENABLED": "false"]).findings { _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
    }
}
