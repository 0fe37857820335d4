import Broker
import Foundation
import Messaging

extension FuzzReader {
    /// Incoming topics, response topics and ids from configurations, one a line.
    static let topics = FuzzReader(name: "topics") { bytes in
        let topics = try Topics(site: "gym", node: "node")
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            let word = String(line)
            switch topics.address(of: word) {
            case .command(let name): precondition(topics.command(name) == word, "another topic's command")
            case .acknowledgement(let name): precondition(topics.acknowledgement(of: name) == word, "another's word")
            case .cameraSwitch(let camera): precondition(topics.cameraSwitch(camera) == word, "another's switch")
            case .cameraStatus(let camera): precondition(topics.camera(camera, .status) == word, "another's status")
            case .status: precondition(topics.status == word, "another's status")
            case nil: break
            }
            if topics.mayAnswer(on: word) {
                precondition(!word.contains("#") && !word.contains("+") && !word.contains("\0"), "an answer to many")
            }
            precondition(Topics.isId(Topics.suggestion(for: word)), "what is suggested is refused")
            _ = try? Topics(prefix: word, site: "gym", node: "node")
        }
    }
}
