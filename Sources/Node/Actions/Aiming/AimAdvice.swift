/// What a person who sets up a camera needs to know: whether it stands well, and what to do if not.
///
/// In JSON the keys are the names of the properties. An unknown `size`, `brightness` or `reason` is `null`.
public struct AimAdvice: Sendable, Codable, Equatable {
    /// The number of people in most of the newest pictures.
    public var people: Int
    /// What to do, most important first: one to three hints.
    public var advice: [Hint]
    /// The joints that matter, for the person who stands for the camera; empty when nobody is in view.
    public var joints: [JointSight]
    /// From which side the camera sees that person.
    public var view: CameraView
    /// The height of that person when standing upright, as a share of the picture's height. It is estimated from the
    /// length of the trunk, so it stays the same in a squat. `nil` when the trunk is not seen.
    public var size: Double?
    /// The mean brightness of the picture, 0…1; `nil` without a picture.
    public var brightness: Double?
    /// What can be told of the model's exercises from here, in the model's order.
    public var exercises: [Exercise]

    /// One thing to do.
    public struct Hint: Sendable, Codable, Equatable {
        /// What is the matter, for programs.
        public var code: Code
        /// What to do, in one or two English sentences.
        public var message: String
    }

    /// What is the matter, most important first.
    public enum Code: String, Sendable, Codable, CaseIterable {
        case noPicture = "no_picture"
        case nobodyInView = "nobody_in_view"
        case severalPeople = "several_people"
        case turnUpright = "turn_upright"
        case tooDark = "too_dark"
        case feetOutside = "feet_outside"
        case headOutside = "head_outside"
        case sideOutside = "side_outside"
        case tooSmall = "too_small"
        case tooLarge = "too_large"
        case jointsHidden = "joints_hidden"
        case unsteady
        case tooBright = "too_bright"
        case good
    }

    /// How one joint is seen.
    public struct JointSight: Sendable, Codable, Equatable {
        /// The joint's name as in pose streams: `left_ankle`.
        public var name: String
        /// How it is seen.
        public var state: State

        /// How a joint is seen in the newest pictures.
        public enum State: String, Sendable, Codable {
            /// In the picture, and in most of the pictures the detector is sure of its position.
            case seen
            /// Hidden, or the detector is not sure of its position.
            case unsure
            /// In a quarter of the pictures or more, outside or at the edge.
            case outside
        }
    }

    /// What can be told of one exercise.
    public struct Exercise: Sendable, Codable, Equatable {
        /// The model's label.
        public var label: String
        /// Whether the joints are seen that recognising and counting it need.
        public var recognised: Bool
        /// Whether its form can be judged for a score.
        public var judged: Bool
        /// What is missing, or what the hint does not notice from this side; `nil` if nothing.
        public var reason: String?
    }
}

// A synthesised encoder would leave out what is `nil`.
extension AimAdvice {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(people, forKey: .people)
        try container.encode(advice, forKey: .advice)
        try container.encode(joints, forKey: .joints)
        try container.encode(view, forKey: .view)
        try container.encode(size, forKey: .size)
        try container.encode(brightness, forKey: .brightness)
        try container.encode(exercises, forKey: .exercises)
    }
}

extension AimAdvice.Exercise {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label, forKey: .label)
        try container.encode(recognised, forKey: .recognised)
        try container.encode(judged, forKey: .judged)
        try container.encode(reason, forKey: .reason)
    }
}
