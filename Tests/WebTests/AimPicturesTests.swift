import Agent
import Capture
import Foundation
import Synchronization
import Testing
import Web

/// Which frames become pictures, for how long, and what remains of them.
@Suite struct AimPicturesTests {
    private let log = PictureFixture.Log()
    private let begin = ContinuousClock.now
    private let taken = Counter()

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    /// An hour, since the times of these tests are made up, and a busy machine may need more than five minutes.
    private let length = 3600

    /// Pictures whose JPEG is one byte: the grey of the picture.
    private func pictures(_ hold: DispatchSemaphore? = nil) -> AimPictures {
        AimPictures(logger: log.logger, pool: WorkPool(), lengthSeconds: length) { [taken] image in
            taken.add()
            hold?.wait()
            return [image.bytes[0]]
        }
    }

    private func time(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

    private func show(_ pictures: AimPictures, at seconds: Double, grey: UInt8 = 128, camera: String = "rack1") {
        pictures.receive(PictureFixture.result(at: time(seconds), grey: grey), camera: camera)
    }

    private func isQuiet(_ pictures: AimPictures) async throws -> Bool {
        try await PictureFixture.wait { !pictures.isEncoding }
    }

    @Test func `nothing is taken while nobody asks, nor of another camera`() async throws {
        let pictures = pictures()
        show(pictures, at: 0)
        pictures.start("rack2", now: begin)
        show(pictures, at: 1)
        #expect(!pictures.isEncoding && taken.count == 0 && pictures.newest(of: "rack1", now: time(1)) == nil)
    }

    @Test func `of thirty frames a second two are taken`() async throws {
        let pictures = pictures()
        pictures.start("rack1", now: begin)
        for frame in 0..<300 {
            show(pictures, at: Double(frame) / 30)
            #expect(try await isQuiet(pictures))
        }
        #expect(taken.count == 20)
    }

    @Test func `while a picture is encoded frames pass by, and the newest comes next`() async throws {
        let hold = DispatchSemaphore(value: 0)
        let pictures = pictures(hold)
        pictures.start("rack1", now: begin)
        pictures.start("rack2", now: begin)
        for second in 0..<10 {
            show(pictures, at: Double(second), grey: UInt8(second))
            show(pictures, at: Double(second), camera: "rack2")
        }
        hold.signal()
        #expect(try await isQuiet(pictures))
        #expect(taken.count == 1 && pictures.newest(of: "rack1", now: time(9)) == Data([0]))
        show(pictures, at: 10, grey: 10)
        hold.signal()
        #expect(try await isQuiet(pictures))
        #expect(taken.count == 2 && pictures.newest(of: "rack1", now: time(10)) == Data([10]))
    }

    @Test func `after their time the pictures end, and the log says so`() async throws {
        let pictures = pictures()
        let request = pictures.start("rack1", now: begin, date: LiveFixture.origin)
        #expect(request.seconds == length && request.until == LiveFixture.origin + 3600)
        show(pictures, at: 0)
        #expect(try await isQuiet(pictures))
        #expect(pictures.newest(of: "rack1", now: time(3599.9)) != nil)
        #expect(pictures.newest(of: "rack1", now: time(3600)) == nil)
        #expect(pictures.request(of: "rack1", now: time(3600)) == nil)
        #expect(log.count("notice the page shows pictures of rack1 for 60 minutes") == 1)
        #expect(log.count("no more pictures") == 0)
        show(pictures, at: 3600)
        #expect(try await isQuiet(pictures))
        #expect(taken.count == 1 && log.count("notice the page shows no more pictures of rack1") == 1)
        // Nothing is left even for those who ask with an older time.
        #expect(pictures.newest(of: "rack1", now: time(1)) == nil)
    }

    @Test func `they end without frames, too`() {
        let pictures = pictures()
        let request = pictures.start("rack1", now: begin)
        pictures.expire(request.id + 1)
        #expect(pictures.request(of: "rack1", now: begin) != nil)
        pictures.expire(request.id)
        #expect(pictures.request(of: "rack1", now: begin) == nil && log.count("no more pictures of rack1") == 1)
    }

    @Test func `asking again does not prolong, and after the end it starts anew`() {
        let pictures = pictures()
        let first = pictures.start("rack1", now: begin)
        let again = pictures.start("rack1", now: time(100))
        #expect(again.id == first.id && again.until == first.until && again.seconds == length - 100)
        #expect(log.count("for 60 minutes") == 1)
        let next = pictures.start("rack1", now: time(3600))
        #expect(next.id != first.id && next.seconds == length)
        #expect(log.count("for 60 minutes") == 2 && log.count("no more pictures") == 1)
        // The first one's end is not the second one's.
        pictures.expire(first.id)
        #expect(pictures.request(of: "rack1", now: time(3600)) != nil)
    }

    @Test(arguments: [true, false])
    func `stopping and the camera's end leave no picture behind`(isStop: Bool) async throws {
        let pictures = pictures()
        pictures.start("rack1", now: begin)
        show(pictures, at: 0)
        #expect(try await isQuiet(pictures))
        #expect(pictures.newest(of: "rack1", now: begin) != nil)
        if isStop { pictures.stop("rack1") } else { pictures.close(LiveFixture.ending(), camera: "rack1") }
        #expect(pictures.request(of: "rack1", now: begin) == nil && log.count("no more pictures of rack1") == 1)
        pictures.start("rack1", now: begin)
        #expect(pictures.newest(of: "rack1", now: begin) == nil)
        pictures.stop("rack2")
        #expect(log.count("no more pictures") == 1)
    }

    @Test func `a picture that is encoded after the end is thrown away`() async throws {
        let hold = DispatchSemaphore(value: 0)
        let pictures = pictures(hold)
        pictures.start("rack1", now: begin)
        show(pictures, at: 0)
        pictures.stop("rack1")
        pictures.start("rack1", now: begin)
        hold.signal()
        #expect(try await isQuiet(pictures))
        #expect(taken.count == 1 && pictures.newest(of: "rack1", now: begin) == nil)
    }

    @Test func `a picture that cannot be encoded is logged, and the next one comes`() async throws {
        struct Damage: Error {}
        let pictures = AimPictures(logger: log.logger, pool: WorkPool(), lengthSeconds: length) { image in
            guard image.bytes[0] > 0 else { throw Damage() }
            return [1]
        }
        pictures.start("rack1", now: begin)
        show(pictures, at: 0, grey: 0)
        #expect(try await PictureFixture.wait { log.count("warning no picture of rack1") == 1 })
        show(pictures, at: 1, grey: 9)
        #expect(try await isQuiet(pictures))
        #expect(pictures.newest(of: "rack1", now: time(1)) == Data([1]))
    }

    @Test func `a large picture becomes a JPEG of 640 pixels`() async throws {
        let pictures = AimPictures(logger: log.logger, pool: WorkPool(), lengthSeconds: length)
        pictures.start("rack1", now: begin)
        pictures.receive(PictureFixture.result(at: begin, width: 1280, height: 720), camera: "rack1")
        #expect(try await isQuiet(pictures))
        let jpeg = try #require(pictures.newest(of: "rack1", now: begin))
        #expect(try await PictureFixture.size(of: jpeg) == [640, 360])
    }
}
