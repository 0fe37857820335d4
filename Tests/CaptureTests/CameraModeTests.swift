import Capture
import Testing

/// Tests the choice of a camera's mode.
@Suite struct CameraModeTests {
    private func mode(_ format: String, _ width: Int, _ height: Int, _ rate: Double) -> CameraMode {
        CameraMode(format: PixelFormat(format), widthPixels: width, heightPixels: height, rateHz: rate)
    }

    private func best(_ modes: [CameraMode], width: Int = 640, height: Int = 480) -> CameraMode? {
        CameraMode.best(among: modes, widthPixels: width, heightPixels: height, rateHz: 30)
    }

    @Test func `a USB camera gives YUYV where its cable is fast enough, and MJPEG where it is not`() {
        let webcam = [
            mode("YUYV", 640, 480, 30), mode("YUYV", 640, 480, 15), mode("YUYV", 1280, 720, 10),
            mode("MJPG", 640, 480, 30), mode("MJPG", 1280, 720, 30), mode("MJPG", 1920, 1080, 30),
        ]
        #expect(best(webcam) == mode("YUYV", 640, 480, 30))
        #expect(best(webcam, width: 1280, height: 720) == mode("MJPG", 1280, 720, 30))
    }

    @Test func `what the networks' inputs are cut from comes before what is converted first`() {
        let modes = ["GREY", "RGB3", "MJPG", "UYVY", "YU12", "NV12", "YUYV"].map { mode($0, 640, 480, 30) }
        #expect(best(modes) == mode("YUYV", 640, 480, 30))
        #expect(best(modes.dropLast()) == mode("NV12", 640, 480, 30))
    }

    @Test func `the nearest size among the fast enough modes is chosen`() {
        let modes = [mode("YUYV", 320, 240, 30), mode("YUYV", 800, 600, 25), mode("YUYV", 640, 480, 20)]
        #expect(best(modes) == mode("YUYV", 800, 600, 25))
    }

    @Test func `without a fast enough mode the fastest is chosen`() {
        #expect(best([mode("YUYV", 640, 480, 5), mode("YUYV", 320, 240, 15)]) == mode("YUYV", 320, 240, 15))
    }

    @Test func `the rate nearest to the model's is chosen, and an unknown rate is assumed to fit`() {
        let modes = [mode("YUYV", 640, 480, 60), mode("YUYV", 640, 480, 30), mode("YUYV", 640, 480, 25)]
        #expect(best(modes) == modes[1])
        #expect(best([mode("NV12", 640, 480, 0)]) == mode("NV12", 640, 480, 0))
        #expect(best([]) == nil)
    }

    @Test func `colour comes before grey`() {
        #expect(best([mode("GREY", 640, 480, 30), mode("BA81", 640, 480, 30)]) == mode("BA81", 640, 480, 30))
    }
}
