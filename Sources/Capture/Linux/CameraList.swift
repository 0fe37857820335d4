import CV4L2
import Foundation

/// A camera that is connected.
public struct CameraDevice: Sendable, Equatable, Encodable {
    /// The same after every replug and reboot: the name under /dev/v4l/by-id, or by-path for cameras without a serial
    /// number, or what the driver calls its place.
    public let id: String
    /// Where it is now, such as `/dev/video0`.
    public let device: String
    /// What to write into config.toml: a path that stays the same where there is one.
    public let source: String
    /// What the driver calls it.
    public let name: String
    public let driver: String
    /// Where it is connected.
    public let bus: String
}

/// Finds the cameras that are connected.
public struct CameraList: Sendable {
    private let folder: String
    private let calls: V4L2Calls

    public init() { self.init(folder: "/dev") }

    /// - Parameter folder: where the devices lie.
    package init(folder: String, calls: V4L2Calls = .libv4l) {
        self.folder = folder
        self.calls = calls
    }

    /// The video devices that are there, cameras or not.
    static func paths(in folder: String = "/dev") -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }
        return numbers.sorted().map { "\(folder)/video\($0)" }
    }

    /// Every camera that can stream pictures, and what kept others from being asked.
    public func cameras() -> (found: [CameraDevice], failures: [CaptureError]) {
        var found: [CameraDevice] = [], failures: [CaptureError] = []
        for path in Self.paths(in: folder) {
            do {
                found.append(try camera(at: path))
            } catch CaptureError.notACamera {
                // Cameras bring devices for other data with them.
            } catch let error as CaptureError {
                failures.append(error)
            } catch {}
        }
        return (found, failures)
    }

    /// - Throws: ``CaptureError``
    func camera(at path: String) throws -> CameraDevice {
        let capability = try V4L2Port(opening: path, calls: calls).capability()
        let link = link(to: path)
        return CameraDevice(
            id: identity(of: path, capability), device: path, source: link ?? path, name: capability.cardText,
            driver: capability.driverText, bus: capability.busText)
    }

    /// Every mode of a camera that can be used, and the one that would be taken.
    ///
    /// - Throws: ``CaptureError``
    public func modes(of device: String, settings: V4L2Camera.Settings) throws -> (
        modes: [CameraMode], best: CameraMode
    ) {
        try V4L2Port(opening: device, calls: calls).choose(settings)
    }

    /// Where the camera with an id is now; `nil` when it is not there.
    package func path(of identity: String) -> String? {
        // A link of udev's is quicker than asking every device, some of which may be in use.
        for kind in Self.links where FileManager.default.fileExists(atPath: "\(folder)/\(kind)/\(identity)") {
            return "\(folder)/\(kind)/\(identity)"
        }
        return cameras().found.first { $0.id == identity }?.device
    }

    func identity(of path: String, _ capability: v4l2_capability) -> String {
        if let link = link(to: path) { return URL(filePath: link).lastPathComponent }
        // A bus may hold several devices of one name, and names differ between cameras at one place.
        return "\(capability.busText):\(capability.cardText)".replacing(" ", with: "_")
    }

    /// Where udev puts names that stay: by serial number first.
    private static let links = ["v4l/by-id", "v4l/by-path"]

    /// The path of a device that stays the same, where udev gives it one.
    func link(to path: String) -> String? {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        for kind in Self.links {
            let place = "\(folder)/\(kind)"
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
            let name = names.first { URL(filePath: "\(place)/\($0)").resolvingSymlinksInPath().path == target }
            if let name { return "\(place)/\(name)" }
        }
        return nil
    }
}

extension v4l2_capability {
    fileprivate var cardText: String { Self.text(card) }
    fileprivate var driverText: String { Self.text(driver) }
    fileprivate var busText: String { Self.text(bus_info) }

    /// The text in a field of the kernel's, which is an array of bytes that ends with a zero.
    private static func text(_ field: some BitwiseCopyable) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
