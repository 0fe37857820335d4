import Poses

/// Finds what is wrong with a camera's place, and says what to do.
struct AimRules {
    /// Below this share of the picture's longer side, people who stand still may not be found, only people who move. Of
    /// rendered people all were found from 0.24 on, some at 0.21, and none who stood still below 0.2.
    static let minimumHeight: Float = 0.24
    /// Raised wrists reach 1.15 times as high as the head, so above this share of the picture's height they leave it.
    static let maximumHeight: Float = 0.85
    /// Beyond this the head is below the feet.
    private static let upsideDownDegrees: Float = 120
    /// Below this mean brightness, 0…1, some rendered people are found late or have unsure wrists; from 0.09 on, none.
    static let minimumBrightness = 0.08
    /// Rendered people are found late in a picture of 0.99, not in one of 0.98.
    static let maximumBrightness = 0.985
    /// More hints are hard to remember on the way to the camera.
    private static let maximumHints = 3

    /// The number of people in view; `nil` before the first picture.
    let people: Int?
    /// The person who stands for the camera.
    let body: AimedBody?
    let isUnsteady: Bool
    let brightness: Double?

    /// One to three hints, most important first.
    var hints: [AimAdvice.Hint] {
        let found = AimAdvice.Code.allCases.compactMap { code in
            message(code).map { AimAdvice.Hint(code: code, message: $0) }
        }
        guard found.isEmpty else { return Array(found.prefix(Self.maximumHints)) }
        return [AimAdvice.Hint(code: .good, message: "You are well in view. The camera can stay as it is.")]
    }

    /// What to do; `nil` if the code does not apply.
    private func message(_ code: AimAdvice.Code) -> String? {
        switch code {
        case .noPicture:
            people == nil ? "No picture has come yet. Wait, or see whether the camera is online." : nil
        case .nobodyInView:
            people == 0 ? "Nobody is found. Stand where people will exercise, and move your arms." : nil
        case .severalPeople: people ?? 0 > 1 ? "Only one person should be in view while you aim the camera." : nil
        case .turnUpright: turnUpright
        case .tooDark:
            (brightness ?? 1) < Self.minimumBrightness
                ? "The picture is too dark. Switch on more light, or raise the camera's exposure." : nil
        case .feetOutside: cut(.bottom, joints: [.leftAnkle, .rightAnkle], "your feet are", or: "tilt the camera down")
        case .headOutside:
            cut(
                .top, joints: [.nose, .rightEye, .leftEye, .rightEar, .leftEar], "your head is",
                or: "tilt the camera up")
        case .sideOutside: cut(.side, or: "move to the middle of the picture")
        case .tooSmall: tooSmall
        case .tooLarge: tooLarge
        case .jointsHidden: jointsHidden
        case .unsteady:
            isUnsteady
                ? "Your joints jump. Stand still. If they still jump, fix the camera firmly and add light." : nil
        case .tooBright:
            (brightness ?? 0) > Self.maximumBrightness
                ? "The picture is nearly white. Lower the camera's exposure, or turn it away from the light." : nil
        case .good: nil
        }
    }

    private var isTurned: Bool { body?.liesAcross ?? false }

    private var turnUpright: String? {
        guard let tilt = body?.tiltDegrees, isTurned else { return nil }
        let what = tilt > Self.upsideDownDegrees ? "are upside down in" : "lie across"
        return "You \(what) the picture. If you are standing, turn the camera upright, or set its rotation."
    }

    /// What to do when joints lie beyond an edge.
    ///
    /// - Parameters:
    ///   - joints: the joints that are called `name`; the others are called the whole body.
    ///   - remedy: what helps besides stepping back.
    private func cut(
        _ edge: AimedBody.Edge, joints: Set<Joint> = [], _ name: String = "", or remedy: String
    ) -> String? {
        // Up and down mean nothing while the camera lies on its side.
        guard let body, !isTurned else { return nil }
        let outside = body.outside.filter { $0.value == edge }.keys
        guard !outside.isEmpty else { return nil }
        let what = outside.contains(where: joints.contains) ? name : "your whole body is"
        // A person who does not fit must step back.
        let (first, second) = isTooLarge ? ("step back", remedy) : (remedy, "step back")
        let start = first.prefix(1).uppercased() + first.dropFirst()
        return "\(start), or \(second), until \(what) in the picture."
    }

    private var isTooLarge: Bool { body?.height ?? 0 > Self.maximumHeight && !isTurned }

    private var tooLarge: String? {
        // Where something is cut off, the hint about it already says to step back.
        guard isTooLarge, body?.outside.isEmpty == true else { return nil }
        return "Step back until you fill about two thirds of the picture's height. Raised hands need room."
    }

    private var tooSmall: String? {
        guard let body, let height = body.height else { return nil }
        let least = Self.minimumHeight * max(body.aspect, 1)
        guard height < least else { return nil }
        let now = Int((100 * height).rounded(.down)), wanted = Int((100 * least).rounded())
        return "Come closer. You fill \(now) % of the picture's height. "
            + "Below \(wanted) % people may be found only while they move."
    }

    /// Pairs of joints that are inside the picture, but seen on neither side.
    private var jointsHidden: String? {
        guard let body else { return nil }
        let pairs = AimedBody.joints.filter { $0.name.hasPrefix("left") }
        let hidden = pairs.filter { body.states[$0] == .unsure && body.states[$0.mirrored] == .unsure }
        guard !hidden.isEmpty else { return nil }
        let names = Words.list(hidden.map(Words.plural))
        return "Your \(names) are not seen well. Clear the view to them, or add light."
    }
}
