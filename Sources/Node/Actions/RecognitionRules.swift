/// The limits by which recognition decides what a person does: which windows are believed, which label is shown, when a set
/// and a session begin and end, and what counts as a repetition.
///
/// One value stands for all steps of a ``RecognitionChain``. The thresholds of single windows belong to the model; see
/// ``ModelDescription/Thresholds``. `spotter models show` prints both.
public struct RecognitionRules: Sendable, Equatable {
    /// Which windows are believed.
    public var windows = Windows()
    /// Which label is shown.
    public var labels = Labels()
    /// When a set begins and ends.
    public var sets = Sets()
    /// What counts as a repetition.
    public var counting = Counting()
    /// When a session begins and ends.
    public var sessions = Sessions()
    /// Who waits for a zone.
    public var waiting = Waiting()
    /// Who lies on the floor and does not move.
    public var lying = Lying()

    /// The usual rules.
    public init() {}

    /// The rules with another idle time of sessions, in seconds.
    public init(idleSeconds: Double) { sessions.idleSeconds = idleSeconds }

    /// Which windows are believed, beside the model's own thresholds.
    public struct Windows: Sendable, Equatable {
        /// The least confidence, 0…1, for an exercise of a person whose head or legs are outside of the picture.
        public var minimumConfidenceOfCutOff: Float = 0.85
        /// Joints below this mean confidence, 0…1, give a rejected window the reason `poor_view`.
        public var minimumVisibility: Float = 0.6

        /// The usual rules.
        public init() {}
    }

    /// Which label is shown: the forward filter of ``LabelSmoother``.
    public struct Labels: Sendable, Equatable {
        /// The probability that a person still does the same after a window's stride.
        public var stay = 0.97
        /// The power to which a window's probabilities are raised: windows overlap, so each adds little to the one before.
        public var evidence = 0.5
        /// A window's probabilities are at least this, so that no single window decides.
        public var leastProbability = 0.001
        /// A label that is shown stays until its probability is below this.
        public var keptAbove = 0.2
        /// A person who was not seen for this many seconds is a stranger again.
        public var memorySeconds = 3.0

        /// The usual rules.
        public init() {}
    }

    /// When a set begins and ends.
    public struct Sets: Sendable, Equatable {
        /// A set begins when the belief in its exercise is above this.
        public var onset: Float = 0.7
        /// A set may end when the belief is below this.
        public var offset: Float = 0.4
        /// A shorter pause in an exercise, in seconds, is a breather and does not end the set.
        public var breatherSeconds = 4.0
        /// Another exercise ends a set once the set's own was not seen for so many seconds: a burpee contains a push-up.
        public var changeSeconds = 1.0
        /// A person whose windows pause for longer than this, in seconds, was hidden.
        public var hiddenSeconds = 1.0
        /// A posture that is held for less, in seconds, is no set.
        public var minimumHeldSeconds = 3.0
        /// A posture that is given up for longer, in seconds, ends its set.
        public var longestHeldPause = 2.0
        /// A set is reported once it has this confidence; see ``SetSureness``. It stays where the confidence falls later.
        public var minimumConfidence: Float = 0.6
        /// The same for a set of a single repetition.
        public var minimumConfidenceOfSingle: Float = 0.8
        /// The same for an exercise that a workout expects now. Its set is reported from the first repetition on.
        public var minimumConfidenceOfExpected: Float = 0.5
        /// What a window weighs for the confidence once the next one has come: a third after eleven seconds. A beginning
        /// that was hard to see must not refuse a set that is sure by now.
        public var fading: Float = 0.97
        /// In exercises that are always quick, a repetition counts as so many seconds long for the confidence.
        public var lengthOfQuick = 1.5
        /// A person who was away for longer than this, in seconds, begins to number sets anew, unless a session goes on.
        public var forgetSeconds = 60.0

        /// The usual rules.
        public init() {}
    }

    /// What counts as a repetition.
    public struct Counting: Sendable, Equatable {
        /// A motion turns where it has come back by at least this much, where 1 is a usual repetition …
        public var minimumTurn: Float = 0.1
        /// … and by this share of the swings around it.
        public var turnShare: Float = 0.4
        /// A swing below this share of the median around it is a wobble.
        public var minimumSwing: Float = 0.4
        /// A swing that follows another within this share of the usual period is a part of it.
        public var minimumPeriod: Float = 0.45
        /// What is nearer than this to one of the last three limits is doubtful. It makes the margin of a count.
        public var doubtShare: Float = 0.1
        /// A repetition belongs to a set if its extreme is at most this many seconds outside of it.
        public var marginSeconds = 0.5
        /// The most repetitions that are added on either side of a set at its end.
        public var maximumNeighbours = 2
        /// The longest pause before a repetition that is added, as a share of the set's usual repetition.
        public var longestPauseOfNeighbour = 0.5
        /// Such a repetition takes at least this share of the usual one …
        public var shortestNeighbour = 0.6
        /// … and at most this.
        public var longestNeighbour = 1.7
        /// The least correlation of its path with the mean path of the set.
        public var leastLikenessOfNeighbour: Float = 0.5
        /// Repetitions whose paths correlate less, on average over neighbours, are of several movements. Two burpees that
        /// begin in different phases do not correlate, so two repetitions are not judged.
        public var leastLikeness: Float = 0
        /// Repetitions that change the body's shape by less than this, in units of ``CountingFeatures``, are small. Of the
        /// six shipped first, 98 in 100 change it by more than 1.0, half by 1.5 to 7; a person who holds still, with the jitter
        /// of the detector, seems to change it by 0.1 to 0.7.
        public var smallChange: Float = 1
        /// Small repetitions that correlate less, on average over all pairs, are sway. Those of one small movement, such as a
        /// side bend, correlate by 0.5 and more; jitter and sway by 0.1 to 0.35.
        public var leastLikenessOfSmall: Float = 0.4
        /// Less than four small repetitions may be alike by chance, and must correlate by this.
        public var leastLikenessOfFewSmall: Float = 0.7

        /// The usual rules.
        public init() {}

        /// The rules with other limits for turns, wobbles and doubles: above 0 fewer repetitions are found, below 0 more.
        func shifted(by share: Float) -> Counting {
            var rules = self
            rules.turnShare += share
            rules.minimumSwing += share
            rules.minimumPeriod += share
            return rules
        }
    }

    /// When a session begins and ends.
    public struct Sessions: Sendable, Equatable {
        /// A session opens with so many predictions of an exercise, since a single one may be an error, or with its first
        /// set.
        public var minimumPredictions = 2
        /// A session ends after so many seconds without exercise and without a repetition.
        public var idleSeconds = 30.0

        /// The usual rules.
        public init() {}
    }

    /// Who waits for a zone: a person beside one that somebody else uses.
    public struct Waiting: Sendable, Equatable {
        /// A person this near to the zone may wait for it, in their own heights in the picture; 0: nobody waits.
        public var distance = 0.5
        /// … once they have been there for so many seconds without an exercise.
        public var seconds = 20.0
        /// Who exercised in the zone less than so many seconds ago shares it, and does not wait.
        public var sharingSeconds = 300.0
        /// A person who was hidden for longer than this, in seconds, begins to wait anew.
        public var absenceSeconds = 10.0

        /// The usual rules.
        public init() {}
    }
}

extension RecognitionRules {
    /// Who lies on the floor and does not move. Heights and trunks are those of the person standing.
    public struct Lying: Sendable, Equatable {
        /// Whether anybody is looked after. It is off unless the configuration switches it on.
        public var isEnabled = false
        /// Who lies still for so many seconds is told of.
        public var stillSeconds = 60.0
        /// Who fell and lies still is told of after so many seconds.
        public var fallSeconds = 8.0
        /// In these zones people rest: only falls are told.
        public var restingZones: Set<String> = []
        /// A fall begins above this share of the height …
        public var dropFrom: Float = 0.75
        /// … ends at or below this share of it …
        public var dropTo: Float = 0.5
        /// … and takes at most so many seconds.
        public var dropSeconds = 1.3
        /// Who lies is lower than this share of the height in the picture …
        public var lowShare: Float = 0.62
        /// … with the shoulders above the hips by less than this share of the trunk.
        public var trunkShare: Float = 0.6
        /// Shoulders this far above a hand, in trunks, are propped up, as in a plank …
        public var proppedArms: Float = 0.75
        /// … or this far above an elbow.
        public var proppedElbows: Float = 0.45
        /// Whoever is on hands and knees has shoulders this far above a hand, in trunks …
        public var hangingArms: Float = 0.6
        /// … and hips this far above the knees.
        public var hangingThighs: Float = 0.5
        /// Nine in ten joints of who lies still move less than this share of the height within six seconds.
        public var motion: Float = 0.08
        /// A person does not lie still who moves a single joint by more than this share of the height within six seconds …
        public var limbMotion: Float = 0.05
        /// … again and again for longer than this, seconds.
        public var limbSeconds = 15.0
        /// After a fall, half of the joints move less than this share.
        public var motionAfterFall: Float = 0.15

        /// The usual rules: nobody is looked after.
        public init() {}
    }
}

extension RecognitionRules {
    /// One limit, as it is printed.
    public struct Limit: Sendable {
        /// What it decides, as it stands in the code, such as `sets.minimumConfidence`.
        public let path: String
        /// The same as it is printed: `sets.minimum_confidence`.
        public var name: String {
            path.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
        }
        /// Its number.
        public let value: Double
    }

    /// All limits that are numbers, in the order in which they decide.
    public var limits: [Limit] {
        Mirror(reflecting: self).children.flatMap { part in
            Mirror(reflecting: part.value).children.compactMap { child in
                // By its text: the nearest Double of a Float has digits that nobody wrote.
                Double("\(child.value)").map { Limit(path: "\(part.label ?? "").\(child.label ?? "")", value: $0) }
            }
        }
    }
}
