import CV4L2
import Capture
import Foundation
import Glibc
import TestSupport
import Testing

/// The contract's scenarios of camera faults, by injected failures.
@Suite struct CameraFaultTests {
    private let fake = FakeCamera()

    private func failure(_ body: () throws -> Void) throws -> CaptureError {
        try #require(throws: CaptureError.self) { try body() }
    }

    @Test("scenario 15: a camera that is unplugged says so at once, after its last whole frame")
    func unplugged() throws {
        fake.set {
            $0.pictures = [FakeCamera.grey(90)]
            $0.after = .gone
        }
        let camera = try fake.camera()
        #expect(try camera.next() != nil)
        #expect(try failure { _ = try camera.next() } == .cameraUnplugged(device: "/dev/video9"))
    }

    @Test("scenario 15: whatever the driver says of it", arguments: [ENODEV, ENXIO, EIO])
    func lost(error: Int32) throws {
        fake.set { $0.pictures = [FakeCamera.grey(90)] }
        let camera = try fake.camera()
        fake.set { $0.failures[cv4l2_dqbuf] = error }
        let failure = try failure { _ = try camera.next() }
        #expect(failure.word == (error == EIO ? "no_frames" : "unplugged"))
    }

    @Test("scenario 15: a camera that says nothing any more is lost")
    func silent() throws {
        let camera = try fake.camera()
        #expect(try failure { _ = try camera.next() }.word == "no_frames")
    }

    @Test("scenario 16: a camera that comes back under another number is the same")
    func replugged() throws {
        let folder = try TemporaryFolder()
        let links = folder.url.appending(path: "v4l/by-id")
        try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
        let name = "usb-Maker_Cam_1234-video-index0"
        func plug(_ number: Int) throws {
            try Data().write(to: folder.file("video\(number)"))
            try FileManager.default.createSymbolicLink(
                atPath: links.appending(path: name).path, withDestinationPath: "../../video\(number)")
        }
        try plug(0)
        let list = CameraList(folder: folder.url.path, calls: fake.calls)
        #expect(list.cameras().found.map(\.id) == [name])
        #expect(list.cameras().found.map(\.source) == [links.appending(path: name).path])

        try FileManager.default.removeItem(at: folder.file("video0"))
        try FileManager.default.removeItem(at: links.appending(path: name))
        #expect(list.path(of: name) == nil)
        try plug(3)
        var settings = V4L2Camera.Settings()
        settings.identity = name
        let camera = try fake.camera(settings, list: list)
        #expect(camera.identity == name)
        #expect(list.cameras().found.map(\.device) == [folder.file("video3").path])
    }

    @Test("scenario 16: where udev names nothing the place of the camera is its identity")
    func replugedWithoutLinks() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("video2"))
        let list = CameraList(folder: folder.url.path, calls: fake.calls)
        #expect(list.cameras().found.map(\.id) == ["usb-1:fake_cam"])
        #expect(list.path(of: "usb-1:fake_cam") == folder.file("video2").path)
    }

    @Test("scenario 17: a frozen picture is not delivered, and after ten seconds the camera is stalled")
    func frozen() throws {
        let source = MonitoredSource(Pictures([10, 20, 30] + Array(repeating: 30, count: 400)), settings: .camera)
        var seen: [UInt8] = []
        let failure = try failure { while let frame = try source.next() { seen.append(frame.image.rgb[0]) } }
        // The first picture can be recognised as frozen only once a second one has come.
        #expect(seen == [20, 30].map { $0 + 100 })
        #expect(failure == .cameraStalled(device: "pictures", picture: .frozen))
        #expect((300...302).contains(source.droppedFrames))
    }

    @Test("scenario 17: black pictures are not delivered either, until there is light")
    func black() throws {
        let dark = Array(repeating: UInt8?.none, count: 100)
        let source = MonitoredSource(Pictures(dark + [5, 6, 7]), settings: .camera)
        var seen = 0
        while try source.next() != nil { seen += 1 }
        #expect(seen == 3 && source.droppedFrames == 100)
        let night = MonitoredSource(Pictures([5, 6] + dark + dark + dark + dark), settings: .camera)
        #expect(
            try failure { while try night.next() != nil {} }
                == .cameraStalled(device: "pictures", picture: .black))
    }

    @Test("scenario 17: an encoder may repeat a still picture for a while")
    func stillStream() throws {
        let source = MonitoredSource(Pictures(Array(repeating: 1, count: 600) + [2]), settings: .stream)
        var seen = 0
        while try source.next() != nil { seen += 1 }
        #expect(seen == 601)
    }

    @Test("scenario 18: a camera in use is told with who has it")
    func busy() throws {
        for request in [cv4l2_s_fmt, cv4l2_reqbufs, cv4l2_streamon] {
            let fake = FakeCamera()
            fake.set { $0.failures[request] = EBUSY }
            let failure = try failure { _ = try fake.camera() }
            #expect(failure == .cameraBusy(device: "/dev/video9", holder: nil))
            #expect("\(failure)".contains("fuser /dev/video9"))
            #expect(fake.now.openCount == 0 && fake.now.mappedCount == 0)
        }
        let text = "\(CaptureError.cameraBusy(device: "/dev/video9", holder: "ffplay (process 12)"))"
        #expect(text.contains("ffplay (process 12)"))
    }

    @Test("scenario 18: the holder of a device is found")
    func holder() async throws {
        let folder = try TemporaryFolder()
        let device = folder.file("video0")
        try Data().write(to: device)
        #expect(DeviceHolder.find(device.path) == nil)
        let holder = try Child("sleep", ["600"], input: .file(device))
        defer { holder.kill() }
        let name = "sleep (process \(holder.id))"
        #expect(try await eventually { DeviceHolder.find(device.path) == name })
    }

    @Test("scenario 18: a camera without permission is told with the group that has it")
    func noPermission() throws {
        fake.set { $0.openFailure = EACCES }
        let failure = try failure { _ = try fake.camera() }
        #expect(failure == .permissionDenied(path: "/dev/video9", group: nil))
        #expect("\(failure)".contains("usermod -aG video $USER"))
    }

    @Test("scenario 19: torn, short, huge and empty pictures are left out and counted")
    func broken() throws {
        var error = FakeCamera.grey(50), huge = error, empty = error, short = error
        error.flags |= UInt32(V4L2_BUF_FLAG_ERROR)
        huge.bytesUsed = UInt32(FakeCamera.bufferLength + 1)
        empty.bytesUsed = 0
        short.bytesUsed = 100
        for bad in [error, huge, empty, short] {
            let fake = FakeCamera()
            let camera = try fake.camera()
            fake.set { $0.pictures = [FakeCamera.grey(10)] }
            #expect(try camera.next()?.index == 0)
            fake.set { $0.pictures = [bad] }
            // The damaged buffer gives no frame; the next one does.
            #expect(try failure { _ = try camera.next() }.word == "no_frames")
            fake.set { $0.pictures = [FakeCamera.grey(20)] }
            let frame = try #require(try camera.next())
            #expect(frame.index == 2 && abs(frame.time - 2 / 30.0) < 1e-4)
            #expect(camera.losses == .init(missed: 0, broken: 1) && camera.droppedFrames == 1)
        }
    }

    @Test("scenario 19: a JPEG picture that is damaged, cut off or of another size is left out")
    func brokenJPEG() throws {
        let mode = CameraMode(format: PixelFormat("MJPG"), widthPixels: 64, heightPixels: 48, rateHz: 30)
        let good = try Self.jpeg(width: 64, height: 48), other = try Self.jpeg(width: 32, height: 48)
        var garbage = good
        garbage.replaceSubrange(2..<good.count - 2, with: repeatElement(7, count: good.count - 4))
        for bad in [garbage, Array(good.prefix(good.count / 2)), other, [0xFF, 0xD8], Array(good.dropFirst(7))] {
            let fake = FakeCamera(modes: [mode])
            let camera = try fake.camera()
            fake.set { $0.pictures = [.init(bytes: good + [0, 0, 0])] }
            let image = try #require(try camera.next()).image
            #expect(abs(Int(image.rgb[0]) - 128) < 12 && image.widthPixels == 64)
            fake.set { $0.pictures = [.init(bytes: bad)] }
            #expect(try failure { _ = try camera.next() }.word == "no_frames")
            fake.set { $0.pictures = [.init(bytes: good)] }
            #expect(try camera.next() != nil)
            #expect(camera.losses.broken == 1, "\(bad.count) bytes")
        }
    }

    @Test("scenario 19: a size of nought is refused, another one than asked for is taken")
    func sizeAfterReset() throws {
        fake.set { $0.answersSize = (0, 0) }
        #expect(try failure { _ = try fake.camera() }.word == "no_format")
        fake.set { $0.answersSize = (32, 32) }
        let camera = try fake.camera()
        #expect(camera.format.widthPixels == 32 && camera.mode.heightPixels == 32)
        fake.set { $0.pictures = [.init(bytes: [UInt8](repeating: 128, count: 32 * 32 * 2))] }
        #expect(try camera.next()?.image.rgb.count == 32 * 32 * 3)
    }

    @Test("scenario 19: a driver that changes the size midway delivers no whole picture, so it is opened anew")
    func sizeMidway() throws {
        let camera = try fake.camera()
        fake.set { $0.pictures = [.init(bytes: [UInt8](repeating: 128, count: 32 * 32 * 2))] }
        let failure = try failure { _ = try camera.next() }
        #expect("\(failure)".contains("2048 bytes instead of 6144"))
    }

    /// A grey picture made by ffmpeg.
    private static func jpeg(width: Int, height: Int) throws -> [UInt8] {
        let arguments = [
            "-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=gray:s=\(width)x\(height)", "-frames:v", "1",
            "-pix_fmt", "yuvj422p", "-c:v", "mjpeg", "-f", "image2pipe", "-",
        ]
        return Array(try Child("ffmpeg", arguments).wholeOutputBytes())
    }
}

/// A source of small pictures; `nil` is a black one. All levels are raised by 100, so that none is dark.
private final class Pictures: FrameSource {
    let format = SourceFormat(name: "pictures", widthPixels: 8, heightPixels: 8, rateHz: 30, durationSeconds: nil)
    let droppedFrames = 0
    private let levels: [UInt8?]
    private let next_ = Counter()

    init(_ levels: [UInt8?]) { self.levels = levels }

    func next() throws -> Frame? {
        let index = next_.take()
        guard index < levels.count else { return nil }
        // A covered lens is not purely black: it has noise.
        let level = levels[index].map { $0 + 100 } ?? UInt8(index % 20)
        return Frame(
            index: index, time: Double(index) / 30,
            image: Image(widthPixels: 8, heightPixels: 8, rgb: [UInt8](repeating: level, count: 192)))
    }

    func stop() {}
}
