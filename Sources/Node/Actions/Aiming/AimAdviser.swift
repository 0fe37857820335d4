import Capture
import Poses
import Records

/// Watches one camera's people, and says whether the camera stands well.
///
/// It remembers the joints of about two seconds and no picture.
public struct AimAdviser: Sendable {
    /// The seconds that count. Shorter ones would change with every move, longer ones would lag behind the person.
    private static let rememberedSeconds = 2.0
    /// The most pictures that count, at any frame rate.
    private static let maximumMoments = 120
    /// Light changes slowly, so the brightness is measured at most so often.
    private static let brightnessSeconds = 0.5

    private struct Moment {
        let time: Double
        let people: Int
        let track: Track?
    }

    private let exercises: [ExerciseSight]
    private var moments: [Moment] = []
    private var size = (widthPixels: 0, heightPixels: 0)
    private var aspect: Float = 1
    private var brightness: (value: Double?, time: Double)?

    /// Starts without a picture.
    ///
    /// - Parameters:
    ///   - exercises: the labels to report on: the model's ``ModelDescription/countedLabels``.
    ///   - references: the labels for which there is a coach's reference.
    ///   - rules: what good form is.
    public init(exercises: [String], references: Set<String> = [], rules: FormRules = FormRules()) {
        self.exercises = exercises.map {
            ExerciseSight(label: $0, hasReference: references.contains($0), rules: rules)
        }
    }

    /// Adds the next frame. Frames must be in order of time; when the times run back or the picture's size
    /// changes, it starts over.
    ///
    /// It costs a copy of one pose, and twice a second a look at 4096 pixels.
    public mutating func watch(_ frame: TrackedFrame) {
        guard TimeRepair.isUsable(frame.time) else { return }
        if size != (frame.widthPixels, frame.heightPixels) || frame.time < moments.last?.time ?? frame.time {
            (moments, brightness) = ([], nil)
        }
        (size, aspect) = ((frame.widthPixels, frame.heightPixels), frame.aspect)
        let person =
            frame.tracks.first { $0.id == frame.prominent } ?? frame.tracks.max { $0.pose.area < $1.pose.area }
        moments.append(Moment(time: frame.time, people: frame.tracks.count, track: person))
        moments.removeAll { frame.time - $0.time > Self.rememberedSeconds }
        moments.removeFirst(max(0, moments.count - Self.maximumMoments))
        if let brightness, frame.time - brightness.time < Self.brightnessSeconds { return }
        brightness = (frame.image?.meanBrightness, frame.time)
    }

    /// What the newest two seconds show.
    public var advice: AimAdvice {
        let people = moments.isEmpty ? nil : moments.map(\.people).sorted()[moments.count / 2]
        let poses = moments.compactMap { $0.track?.pose }
        let body = people ?? 0 > 0 && !poses.isEmpty ? AimedBody(poses, aspect: aspect) : nil
        // Where there are several people, the one who stands for the camera may change.
        let isUnsteady = people == 1 && Steadiness.isUnsteady(moments.map(\.track), aspect: aspect)
        let light = brightness?.value
        let rules = AimRules(people: people, body: body, isUnsteady: isUnsteady, brightness: light)
        return AimAdvice(
            people: people ?? 0,
            advice: rules.hints,
            joints: body.map { body in
                AimedBody.joints.map { .init(name: $0.name, state: body.states[$0] ?? .unsure) }
            } ?? [],
            view: body?.view ?? .unknown,
            size: body?.height.map { Double($0).rounded(decimals: 2) },
            brightness: light?.rounded(decimals: 2),
            exercises: exercises.map { $0.exercise(body, heightPixels: size.heightPixels) })
    }
}
