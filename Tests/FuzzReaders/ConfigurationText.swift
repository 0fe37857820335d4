import Broker
import Agent
import Configuration
import Foundation
import Messaging

extension FuzzReader {
    /// A `config.toml`. An accepted one is converted to the settings of every module.
    static let configuration = FuzzReader(name: "configuration") { bytes in
        try Scratch.file("config.toml", bytes) { file in
            let reading = try ConfigurationReading(path: file.path)
            let configuration = reading.configuration
            _ = try? configuration.historySettings()
            _ = configuration.subjects
            for camera in configuration.cameras {
                _ = configuration.sourceSettings(rateHz: 30, camera: camera)
                try Topics.check(camera: camera.id)
            }
            let mqtt = configuration.mqttSettings
            _ = try Topics(prefix: mqtt.prefix, site: mqtt.site, node: mqtt.node ?? "node")
        }
    }
}
