import Configuration
import Diagnostics
import Foundation
import HTTPServing

/// What a person answered on the page of the setup.
struct SetupAnswers: Decodable, Sendable {
    struct Camera: Decodable, Sendable {
        let id, name, source: String
    }

    struct Broker: Decodable, Sendable {
        /// `host[:port]`, or `none`.
        let address: String
        /// `none`, `system`, or the file of the authority.
        let tls: String
        let user, password: String

        /// Takes the answers over.
        ///
        /// - Throws: ``WebFailure`` for one that cannot be.
        func apply(to configuration: inout Configuration, _ secret: inout BrokerPassword) throws {
            if let reason = configuration.setBroker(address) { throw SetupAnswers.refusal("A broker \(reason).") }
            guard configuration.mqtt.enabled else { return }
            let file = tls == "none" ? "" : tls
            guard ["", "system"].contains(file) || FileManager.default.isReadableFile(atPath: file) else {
                throw SetupAnswers.refusal("The file \(file) cannot be read.")
            }
            try SetupAnswers.set("mqtt.ca_file", file, in: &configuration)
            try SetupAnswers.set("mqtt.user", user, in: &configuration)
            if !password.isEmpty { secret.set(password, in: &configuration) }
        }
    }

    let site, name: String
    let cameras: [Camera]
    let broker: Broker
    let reach: String

    /// Takes all answers over.
    ///
    /// - Throws: ``WebFailure`` for one that cannot be.
    func apply(to configuration: inout Configuration, _ secret: inout BrokerPassword) throws {
        try Self.set("node.site", site, in: &configuration)
        try Self.set("node.name", name, in: &configuration)
        guard !cameras.isEmpty else { throw Self.refusal("A node needs a camera: add one.") }
        let sources = try cameras.map { try Self.source($0.source) }
        if let reason = configuration.setCameras(zip(cameras, sources).map { "\($0.id)=\($1)" }) {
            throw Self.refusal("A camera \(reason).")
        }
        // What is no id was read as a part of the source.
        if let wrong = zip(cameras, configuration.cameras).first(where: { $0.id != $1.id })?.0 {
            throw Self.refusal("A camera's id is written with a-z, 0-9, _ and -, not '\(wrong.id)'.")
        }
        for (place, camera) in cameras.enumerated() where !camera.name.isEmpty {
            if let reason = configuration.cameras[place].set("camera.name", to: camera.name) {
                throw Self.refusal("The name '\(camera.name)' \(reason).")
            }
        }
        try broker.apply(to: &configuration, &secret)
        guard let reach = PageReach(rawValue: reach) else { throw Self.refusal("Say who may open the page.") }
        configuration.web.open(to: reach)
    }

    /// A camera's source without the blanks around it.
    static func source(_ text: String) throws -> String {
        let source = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !source.isEmpty else {
            throw refusal("A camera needs a source: name a device, an address or a file.")
        }
        return source
    }

    private static func set(_ key: String, _ value: String, in configuration: inout Configuration) throws {
        if let reason = configuration.set(key, to: value) { throw refusal("'\(value)' \(reason).") }
    }

    static func refusal(_ message: String) -> WebFailure { WebFailure(.badRequest, "invalid_answer", message) }
}
