import Capture
import Foundation
import NeuralNet

/// Finds the joints of everyone in a picture, and remembers where to look in the next one.
///
/// People are searched where there may be a new person (``PeopleFinder``): in the first frames, where something moves,
/// where a person was lost, and at long intervals everywhere. Every person gets a landmark pass, up to
/// ``Settings/maximumPeople``. Between searches, each person's next region follows from their landmarks.
///
/// After ``keep(within:)`` people who rest are looked at a few times a second only, and the others by turns when there is
/// no time for all of them. Otherwise everybody is looked at in every frame.
///
/// It owns both networks and their scratch memory, so create one per recognition chain. It is not thread-safe.
public final class PoseEstimator {
    /// The processing times of the frames.
    public let durations = RecentDurations()
    private let settings: Settings
    private let networks: PoseNetworks
    private var people: [FollowedPerson] = []
    private var candidates: [Candidate] = []
    private var motionGrid = MotionGrid()
    /// Whether anything has moved since the source was opened.
    private var hasMoved = false
    private var finder: PeopleFinder
    /// How many people and squares there is time for; `nil` for recordings, whose frames wait.
    private var budgets: (looks: FrameBudget, searches: FrameBudget)?
    /// The share of the time between two frames that may be used now, 0…1.
    private var permittedLoad: () -> Double = { 1 }
    /// The number of times the detector has run because something happened, or at its intervals.
    package private(set) var searchCount = 0
    /// The number of times it has run in sweeps.
    package private(set) var sweepCount = 0

    /// Loads both networks from `models`, the folder with the `.tflite` files.
    ///
    /// - Throws: `ModelError` when a file is missing or not the expected network.
    public init(models: URL, settings: Settings = Settings(), kernels: KernelLevel = .best) throws {
        self.settings = settings
        finder = PeopleFinder(
            DetectorSchedule.Settings(
                maximumPeople: settings.maximumPeople, newcomerSeconds: settings.detectionIntervalSeconds))
        networks = try PoseNetworks(models: models, kernels: kernels, threads: settings.threads)
    }

    /// Keeps to a share of the time between two frames from now on, because the source's frames do not wait. Such a source
    /// shows no still: where nothing changes, there is a picture of a person.
    ///
    /// - Parameter load: the share that may be used now, 0…1.
    public func keep(within load: @escaping () -> Double) {
        budgets = (FrameBudget(), FrameBudget())
        permittedLoad = load
    }

    /// Whether the source may be a still, in which everybody counts although nothing changes.
    private var mayBeStill: Bool { budgets == nil && !hasMoved }

    /// Where people are who are no pictures.
    private var livingAreas: [Motion.Area] { people.filter(\.isAlive).map(\.area) }

    /// Everyone in the frame; those who have been tracked longest come first.
    public func poses(in frame: Frame) -> PosedFrame {
        let image = frame.image, time = frame.time
        let began = ContinuousClock.now
        defer { durations.add(began.duration(to: .now)) }
        let aspect = Float(image.widthPixels) / Float(image.heightPixels)
        let before = people.count
        let motion = motionGrid.motion(in: image, at: time)
        hasMoved = hasMoved || motion.isMoving.contains(true)
        let most = budgets?.searches.runs(at: time, load: permittedLoad() * Self.searchShare) ?? .max
        let searches = finder.searches(in: image, at: time, people: people, most: most)
        let due = peopleToLookAt(at: time, motion: motion)
        let found = run(due, searches, in: image)
        follow(due, found.landmarks, in: frame, aspect: aspect)
        removeDuplicates(at: time, aspect: aspect)
        endDoubts(at: time)
        setAsidePictures(in: image, at: time)
        let unexplained = motionGrid.unexplained(by: people.map(\.area)).outside(settings.masks)
        let newcomerSearches = finder.newcomerSearches(
            at: time, people: people, lostSomeone: people.count < before, motion: unexplained, most: most)
        let newcomers = run([], newcomerSearches, in: image)
        for (search, detections) in zip(newcomerSearches + searches, newcomers.detections + found.detections) {
            addNewcomers(detections, of: search, from: frame, motion: motion, aspect: aspect)
        }
        acceptCandidates(in: frame, motion: motion, aspect: aspect)
        let sure = people.filter { !$0.isDoubtful }
        return PosedFrame(
            index: frame.index, time: time, image: image, widthPixels: image.widthPixels,
            heightPixels: image.heightPixels, poses: sure.map(\.pose),
            isMeasured: sure.map { $0.pace.lastLook == time })
    }

    /// The indices of the people who are looked at in this frame.
    private func peopleToLookAt(at time: Double, motion: Motion) -> [Int] {
        guard let runs = budgets?.looks.runs(at: time, load: permittedLoad()) else { return Array(people.indices) }
        let looks = max(1, runs)
        let due = people.indices.filter { index in
            people[index].pace.isDue(at: time, somethingMoves: motion.isSomething(in: people[index].area))
        }
        guard due.count > looks else { return due }
        // The person who has waited longest comes first, so nobody starves.
        let waiting = due.sorted { people[$0].pace.lastLook ?? -.infinity < people[$1].pace.lastLook ?? -.infinity }
        return waiting.prefix(looks).sorted()
    }

    /// Looks at these people and carries out these searches.
    private func run(_ due: [Int], _ searches: [PeopleFinder.Search], in image: Image) -> PoseNetworks.Found {
        for search in searches {
            if search.isSweep { sweepCount += 1 } else { searchCount += 1 }
        }
        let found = networks.run(
            in: image, regions: due.map { people[$0].region }, masks: due.map { mask(for: $0, in: image) },
            squares: searches.map(\.square))
        budgets?.looks.add(found.lookTime, runs: due.count)
        budgets?.searches.add(found.searchTime, runs: searches.count)
        return found
    }

    /// Takes the landmarks of these people, and removes those who are not there any more.
    private func follow(_ due: [Int], _ found: [Landmarks], in frame: Frame, aspect: Float) {
        var lost: Set<Int> = []
        for (index, landmarks) in zip(due, found) where !update(&people[index], landmarks, in: frame, aspect: aspect) {
            lost.insert(index)
            // A wrong pose on top of a person is no loss.
            if !people[index].isDoubtful { finder.lost(people[index], at: frame.time) }
        }
        guard !lost.isEmpty else { return }
        people = people.indices.filter { !lost.contains($0) }.map { people[$0] }
    }

    /// Hides the others in a person's region.
    private func mask(for index: Int, in image: Image) -> NeighbourMask? {
        let person = people[index]
        let others = people.indices.filter { $0 != index && !people[$0].isDoubtful }.map { people[$0].pose }
        return NeighbourMask(
            person.region, side: LandmarkPass.side, pose: person.isDoubtful ? nil : person.pose,
            others: others, picture: SIMD2(Float(image.widthPixels), Float(image.heightPixels)))
    }

    /// Takes the landmarks of a person. Returns whether there still is a person who is to be followed.
    private func update(
        _ person: inout FollowedPerson, _ found: Landmarks, in frame: Frame, aspect: Float
    ) -> Bool {
        guard found.flag > settings.minimumPresence, !isIgnored(Pose(found)) else { return false }
        person.update(found, at: frame.time, aspect: aspect)
        return person.region.isUsable
    }

    /// Adds the people of a search who are not tracked yet. A person who is found where nothing moves may be a picture and waits
    /// as a candidate.
    private func addNewcomers(
        _ detections: [Detection], of search: PeopleFinder.Search, from frame: Frame, motion: Motion, aspect: Float
    ) {
        let (width, height) = (frame.image.widthPixels, frame.image.heightPixels)
        for detection in detections where people.count < settings.maximumPeople {
            let region = detection.region(imageWidth: width, imageHeight: height)
            let middle = SIMD2(region.centerX / Float(width), region.centerY / Float(height))
            let waiting = candidates.filter { $0.region.covers(region) }
            guard region.isUsable, !settings.masks.contains(where: { $0.contains(middle) }),
                !people.contains(where: { $0.region.covers(region) }),
                !waiting.contains(where: { $0.isPicture || search.isSweep }),
                let someone = locate(region, in: frame, aspect: aspect),
                !candidates.contains(where: { $0.shows(someone) })
            else { continue }
            // A person who passes in front of a picture does not make it a person.
            if !search.isSweep, mayBeStill || motion.outside(livingAreas).isSomething(in: someone.area) {
                add(someone, at: frame.time)
            } else if waiting.isEmpty, candidates.count < 2 * settings.maximumPeople {
                candidates.append(Candidate(someone, wasFollowed: false))
            }
        }
    }

    /// A person in a region who is not tracked yet; `nil` if there is nobody.
    private func locate(_ region: RegionOfInterest, in frame: Frame, aspect: Float) -> FollowedPerson? {
        var someone = FollowedPerson(region)
        let found = networks.landmarks(in: frame.image, region: region)
        guard update(&someone, found, in: frame, aspect: aspect) else { return nil }
        let body = Body(someone.pose, aspect: aspect)
        guard let known = people.firstIndex(where: { Body($0.pose, aspect: aspect).isSame(as: body) }) else {
            return someone
        }
        // The region of a person who was half hidden may have shrunk to a part of the body.
        if someone.pose.meanConfidence > people[known].pose.meanConfidence + Self.surer { people[known].take(someone) }
        return nil
    }

    private func add(_ person: FollowedPerson, at time: Double) {
        var person = person
        // A wrong pose of a person who is known lasts for some frames only.
        let middle = person.pose.middle
        if people.contains(where: { $0.area.contains(middle) }) {
            person.doubtfulUntil = time + Self.patienceSeconds
        } else {
            finder.found(person, at: time)
        }
        people.append(person)
        candidates.removeAll { $0.region.covers(person.region) }
    }

    /// A pose that lasted long enough is no wrong one of another person.
    private func endDoubts(at time: Double) {
        for index in people.indices {
            guard let until = people[index].doubtfulUntil, time >= until else { continue }
            people[index].doubtfulUntil = nil
            finder.found(people[index], at: time)
        }
    }

    /// Makes people of the candidates that have changed as people do.
    private func acceptCandidates(in frame: Frame, motion: Motion, aspect: Float) {
        guard !candidates.isEmpty else { return }
        let passers = livingAreas, unexplained = motion.outside(passers)
        let changed = candidates.indices.filter {
            candidates[$0].look(
                at: frame.image, time: frame.time, mayBeStill: mayBeStill, motion: unexplained, passers: passers)
        }
        let regions = changed.map { candidates[$0].region }
        candidates = candidates.indices.filter { !changed.contains($0) }.map { candidates[$0] }
        for region in regions where people.count < settings.maximumPeople {
            if let someone = locate(region, in: frame, aspect: aspect) { add(someone, at: frame.time) }
        }
    }

    /// Stops following what turned out to be a picture or a thing.
    private func setAsidePictures(in image: Image, at time: Double) {
        for index in people.indices {
            let passers = people.indices.filter { $0 != index && people[$0].isAlive }.map { people[$0].area }
            people[index].watchStillness(in: image, at: time, mayBeStill: mayBeStill, passers: passers)
        }
        let pictures = people.filter { $0.isPicture(at: time) }
        guard !pictures.isEmpty else { return }
        people.removeAll { $0.isPicture(at: time) }
        candidates += pictures.map { Candidate($0, wasFollowed: true) }
    }

    /// Whether a person's trunk lies beside the picture or in a mask, or the whole person in a mirror.
    private func isIgnored(_ pose: Pose) -> Bool {
        let middle = pose.middle
        // At the picture's sides the networks find people in whatever is cut off there. Below it stand people too near.
        guard (0...1).contains(middle.x), middle.y >= 0 else { return true }
        if !settings.masks.isEmpty, settings.masks.contains(where: { $0.contains(middle) }) { return true }
        guard !settings.mirrors.isEmpty, let feet = pose.feet else { return false }
        return settings.mirrors.contains { $0.contains(feet) && $0.contains(middle) }
    }

    /// Removes duplicates: two regions can move onto one body. The person who was tracked longer stays.
    private func removeDuplicates(at time: Double, aspect: Float) {
        var bodies: [Body] = []
        people.removeAll { person in
            let body = Body(person.pose, aspect: aspect)
            if bodies.contains(where: { $0.isSame(as: body) }) {
                if !person.isDoubtful { finder.lost(person, at: time) }
                return true
            }
            bodies.append(body)
            return false
        }
    }

    /// The share of the permitted load that searches may take.
    private static let searchShare = 0.5
    /// Seconds for which a pose on top of a person must last before it counts as another person.
    private static let patienceSeconds = 0.5
    /// A pose that is found anew replaces the followed one when its joints are surer by this much.
    private static let surer: Float = 0.05
}
