import Capture
import Foundation
import Testing

/// What can be known of cameras where there is none.
@Suite struct V4L2CameraTests {
    @Test func `a device that is not there is told with those that are`() throws {
        let error = try #require(throws: CaptureError.self) { _ = try V4L2Camera("/dev/video-none") }
        guard case .cameraNotFound(let device, _) = error else { Issue.record("\(error)"); return }
        #expect(device == "/dev/video-none")
        #expect("\(error)".contains("plug one in") || "\(error)".contains("set one of them"))
    }

    @Test func `a device that is no camera is refused`() throws {
        #expect(throws: CaptureError.notACamera(device: "/dev/null")) { _ = try V4L2Camera("/dev/null") }
    }
}
