import Configuration
import Foundation
import HTTPServing
import Records
import Synchronization

/// The zones and masks of each camera, as they are drawn on the page.
struct AreaRoutes {
    /// The most zones, and the most masks, of one camera.
    static let maximumAreas = 16

    let status: NodeStatus
    /// `nil` for a node that runs without a configuration file.
    let file: AreasFile?
    private let training: TrainingRun
    private let saved = SavedAreas()

    /// - Parameter training: what a restart would end.
    init(status: NodeStatus, configurationPath: String?, training: TrainingRun) {
        self.status = status
        self.training = training
        file = configurationPath.map(AreasFile.init(beside:))
    }

    var all: [Route] {
        [
            Route(.GET, "/api/v1/cameras/{camera}/areas", .role(.viewer)) { request in
                let areas = areas(of: try status.camera(in: request))
                return try WebResponse.json(
                    Listed(zones: areas.zones, masks: areas.masks, revision: Revision(of: areas)))
            },
            Route(.POST, "/api/v1/cameras/{camera}/areas", .role(.operator), answer: replace),
        ]
    }

    /// The camera's areas: those of the running node, or what was saved since it began.
    private func areas(of camera: String) -> Areas {
        saved.byCamera.withLock { $0[camera] } ?? Areas(of: camera, status.node.configuration)
    }

    /// The node answers, and then restarts with the new areas.
    private func replace(_ request: WebRequest) async throws -> HTTPResponse {
        let camera = try status.camera(in: request)
        let areas = try request.body(Wish.self)
        guard let file else {
            throw WebFailure(
                .conflict, "no_configuration", "The node runs without a configuration file: start it with --config.")
        }
        try training.checkRestart()
        let zones = areas.zones.map { Configuration.Area(camera: camera, name: $0.name, corners: rounded($0.corners)) }
        let masks = areas.masks.map {
            Configuration.Area(camera: camera, isMirror: $0.mirror ?? false, corners: rounded($0.corners))
        }
        try check(zones, isZone: true)
        try check(masks, isZone: false)
        let now = Areas(of: camera, zones: zones, masks: masks)
        try await status.pool.change { [saved] in
            try Self.writing.withLock { _ in
                try Revision(of: self.areas(of: camera)).check(areas.revision)
                do {
                    try file.replace(
                        camera: camera, zones: zones, masks: masks, environment: ProcessInfo.processInfo.environment)
                } catch {
                    throw WebFailure(.conflict, "not_kept", "\(error)")
                }
                saved.byCamera.withLock { $0[camera] = now }
            }
        }
        let drawn = "\(zones.count.counted("zone")) and \(masks.count.counted("mask"))"
        status.node.logger.notice("the page draws \(drawn) of \(camera)")
        let restarting = try await status.answer(to: .node(.reload))["restarting"]?.bool ?? false
        return try WebResponse.json(Kept(restarting: restarting, revision: Revision(of: now)))
    }

    /// Two pages may draw at once.
    private static let writing = Mutex(())

    private func check(_ areas: [Configuration.Area], isZone: Bool) throws {
        let kind = isZone ? "zone" : "mask"
        guard areas.count <= Self.maximumAreas else {
            throw WebFailure(
                .badRequest, "too_many", "A camera can have \(Self.maximumAreas) \(kind)s: remove some of them.")
        }
        for area in areas {
            guard let problem = area.problem(isZone: isZone) else { continue }
            throw WebFailure(.badRequest, "invalid_\(kind)", "The \(kind) '\(area.name)' \(problem).")
        }
        guard Set(areas.map(\.name)).count == areas.count || !isZone else {
            throw WebFailure(.badRequest, "invalid_zone", "Two zones have the same name: rename one.")
        }
    }

    private func rounded(_ corners: [[Double]]) -> [[Double]] {
        corners.map { $0.map { $0.rounded(decimals: 4) } }
    }

    private struct Zone: Codable { let name: String, corners: [[Double]] }
    /// `mirror` is left out where it is false.
    private struct Mask: Codable { let corners: [[Double]], mirror: Bool? }

    /// One camera's areas.
    private struct Areas: Encodable {
        let zones: [Zone]
        let masks: [Mask]

        init(of camera: String, zones: [Configuration.Area], masks: [Configuration.Area]) {
            self.zones = zones.filter { $0.camera == camera }.map { Zone(name: $0.name, corners: $0.corners) }
            self.masks = masks.filter { $0.camera == camera }
                .map { Mask(corners: $0.corners, mirror: $0.isMirror ? true : nil) }
        }

        init(of camera: String, _ configuration: Configuration) {
            self.init(of: camera, zones: configuration.zones, masks: configuration.masks)
        }
    }

    /// What was saved since the node began. It restarts with it.
    private final class SavedAreas: Sendable {
        let byCamera = Mutex<[String: Areas]>([:])
    }

    /// What the page reads.
    private struct Listed: Encodable {
        let zones: [Zone], masks: [Mask], revision: Revision
    }

    /// What the page sends.
    private struct Wish: Decodable {
        let zones: [Zone], masks: [Mask], revision: Revision?
    }

    /// What the page is answered.
    private struct Kept: Encodable {
        let restarting: Bool, revision: Revision
    }
}
