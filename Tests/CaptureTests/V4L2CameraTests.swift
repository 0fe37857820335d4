import CV4L2
import Capture
import Foundation
import Testing

/// Tests without hardware: missing devices, and a fake camera behind the table of system calls.
@Suite struct V4L2CameraTests {
    private let fake = FakeCamera()

    @Test func `the error for a missing device lists the existing ones`() throws {
        let error = try #require(throws: CaptureError.self) { _ = try V4L2Camera("/dev/video-none") }
        guard case .cameraNotFound(let device, _) = error else { Issue.record("\(error)"); return }
        #expect(device == "/dev/video-none")
        #expect("\(error)".contains("plug one in") || "\(error)".contains("set one of them"))
    }

    @Test func `a device that is not a camera is refused`() throws {
        #expect(throws: CaptureError.notACamera(device: "/dev/null")) { _ = try V4L2Camera("/dev/null") }
    }

    @Test func `frames carry the driver's time, and frames the driver lost are counted`() throws {
        let camera = try fake.camera()
        var late = FakeCamera.grey(30)
        late.step = 4
        for (picture, index, time) in [(FakeCamera.grey(20), 0, 0.0), (late, 4, 4 / 30.0)] {
            fake.set { $0.pictures = [picture] }
            let frame = try #require(try camera.next())
            #expect(frame.index == index && abs(frame.time - time) < 1e-4)
        }
        #expect(camera.losses == .init(missed: 3, broken: 0))
    }

    @Test func `the newest of several waiting frames is used, and the others are counted`() throws {
        let camera = try fake.camera()
        fake.set { $0.pictures = [10, 20, 30].map(FakeCamera.grey) }
        let frame = try #require(try camera.next())
        #expect(frame.image.bytes[0] == 30)
        #expect(frame.index == 0 && camera.losses.missed == 0)
        fake.set { $0.pictures = [40, 50, 60].map(FakeCamera.grey) }
        #expect(try camera.next()?.index == 3)
        #expect(camera.losses.missed == 2)
    }

    @Test func `a skipped frame is not converted`() throws {
        let camera = try fake.camera()
        // Converting this frame would fail, as it is damaged.
        var damaged = FakeCamera.grey(30)
        damaged.flags |= UInt32(V4L2_BUF_FLAG_ERROR)
        fake.set { $0.pictures = [damaged] }
        #expect(throws: CaptureError.self) { try camera.next { index, _ in index > 0 } }
        #expect(camera.losses == .init())
        fake.set { $0.pictures = [FakeCamera.grey(40)] }
        #expect(try camera.next { index, _ in index > 0 }?.index == 1)
    }

    @Test func `timestamps increase whatever the driver reports`() throws {
        let camera = try fake.camera()
        var times: [Double] = []
        for seconds in [100.0, 99.0, 100.5] {
            var picture = FakeCamera.grey(40)
            picture.seconds = seconds
            fake.set { $0.pictures = [picture] }
            times.append(try #require(try camera.next()).time)
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `the best mode is negotiated, and all resources are released`() throws {
        fake.set { state in
            state.modes = [
                CameraMode(format: PixelFormat("H264"), widthPixels: 640, heightPixels: 480, rateHz: 30),
                CameraMode(format: PixelFormat("YUYV"), widthPixels: 32, heightPixels: 24, rateHz: 30),
                CameraMode(format: PixelFormat("YUYV"), widthPixels: 64, heightPixels: 48, rateHz: 30),
            ]
        }
        do {
            let camera = try fake.camera()
            #expect(camera.mode.description == "YUYV 64×48 at 30 Hz" && fake.now.agreed == FakeCamera.yuyv)
            #expect(fake.now.isStreaming && fake.now.mappedCount == 4)
        }
        #expect(!fake.now.isStreaming && fake.now.mappedCount == 0 && fake.now.openCount == 0)
    }

    @Test func `a camera without a supported pixel format is refused by name`() throws {
        let mode = CameraMode(format: PixelFormat("H264"), widthPixels: 640, heightPixels: 480, rateHz: 30)
        let error = try #require(throws: CaptureError.self) { _ = try FakeCamera(modes: [mode]).camera() }
        #expect("\(error)".contains("Spotter converts none of H264"))
    }

    @Test func `controls are set to the nearest supported value, and missing ones are reported`() throws {
        fake.set { state in
            state.controls = [
                cv4l2_cid_exposure_auto: (0...3, 3), cv4l2_cid_exposure_absolute: (1...500, 200),
                cv4l2_cid_gain: (0...255, 100), cv4l2_cid_autogain: (0...1, 0),
                cv4l2_cid_power_line_frequency: (0...3, 2),
            ]
        }
        var settings = V4L2Camera.Settings()
        settings.controls.exposure = .value(80)
        settings.controls.gain = .automatic
        settings.controls.whiteBalance = .value(4600)
        settings.controls.powerLine = .hertz50
        settings.controls.isStabilised = true
        let camera = try fake.camera(settings)
        #expect(
            camera.controlNotes == [
                "exposure 50 ms, its nearest", "gain automatic", "has no white balance to set", "power line 50",
                "has no stabilisation",
            ])
        let controls = fake.now.controls
        #expect(controls[cv4l2_cid_exposure_auto]?.value == 1)
        #expect(controls[cv4l2_cid_exposure_absolute]?.value == 500)
        #expect(controls[cv4l2_cid_autogain]?.value == 1)
        #expect(controls[cv4l2_cid_power_line_frequency]?.value == 1)
    }

    @Test func `any control is set by the name that the driver gives it`() throws {
        fake.set { state in
            state.controls = [1001: (0...1, 1), 1002: (0...250, 10), 1003: (1...7, 3)]
            state.controlNames = [1001: "Focus, Automatic Continuous", 1002: "Focus, Absolute", 1003: "Sharpness"]
            // "absolute" sorts before "automatic", but can be set only after it.
            state.inactive = (1002, while: 1001)
        }
        var settings = V4L2Camera.Settings()
        settings.controls.named = [
            "focus_absolute": 30, "focus_automatic_continuous": 0, "sharpness": 9, "zoom_absolute": 2,
        ]
        let camera = try fake.camera(settings)
        #expect(
            camera.controlNotes == [
                "focus_absolute 30", "focus_automatic_continuous 0", "sharpness 7, its nearest",
                "has no control zoom_absolute; it has focus_absolute, focus_automatic_continuous, sharpness",
            ])
        #expect(fake.now.controls[1002]?.value == 30 && fake.now.controls[1003]?.value == 7)
    }

    @Test func `only configured controls are changed`() throws {
        fake.set { $0.controls = [cv4l2_cid_gain: (0...255, 100), cv4l2_cid_autogain: (0...1, 1)] }
        let camera = try fake.camera()
        #expect(camera.controlNotes.isEmpty && fake.now.controls[cv4l2_cid_autogain]?.value == 1)
    }

    @Test func `a camera rotates its pictures itself if it can, otherwise software does`() throws {
        var settings = V4L2Camera.Settings()
        settings.controls.orientation = Orientation(isMirrored: true)
        fake.set { $0.controls = [cv4l2_cid_hflip: (0...1, 0), cv4l2_cid_vflip: (0...1, 1)] }
        do {
            let camera = try fake.camera(settings)
            #expect(camera.controlNotes == ["turns its pictures itself"])
            let controls = fake.now.controls
            #expect(controls[cv4l2_cid_hflip]?.value == 1 && controls[cv4l2_cid_vflip]?.value == 0)
        }
        fake.set { $0.controls = [:] }
        settings.controls.orientation = Orientation(isMirrored: false, quarterTurns: 1)
        let camera = try fake.camera(settings)
        #expect(camera.controlNotes == ["pictures are turned by software"])
        #expect(camera.format.widthPixels == 48 && camera.format.heightPixels == 64)
        // White in the upper left quarter.
        var picture = FakeCamera.grey(60)
        for y in 0..<24 { for x in 0..<32 { picture.bytes[(y * 64 + x) * 2] = 200 } }
        fake.set { $0.pictures = [picture] }
        let image = try #require(try camera.next()).image
        #expect(image.widthPixels == 48 && image.heightPixels == 64)
        func level(_ x: Int, _ y: Int) -> UInt8 { image.rgb[(y * 48 + x) * 3] }
        // libv4l keeps the brightness unchanged.
        #expect(level(2, 2) == 60 && level(45, 2) == 200 && level(45, 60) == 60)
    }
}
