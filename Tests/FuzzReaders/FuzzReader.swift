import Foundation

/// A reader of external input.
package struct FuzzReader: Sendable {
    /// The reader's name, which is also that of its folder in the corpus.
    package let name: String
    /// Reads an input as the program does. It must return or throw; anything else is a fault.
    package let read: @Sendable (Data) throws -> Void

    package static let all: [FuzzReader] = [
        // The first one takes longest; the others run beside it.
        brokerPackets, poseStream, people, model, network, configuration, imports, frames, commands, properties,
        annotations, peopleLabels, topics, acknowledgements, hubMessages, plans,
    ]

    /// The reader with a name.
    package static func named(_ name: String) -> FuzzReader? { all.first { $0.name == name } }
}
