import Actions
import Agent
import Configuration
import Foundation
import History
import Messaging
import Testing

@Suite struct ModelChoiceTests {
    private let fixture: NodeFixture
    private let store: Store
    private let configuration: Configuration

    init() throws {
        fixture = try NodeFixture()
        store = try Store(path: fixture.database)
        var configuration = fixture.configuration([])
        configuration.recognition.model = fixture.folder.file("own.safetensors").path
        configuration.recognition.minimumConfidence = 0.75
        self.configuration = configuration
        try NodeFixture.write(model: "own", to: fixture.folder.file("own.safetensors"))
        try NodeFixture.write(model: "other", to: fixture.folder.file("another-file.safetensors"))
    }

    private func choice() -> ModelChoice { ModelChoice(configuration: configuration, store: store) }

    @Test func `without a choice the configured model is used`() throws {
        let (classifier, trouble) = try choice().classifier(configuration.classifier())
        #expect(classifier.description.name == "own" && trouble == nil)
    }

    @Test func `a chosen model is used from then on, with the configured confidence`() throws {
        try choice().choose("other")
        let (classifier, trouble) = try choice().classifier(configuration.classifier())
        #expect(classifier.description.name == "other" && trouble == nil)
        #expect(classifier.thresholds.minimumConfidence == 0.75)
        try choice().choose("own")
        #expect(try choice().classifier(configuration.classifier()).classifier.description.name == "own")
    }

    @Test func `a model is chosen by its own name, and an unknown one changes nothing`() throws {
        try choice().choose("other")
        let error = #expect(throws: CommandError.self) { try choice().choose("another-file") }
        #expect(error?.code == .unknownModel && error?.message.contains("known: other, own") == true)
        #expect(try store.value(of: .model) == "other")
    }

    @Test func `a missing chosen model is reported, and the configured one replaces it`() throws {
        try choice().choose("other")
        try FileManager.default.removeItem(at: fixture.folder.file("another-file.safetensors"))
        let (classifier, trouble) = try choice().classifier(configuration.classifier())
        #expect(classifier.description.name == "own" && trouble?.contains("'other'") == true)
    }

    @Test func `a damaged file beside the models harms no choice, and of two of one name the configured one counts`()
        throws
    {
        try Data("nonsense".utf8).write(to: fixture.folder.file("a-damaged.safetensors"))
        try NodeFixture.write(model: "own", to: fixture.folder.file("a-copy.safetensors"))
        try choice().choose("own")
        let error = #expect(throws: CommandError.self) { try choice().choose("a-damaged") }
        #expect(error?.message.hasSuffix("known: other, own") == true)
    }

    @Test func `of two models with one name the second is chosen by the name of its file`() throws {
        let folder = choice().trainedFolder.deletingLastPathComponent().appending(path: "models")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "my-gym.safetensors")
        try NodeFixture.write(model: "own", author: "another", to: file)
        try choice().choose("own")
        #expect(choice().known()["own"]?.file == fixture.folder.file("own.safetensors"))
        try choice().choose("my-gym")
        #expect(choice().known()["my-gym"]?.file.lastPathComponent == "my-gym.safetensors")
        let (classifier, trouble) = try choice().classifier(configuration.classifier())
        #expect(trouble == nil && classifier.digest == choice().known()["my-gym"]?.classifier.digest)
    }

    @Test func `a model that was trained on this node lies beside the database, and can be chosen`() throws {
        let folder = choice().trainedFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try NodeFixture.write(model: "mine", to: folder.appending(path: "mine.safetensors"))
        try NodeFixture.write(model: "own", to: folder.appending(path: "own.safetensors"))
        try choice().choose("mine")
        #expect(try choice().classifier(configuration.classifier()).classifier.description.name == "mine")
        #expect(try choice().chosen() == "mine" && choice().known().keys.sorted() == ["mine", "other", "own"])
        #expect(choice().known()["own"]?.file == fixture.folder.file("own.safetensors"))
    }
}
