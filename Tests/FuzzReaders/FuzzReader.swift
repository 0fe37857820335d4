import Foundation

/// One way in which something that others wrote gets into the program.
package struct FuzzReader: Sendable {
    /// Also the name of its folder in the corpus.
    package let name: String
    /// Reads it as the program does. Returns or throws; anything else is a fault.
    package let read: @Sendable (Data) throws -> Void

    package static let all = [
        poseStream, people, model, network, configuration, imports, frames, commands, properties, annotations,
        topics, acknowledgements,
    ]

    /// The reader of a name.
    package static func named(_ name: String) -> FuzzReader? { all.first { $0.name == name } }
}
