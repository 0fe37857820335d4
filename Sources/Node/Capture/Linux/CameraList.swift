import CV4L2
import Foundation

/// A connected camera.
public struct CameraDevice: Sendable, Equatable, Encodable {
    /// A stable identity, unchanged by replugging and rebooting: the name under /dev/v4l/by-id, or under by-path for
    /// cameras without a serial number. Without either it is the driver's bus and card names.
    public let id: String
    /// The current device path, such as `/dev/video0`.
    public let device: String
    /// The value for config.toml: a stable path if there is one, else ``device``.
    public let source: String
    /// The camera's name, as the driver reports it.
    public let name: String
    /// The name of the kernel driver.
    public let driver: String
    /// The bus it is connected to, as the driver reports it.
    public let bus: String
}

/// Finds the connected cameras.
public struct CameraList: Sendable {
    private let folder: String
    private let calls: V4L2Calls

    /// Looks for cameras in `/dev`.
    public init() { self.init(folder: "/dev") }

    /// Looks for cameras in another folder, for tests.
    ///
    /// - Parameter folder: contains the devices.
    package init(folder: String, calls: V4L2Calls = .libv4l) {
        self.folder = folder
        self.calls = calls
    }

    /// The paths of all video devices, in order of number. Not all of them are cameras.
    static func paths(in folder: String = "/dev") -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }
        return numbers.sorted().map { "\(folder)/video\($0)" }
    }

    /// Every camera that can stream pictures, and the errors of the devices that could not be opened.
    public func cameras() -> (found: [CameraDevice], failures: [CaptureError]) {
        var found: [CameraDevice] = [], failures: [CaptureError] = []
        for path in Self.paths(in: folder) {
            do {
                found.append(try camera(at: path))
            } catch CaptureError.notACamera {
                // Cameras also have devices for other data, such as metadata.
            } catch let error as CaptureError {
                failures.append(error)
            } catch {}
        }
        return (found, failures)
    }

    /// The camera at a device path.
    ///
    /// - Throws: ``CaptureError``
    func camera(at path: String) throws -> CameraDevice {
        let capability = try V4L2Port(opening: path, calls: calls).capability()
        let link = link(to: path)
        return CameraDevice(
            id: identity(of: path, capability), device: path, source: link ?? path, name: capability.cardText,
            driver: capability.driverText, bus: capability.busText)
    }

    /// Every usable mode of a camera, and the one that would be chosen.
    ///
    /// - Throws: ``CaptureError``
    public func modes(of device: String, settings: V4L2Camera.Settings) throws -> (
        modes: [CameraMode], best: CameraMode
    ) {
        try V4L2Port(opening: device, calls: calls).choose(settings)
    }

    /// The current path of the camera with this ``CameraDevice/id``; `nil` when it is not connected.
    package func path(of identity: String) -> String? {
        // A udev link is quicker than querying every device, and some of them may be in use.
        for kind in Self.links where FileManager.default.fileExists(atPath: "\(folder)/\(kind)/\(identity)") {
            return "\(folder)/\(kind)/\(identity)"
        }
        return cameras().found.first { $0.id == identity }?.device
    }

    /// The ``CameraDevice/id`` of the camera at a path.
    func identity(of path: String, _ capability: v4l2_capability) -> String {
        if let link = link(to: path) { return URL(filePath: link).lastPathComponent }
        // Bus and name together: one place on a bus may have several devices, and different cameras may be plugged in.
        return "\(capability.busText):\(capability.cardText)".replacing(" ", with: "_")
    }

    /// The folders of udev's stable links; by serial number first.
    private static let links = ["v4l/by-id", "v4l/by-path"]

    /// udev's stable link to a device; `nil` when there is none.
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

    /// The text of a NUL-terminated array of bytes.
    private static func text(_ field: some BitwiseCopyable) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
