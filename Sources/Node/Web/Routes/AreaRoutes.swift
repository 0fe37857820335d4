import Configuration
import Foundation
import HTTPServing
import Records

/// The zones and masks of each camera, as they are drawn on the page.
struct AreaRoutes {
    /// The most zones, and the most masks, of one camera.
    static let maximumAreas = 16

    let status: NodeStatus
    /// `nil` for a node that runs without a configuration file.
    let configurationPath: String?
    /// What a restart would end.
    let training: TrainingRun

    var all: [Route] {
        [
            Route(.GET, "/api/v1/cameras/{camera}/areas", .role(.viewer)) { request in
                let camera = try status.camera(in: request)
                let areas = Areas(of: camera, try await configuration())
                return try WebResponse.json(
                    Listed(zones: areas.zones, masks: areas.masks, revision: Revision(of: areas)))
            },
            Route(.POST, "/api/v1/cameras/{camera}/areas", .role(.operator), answer: replace),
        ]
    }

    /// The configuration as it stands in the files, or else that of the running node.
    private func configuration() async throws -> Configuration {
        guard let files = try? ConfigurationFiles(configurationPath) else { return status.node.configuration }
        return try await status.pool.ask(.short) { [running = status.node.configuration] _ in
            (try? files.read()) ?? running
        }
    }

    /// The node answers, and then restarts with the new areas.
    private func replace(_ request: WebRequest) async throws -> HTTPResponse {
        let camera = try status.camera(in: request)
        let areas = try request.body(Wish.self)
        let files = try ConfigurationFiles(configurationPath)
        try training.checkRestart()
        let zones = areas.zones.map { Configuration.Area(camera: camera, name: $0.name, corners: rounded($0.corners)) }
        let masks = areas.masks.map {
            Configuration.Area(camera: camera, isMirror: $0.mirror ?? false, corners: rounded($0.corners))
        }
        try check(zones, isZone: true)
        try check(masks, isZone: false)
        let now = Areas(of: camera, zones: zones, masks: masks)
        try await status.pool.change {
            try files.change { before in
                try Revision(of: Areas(of: camera, before)).check(areas.revision)
                do {
                    try AreasFile(beside: files.path).replace(
                        camera: camera, zones: zones, masks: masks, environment: ProcessInfo.processInfo.environment)
                } catch {
                    throw WebFailure(.conflict, "not_kept", "\(error)")
                }
            }
        }
        let drawn = "\(zones.count.counted("zone")) and \(masks.count.counted("mask"))"
        status.node.logger.notice("the page draws \(drawn) of \(camera)")
        let restarting = try await status.answer(to: .node(.reload))["restarting"]?.bool ?? false
        return try WebResponse.json(Kept(restarting: restarting, revision: Revision(of: now)))
    }

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
