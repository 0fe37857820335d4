import ArgumentParser
import Configuration
import Foundation
import TOMLSettings

/// The answers that `spotter setup` takes from the command line.
struct SetupAnswers: ParsableArguments {
    @Option(help: ArgumentHelp("The gym's id in every topic: a-z 0-9 _ -", valueName: "id"))
    var site: String?

    @Option(help: ArgumentHelp("The node's name, shown to people.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A camera as [id=]source; may be given several times. Replaces the configured ones.", valueName: "camera"))
    var camera: [String] = []

    @Option(help: ArgumentHelp("The MQTT broker, or none.", valueName: "host[:port]"))
    var broker: String?

    @Option(help: ArgumentHelp("The user at the broker.", valueName: "name"))
    var mqttUser: String?

    @Option(help: ArgumentHelp("A file with the password on its first line.", valueName: "file"))
    var mqttPasswordFile: String?

    @Option(help: ArgumentHelp("TLS with these authorities: a file, or system.", valueName: "file"))
    var caFile: String?

    @Option(help: ArgumentHelp("Who may open the node's page.", valueName: "nobody|machine|network"))
    var page: PageReach?

    /// The options that were given and describe the node itself, and not its cameras.
    var aboutTheNode: [String] {
        let given: [(String, Bool)] = [
            ("--site", site != nil), ("--name", name != nil), ("--broker", broker != nil),
            ("--mqtt-user", mqttUser != nil),
            ("--mqtt-password-file", mqttPasswordFile != nil), ("--ca-file", caFile != nil), ("--page", page != nil),
        ]
        return given.filter(\.1).map(\.0)
    }

    /// Sets what was given.
    ///
    /// - Throws: `ValidationError` for a value that the configuration would refuse.
    func apply(to configuration: inout Configuration) throws {
        let absolute = { (file: String) in file == "system" || file.isEmpty ? file : URL(filePath: file).path }
        let given = [
            ("node.site", "--site", site), ("node.name", "--name", name), ("mqtt.user", "--mqtt-user", mqttUser),
            ("mqtt.password_file", "--mqtt-password-file", mqttPasswordFile.map(absolute)),
            ("mqtt.ca_file", "--ca-file", caFile.map(absolute)),
        ]
        for (key, option, value) in given {
            guard let value else { continue }
            if let reason = configuration.set(key, to: value) { throw ValidationError("\(option) \(reason).") }
        }
        if let broker, let reason = configuration.setBroker(broker) {
            throw ValidationError("--broker \(reason).")
        }
        if !camera.isEmpty {
            if let reason = configuration.setCameras(camera) {
                throw ValidationError("--camera \(reason).")
            }
        }
        page.map { configuration.web.open(to: $0) }
    }

    /// Asks for the gym and the name.
    static func ask(_ questions: Questions, about configuration: inout Configuration) throws {
        var copy = configuration
        _ = try questions.text("The gym's id, part of every MQTT topic", usual: copy.node.site) {
            copy.set("node.site", to: $0).map { "The id \($0)." }
        }
        _ = try questions.text(
            "The node's name for people", usual: copy.node.name, shown: copy.node.name.isEmpty ? "none" : nil
        ) { copy.set("node.name", to: $0).map { "The name \($0)." } }
        configuration = copy
    }
}
