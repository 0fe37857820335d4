import Poses

/// What can be told of one exercise from the joints that are seen.
struct ExerciseSight {
    /// People of this many pixels were not recognised in real videos (see the model's description).
    private static let minimumHeightPixels: Float = 60
    /// Every exercise is measured relative to the middle of the hips and the length of the trunk.
    private static let trunk: [[Joint]] = [[.rightShoulder], [.rightHip]]
    private static let everything = trunk + [[.rightElbow], [.rightWrist], [.rightKnee], [.rightAnkle]]

    let label: String
    let hasReference: Bool
    /// What good form is.
    let rules: FormRules

    /// What can be told.
    ///
    /// - Parameters:
    ///   - body: how the person is seen; `nil` when nobody is in view.
    ///   - heightPixels: the height of the picture.
    func exercise(_ body: AimedBody?, heightPixels: Int) -> AimAdvice.Exercise {
        guard let body else { return exercise(recognised: false, "Nobody is in view.") }
        // The classifier knows people upright, and a camera on its side shows everyone as lying.
        guard !body.liesAcross else {
            return exercise(recognised: false, "This can be told once you are upright in the picture.")
        }
        // Nothing was measured for exercises of other models, so they need every limb.
        let groups = Exercise.named(label).map { Self.trunk + $0.needs } ?? Self.everything
        let missing = groups.filter { !$0.contains(where: body.sees) }.map { Self.words($0, or: true) }
        guard missing.isEmpty else {
            return exercise(recognised: false, "It needs the \(Words.list(missing)) in view.")
        }
        if let height = body.height, height * Float(heightPixels) < Self.minimumHeightPixels {
            return exercise(recognised: false, "You are too small in the picture.")
        }
        let (isJudged, reason) = form(body)
        return AimAdvice.Exercise(label: label, recognised: true, judged: isJudged, reason: reason)
    }

    private func exercise(recognised: Bool, _ reason: String) -> AimAdvice.Exercise {
        AimAdvice.Exercise(label: label, recognised: recognised, judged: false, reason: reason)
    }

    /// Whether the form can be judged, and what is missing.
    private func form(_ body: AimedBody) -> (isJudged: Bool, reason: String?) {
        let ranges = rules.ranges(of: label)
        guard let range = ranges.first else {
            return hasReference
                ? (true, nil) : (false, "Only the rhythm is judged. Record a coach's reference to judge the form.")
        }
        // People face the camera in other exercises than push-ups as they do while they aim it. They may lie in another
        // direction, so nothing is said of the view there.
        guard ranges.contains(where: { $0.joints.isEmpty || body.seesOneSide($0.joints) }) else {
            let joints = Self.words(range.joints, or: false)
            return (hasReference, "To judge the range of motion, the \(joints) of one side must be in view.")
        }
        guard let place = body.view.place, Exercise.named(label)?.needs.isEmpty != true else { return (true, nil) }
        let unnoticed = rules.rules(for: label).filter { !$0.views.contains(body.view) }.map(\.measure.words)
        return (true, unnoticed.isEmpty ? nil : "From \(place), this is not judged: \(Words.list(unnoticed)).")
    }

    private static func words(_ joints: [Joint], or: Bool) -> String {
        let all = joints.map(Words.plural)
        let names = all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
        return or ? names.joined(separator: " or ") : Words.list(names)
    }
}

extension CameraView {
    /// The camera's place in words, after `from`; `nil` when it is unknown.
    fileprivate var place: String? {
        switch self {
        case .front: "the front"
        case .side: "the side"
        case .turned: "an angle"
        case .unknown: nil
        }
    }
}

extension FormMeasurement {
    /// The joints of the right side without which a range of motion cannot be measured.
    fileprivate var joints: [Joint] {
        switch self {
        case .kneeFlexion: [.rightHip, .rightKnee, .rightAnkle]
        case .hipFlexion: [.rightShoulder, .rightHip, .rightKnee]
        case .elbowFlexion, .wristRise: [.rightShoulder, .rightElbow, .rightWrist]
        case .shoulderElevation: [.rightHip, .rightShoulder, .rightElbow]
        case .hipDrop: [.rightHip, .rightAnkle]
        case .shoulderDrop: [.rightShoulder, .rightWrist]
        case .trunkRise: [.rightShoulder, .rightHip]
        case .hipTravel: [.rightHip]
        default: []
        }
    }
}

/// English words for messages.
enum Words {
    /// `a, b and c`.
    static func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }

    /// The name of a pair of joints: `knees`.
    static func plural(_ joint: Joint) -> String {
        switch joint {
        case .nose, .rightEye, .leftEye, .rightEar, .leftEar: "head"
        case .neck: "neck"
        case .rightShoulder, .leftShoulder: "shoulders"
        case .rightElbow, .leftElbow: "elbows"
        case .rightWrist, .leftWrist: "wrists"
        case .rightHip, .leftHip: "hips"
        case .rightKnee, .leftKnee: "knees"
        case .rightAnkle, .leftAnkle: "ankles"
        }
    }
}
