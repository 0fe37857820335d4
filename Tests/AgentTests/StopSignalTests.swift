import Agent
import Testing

@Suite struct StopSignalTests {
    private let signal = StopSignal()
    private let stopped = Happenings<String>()

    private func open(_ camera: String, as source: String) {
        signal.set({ [stopped] in stopped.add(source) }, of: camera)
    }

    @Test func `one camera's source is stopped and no other`() {
        open("rack1", as: "first")
        open("rack2", as: "second")
        signal.stop("rack1")
        signal.stop("rack3")
        #expect(stopped.all == ["first"] && !signal.isStopping)
        #expect(signal.wasStopped("rack1") && !signal.wasStopped("rack2") && !signal.wasStopped("rack3"))
    }

    @Test func `a reopened source is not stopped and replaces the old one`() {
        open("rack1", as: "first")
        signal.stop("rack1")
        open("rack1", as: "second")
        #expect(!signal.wasStopped("rack1"))
        signal.stop("rack1")
        #expect(stopped.all == ["first", "second"])
    }

    @Test func `a source that has ended is not stopped`() {
        open("rack1", as: "first")
        signal.forget("rack1")
        signal.stop("rack1")
        signal.stopAll()
        #expect(stopped.all == [] && !signal.wasStopped("rack1"))
    }

    @Test func `a source that is opened after the node began to stop is stopped at once`() {
        signal.stopAll()
        open("rack1", as: "late")
        #expect(signal.isStopping && stopped.all == ["late"])
    }

    @Test func `no source stays open when the node stops while sources are opened on all sides`() async {
        for _ in 0..<50 {
            let (signal, stopped) = (StopSignal(), Happenings<Int>())
            await onThreads(4) { thread in
                if thread == 0 {
                    signal.stopAll()
                } else {
                    for index in 0..<10 {
                        let source = thread * 10 + index
                        signal.set({ stopped.add(source) }, of: "rack\(source)")
                    }
                }
            }
            #expect(Set(stopped.all) == Set(10..<40))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a sleep ends when the node stops, and when its task is cancelled`() async {
        let signal = signal
        // Longer than any test may take.
        let sleeper = Task { await signal.sleep(.seconds(100_000)) }
        let cancelled = Task { await signal.sleep(.seconds(100_000)) }
        cancelled.cancel()
        await cancelled.value
        #expect(!signal.isStopping)
        signal.stopAll()
        await sleeper.value
    }
}
