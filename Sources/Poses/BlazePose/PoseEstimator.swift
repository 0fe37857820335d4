import Capture
import Foundation
import NeuralNet

/// Finds the joints of everyone in a picture, and remembers where to look in the next one.
///
/// The detector runs only when there may be a new person: in the first frame, after a loss, on unexplained motion, and
/// at long intervals in any case (``DetectorSchedule``). Every detected person gets a landmark pass, up to
/// ``Settings/maximumPeople``. Between searches, each person's next region follows from their landmarks.
///
/// It owns both networks and their scratch memory, so create one per recognition chain. It is not thread-safe.
public final class PoseEstimator {
    /// Limits, intervals and threads.
    public struct Settings: Sendable {
        /// The most people tracked at once; others are ignored.
        public var maximumPeople: Int
        /// Seconds between searches for newcomers while there is motion around the tracked people.
        public var detectionIntervalSeconds: Double
        /// The presence, 0…1, that the landmark network must exceed for a person to be in the region.
        public var minimumPresence: Float
        /// Threads that share the work of a frame.
        public var threads: Int
        /// Where nobody is looked for: people whose trunk is there are ignored.
        public var masks: [PictureArea]

        /// Creates settings.
        public init(
            maximumPeople: Int = 4, detectionIntervalSeconds: Double = 0.5, minimumPresence: Float = 0.5,
            threads: Int = 1, masks: [PictureArea] = []
        ) {
            self.maximumPeople = maximumPeople
            self.detectionIntervalSeconds = detectionIntervalSeconds
            self.minimumPresence = minimumPresence
            self.threads = threads
            self.masks = masks
        }
    }

    /// A person who was seen in the last frame.
    private struct Person {
        var follower = RegionFollower()
        var region: RegionOfInterest
        var pose: Pose
    }

    /// The processing times of the frames.
    public let durations = RecentDurations()
    private let settings: Settings
    private let detector: PoseDetector
    private let landmarkModel: LandmarkModel
    private var people: [Person] = []
    private var motionGrid = MotionGrid()
    private var schedule: DetectorSchedule
    /// The number of times the detector has run.
    package private(set) var searchCount = 0

    /// Loads both networks from `models`, the folder with the `.tflite` files.
    ///
    /// - Throws: `ModelError` when a file is missing or not the expected network.
    public init(models: URL, settings: Settings = Settings(), kernels: KernelLevel = .best) throws {
        self.settings = settings
        schedule = DetectorSchedule(
            DetectorSchedule.Settings(
                maximumPeople: settings.maximumPeople, newcomerSeconds: settings.detectionIntervalSeconds))
        let team = settings.threads > 1 ? ThreadTeam(count: settings.threads) : nil
        detector = try PoseDetector(
            model: models.appending(path: "pose_detection.tflite"), kernels: kernels, team: team)
        landmarkModel = try LandmarkModel(
            model: models.appending(path: "pose_landmark_full.tflite"), kernels: kernels, team: team)
    }

    /// Everyone in the frame; those who have been tracked longest come first.
    public func poses(in frame: Frame) -> PosedFrame {
        let image = frame.image
        let began = ContinuousClock.now
        defer { durations.add(began.duration(to: .now)) }
        let before = people.count
        let aspect = Float(image.widthPixels) / Float(image.heightPixels)
        people = locate(people, in: frame)
        removeDuplicates(aspect: aspect)
        let unexplained = motionGrid.unexplainedMotion(
            in: image, at: frame.time, people: people.map { Motion.Area(around: $0.pose, aspect: aspect) }
        ).outside(settings.masks)
        // Computed only when a search needs them.
        lazy var squares = unexplained.squares(widthPixels: image.widthPixels, heightPixels: image.heightPixels)
        let search = schedule.search(
            at: frame.time, followed: people.count, lostSomeone: people.count < before,
            hasUnexplainedMotion: unexplained.isSomething, movingThings: squares.count)
        switch search {
        case .wholePicture: addNewcomers(from: frame, square: nil)
        case .closeLook(let number): addNewcomers(from: frame, square: squares[number])
        case nil: break
        }
        return PosedFrame(
            index: frame.index, time: frame.time, image: image, widthPixels: image.widthPixels,
            heightPixels: image.heightPixels, poses: people.map(\.pose))
    }

    /// Runs the landmark network where people are expected. Returns the people who are still there.
    private func locate(_ people: [Person], in frame: Frame) -> [Person] {
        let found = landmarkModel.landmarks(in: frame.image, regions: people.map(\.region))
        return zip(people, found).compactMap { person, found in
            guard found.flag > settings.minimumPresence else { return nil }
            var person = person
            person.pose = Pose(found)
            guard !isMasked(person.pose.middle) else { return nil }
            person.region = person.follower.next(after: found, time: frame.time)
            return person.region.isUsable ? person : nil
        }
    }

    /// Searches a square of the picture, or all of it, and adds the people who are not tracked yet.
    private func addNewcomers(from frame: Frame, square: RegionOfInterest?) {
        searchCount += 1
        let aspect = Float(frame.image.widthPixels) / Float(frame.image.heightPixels)
        for detection in detector.detections(in: frame.image, square: square)
        where people.count < settings.maximumPeople {
            let region = detection.region(
                imageWidth: frame.image.widthPixels, imageHeight: frame.image.heightPixels)
            let size = SIMD2(Float(frame.image.widthPixels), Float(frame.image.heightPixels))
            guard region.isUsable, !isMasked(SIMD2(region.centerX, region.centerY) / size),
                !people.contains(where: { $0.region.covers(region) })
            else { continue }
            let someone = Person(region: region, pose: Pose.nobody)
            guard let found = locate([someone], in: frame).first else { continue }
            let body = Body(found.pose, aspect: aspect)
            let known = people.contains { Body($0.pose, aspect: aspect).distance(to: body) < Self.sameBody }
            if !known { people.append(found) }
        }
    }

    /// Whether a point lies in a mask. Without masks it is not computed.
    private func isMasked(_ point: @autoclosure () -> SIMD2<Float>) -> Bool {
        guard !settings.masks.isEmpty else { return false }
        let point = point()
        return settings.masks.contains { $0.contains(point) }
    }

    /// Removes duplicates: two regions can move onto one body. The person who was tracked longer stays.
    private func removeDuplicates(aspect: Float) {
        var bodies: [Body] = []
        people.removeAll { person in
            let body = Body(person.pose, aspect: aspect)
            if bodies.contains(where: { $0.distance(to: body) < Self.sameBody }) { return true }
            bodies.append(body)
            return false
        }
    }

    /// Poses whose mean joint distance is below this, in body sizes, are the same person.
    private static let sameBody: Float = 0.08
}

extension RegionOfInterest {
    /// Whether a detection is a person who is already tracked: nearly the same centre and a similar size.
    fileprivate func covers(_ other: RegionOfInterest) -> Bool {
        let distance = hypotf(centerX - other.centerX, centerY - other.centerY)
        return distance < 0.15 * min(size, other.size) && max(size, other.size) < 2 * min(size, other.size)
    }

    /// Whether the landmark network can use the region: it is finite, and at least a few pixels wide.
    fileprivate var isUsable: Bool {
        size >= 8 && size < 1e5 && abs(centerX) < 1e5 && abs(centerY) < 1e5 && angle.isFinite
    }
}
