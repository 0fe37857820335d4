import Actions
import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation
import Poses
import Training

/// Who was where in a recording, and what they did, as a node finds it. Everybody is recognised.
struct TrackedRecording {
    /// Everybody in each picture, under the number of the tracker.
    private(set) var tracks: IdentityStream
    /// The same under the number that the chain gave them then.
    private(set) var people: IdentityStream
    /// The sets of each session, as they were told when they ended.
    private(set) var liveSessions: [[RightMinutes.ReportedSet]] = []
    /// The sets of each session at the end, after all revisions.
    private(set) var sessions: [[RightMinutes.ReportedSet]] = []
    /// The people who were known again.
    private(set) var links: [PersonLink] = []
    /// The comparisons by which they were.
    private(set) var comparisons: [LinkComparison] = []

    /// Recognises a video or a pose stream. Clothes are seen in videos only.
    ///
    /// - Throws: what opening or reading it throws.
    init(_ file: String, _ configuration: Configuration) async throws {
        self = try await Task(executorPreference: SerialTaskExecutor(label: "tracking")) {
            try await Self(recognising: file, configuration)
        }.value
    }

    private init(recognising file: String, _ configuration: Configuration) async throws {
        let classifier = try configuration.classifier()
        let source = try PoseSource(
            opening: file, settings: configuration.sourceSettings(rateHz: classifier.description.framesPerSecond))
        var chain = RecognitionChain(
            classifier: classifier, subjects: .everyone, camera: "file", rules: configuration.recognitionRules,
            origin: Date(timeIntervalSince1970: 0))
        tracks = IdentityStream(
            pictures: [], intervalSeconds: 1 / source.format.rateHz,
            aspect: Double(source.format.widthPixels) / Double(max(1, source.format.heightPixels)))
        people = tracks
        var live = SessionSets()
        var last = SessionSets()
        var progress = Progress("Recognising")
        let began = ContinuousClock.now
        for try await frame in source.people {
            let result = try chain.receive(frame)
            tracks.pictures.append(IdentityStream.Picture(frame))
            people.pictures.append(IdentityStream.Picture(result.frame))
            links += result.links
            comparisons += result.comparisons
            live.tell(result.events)
            last.replace(result.events)
            progress.show(
                source.format.durationSeconds.map { frame.time / $0 }, rate(of: tracks.pictures.count, since: began))
        }
        progress.finish()
        let events = chain.end(.sourceEnded).events
        live.tell(events)
        last.replace(events)
        (liveSessions, sessions) = (live.all, last.all)
    }
}

/// The sets of each session, in the order in which the sessions began.
private struct SessionSets {
    private var ids: [String] = []
    private var sets: [String: [RightMinutes.ReportedSet]] = [:]

    var all: [[RightMinutes.ReportedSet]] { ids.compactMap { sets[$0] } }

    /// Adds the sets that ended.
    mutating func tell(_ events: [SessionEvent]) {
        for case .setEnded(let set, let session) in events {
            if sets[session.id] == nil { ids.append(session.id) }
            sets[session.id, default: []].append(RightMinutes.ReportedSet(set, track: session.track))
        }
    }

    /// Takes over the newest state of each session.
    mutating func replace(_ events: [SessionEvent]) {
        for event in events {
            let session = event.session
            if sets[session.id] == nil { ids.append(session.id) }
            sets[session.id] = session.sets.map { RightMinutes.ReportedSet($0, track: session.track) }
            if case .merged(_, let absorbed) = event { sets[absorbed.id] = nil }
        }
    }
}

extension RightMinutes.ReportedSet {
    fileprivate init(_ set: SessionSet, track: Int) {
        self.init(
            track: track, label: set.label, start: set.start.timeIntervalSince1970, end: set.end.timeIntervalSince1970,
            reps: set.repsMargin == nil ? nil : set.reps)
    }
}
