import Poses

/// What is known of one person's standing, falling and lying. Times are in seconds on the source's clock.
struct LyingState {
    /// Being unseen for longer is being lost.
    private static let lostAfter = 0.3
    /// Who is lost for longer is forgotten.
    private static let memory = 60.0
    /// Who lies still and is lost for longer is forgotten.
    private static let memoryOfLying = 900.0
    /// A standing person's size is the median over this time.
    private static let sizeSeconds = 3.0
    /// The trunk of a person who was never seen standing is averaged over this time: single pictures err.
    private static let trunkSeconds = 3.0
    /// A fallen person lies this near, in own heights.
    private static let reach: Float = 0.9
    /// Who is lost at the side of the picture has left it.
    private static let edge: Float = 0.03
    /// What a fall itself stirs does not count as motion after it.
    private static let settling = 1.0
    /// Who does not lie any more for this long is up.
    private static let gettingUp = 2.0

    private var standing: [(time: Double, height: Float, trunk: Float)] = []
    /// The longest that the averaged trunk has been.
    private var likelyTrunk: Float = 0
    private var meanTrunk: (length: Float, seconds: Double) = (0, 0)
    private var shares: [(time: Double, share: Float)] = []
    private var stillness = Stillness()
    private var zone: String?
    private var body: BodyExtent?
    private var lastSeen = -Double.infinity
    /// When the body has dropped.
    private var fell: Double?
    /// Whether the person has lain since the fall.
    private var hasLain = false
    /// Whether the person must stand before they can fall again.
    private var isDown = false
    /// When something has spoken against lying still after the fall.
    private var contradicted = 0.0
    private var lastLow = -Double.infinity
    private var stillSince: Double?
    /// When no limb moved to and fro for the last time.
    private var limbsWereStill: Double?
    private var told: LyingPerson?
    /// Who was told and is up again.
    private var over: LyingPerson?

    /// Whether the person may lie where they were lost: they fell, or stood there a moment before.
    func mayLieThere(at time: Double, _ rules: RecognitionRules.Lying) -> Bool {
        !standing.isEmpty && (fell != nil || time - lastSeen < rules.dropSeconds)
    }

    func isLost(at time: Double) -> Bool { time - lastSeen > Self.lostAfter }

    func isForgotten(at time: Double) -> Bool {
        time < lastSeen || time - lastSeen > (told == nil ? Self.memory : Self.memoryOfLying)
    }

    func isNear(_ place: SIMD2<Float>) -> Bool {
        body.map { ($0.middle - place).length < Self.reach * size.height } ?? false
    }

    /// Height and trunk of the person standing, in picture heights.
    private var size: (height: Float, trunk: Float) {
        guard let height = standing.map(\.height).quantile(0.5), let trunk = standing.map(\.trunk).quantile(0.5) else {
            return (BodyExtent.height(ofTrunk: likelyTrunk), likelyTrunk)
        }
        return (height, trunk)
    }

    /// Takes the next measured pose.
    mutating func see(
        _ body: BodyExtent, zone: String?, lastExercise: Double?, at time: Double, _ rules: RecognitionRules.Lying
    ) {
        let passed = min(max(time - lastSeen, 0), 1)
        (self.body, self.zone, lastSeen) = (body, zone, time)
        measure(body, at: time, after: passed)
        stillness.add(body.places, at: time)
        let size = size
        let lies =
            body.height < rules.lowShare * size.height && body.trunkRise < rules.trunkShare * size.trunk
            && !Self.isPropped(body, trunk: size.trunk, rules)
        drop(body.height / max(size.height, .leastNormalMagnitude), at: time, rules)
        judge(lies, size.height, lastExercise, at: time, rules)
    }

    /// Whether a person is on their hands or elbows.
    ///
    /// - Parameter trunk: that of the person standing, in picture heights.
    private static func isPropped(_ body: BodyExtent, trunk: Float, _ rules: RecognitionRules.Lying) -> Bool {
        if body.trunk > 0.5 * trunk, body.trunkRise < 0.8 * trunk,
            body.armRise > rules.proppedArms * trunk || body.elbowRise > rules.proppedElbows * trunk
        {
            return true
        }
        // On hands and knees, seen from the front or from behind: the trunk is short, arms and thighs hang down.
        return body.trunkRise < 0.3 * trunk && body.armRise > rules.hangingArms * trunk
            && body.kneeDrop > rules.hangingThighs * trunk
    }

    /// Learns how tall the person stands.
    private mutating func measure(_ body: BodyExtent, at time: Double, after passed: Double) {
        let seconds = min(meanTrunk.seconds + passed, Self.trunkSeconds)
        let weight = meanTrunk.length == 0 ? 1 : Float(passed / max(seconds, .leastNormalMagnitude))
        meanTrunk = (meanTrunk.length + weight * (body.likelyTrunk - meanTrunk.length), seconds)
        likelyTrunk = max(likelyTrunk, meanTrunk.length)
        guard body.isUpright else { return }
        standing.removeAll { time - $0.time > Self.sizeSeconds }
        standing.append((time, body.height, body.trunk))
    }

    /// Notices a fall.
    private mutating func drop(_ share: Float, at time: Double, _ rules: RecognitionRules.Lying) {
        shares.removeAll { time - $0.time > rules.dropSeconds }
        shares.append((time, share))
        if body?.isUpright == true { isDown = false }
        guard fell == nil, !isDown, !standing.isEmpty, share <= rules.dropTo else { return }
        guard shares.contains(where: { $0.share >= rules.dropFrom }) else { return }
        (fell, contradicted, hasLain, isDown) = (time, time, false, true)
    }

    /// Decides whether the person lies still.
    private mutating func judge(
        _ lies: Bool, _ height: Float, _ lastExercise: Double?, at time: Double, _ rules: RecognitionRules.Lying
    ) {
        if lies { lastLow = time }
        // Who falls towards the camera looks upright until they lie.
        let isFalling = fell.map { time - $0 <= Self.gettingUp } ?? false
        if time - lastLow > Self.gettingUp, told != nil || !isFalling && body?.isUpright == true {
            (over, told, fell, stillSince) = (told ?? over, nil, nil, nil)
        }
        hasLain = hasLain || lies
        // Who crouches or kneels first goes down by their own will.
        if let fell, !hasLain, time - fell > Self.settling { self.fell = nil }
        guard lies else {
            (contradicted, stillSince, limbsWereStill) = (time, nil, time)
            return
        }
        let ways = stillness.ways(since: fell.map { $0 + Self.settling } ?? -.infinity)
        if ways.quantile(0.5) ?? 0 > rules.motionAfterFall * height { contradicted = time }
        guard ways.quantile(0.9) ?? 0 <= rules.motion * height else {
            stillSince = nil
            return
        }
        let stillLimbs = stillness.widestWay ?? 0 <= rules.limbMotion * height ? time : limbsWereStill ?? time
        limbsWereStill = stillLimbs
        let keepsMovingLimb = time - stillLimbs > rules.limbSeconds
        stillSince = keepsMovingLimb ? nil : max(stillSince ?? time, lastExercise ?? -.infinity)
    }

    /// The person as one who lies still; `nil` while they do not.
    ///
    /// - Parameter number: that of the person who is told next.
    mutating func lying(
        in frame: TrackedFrame, next number: Int, _ rules: RecognitionRules.Lying
    ) -> LyingPerson? {
        if let person = over {
            over = nil
            return person.up
        }
        let time = frame.time
        if told == nil, let fell, time - contradicted >= rules.fallSeconds {
            if isLost(at: time) && hasLeft(frame) {
                self.fell = nil
            } else {
                told = LyingPerson(number: number, cause: .fall, since: fell, zone: zone)
            }
        }
        if told == nil, let stillSince, !isLost(at: time), time - stillSince >= rules.stillSeconds,
            zone.map(rules.restingZones.contains) != true
        {
            told = LyingPerson(number: number, cause: .still, since: stillSince, zone: zone)
        }
        return told
    }

    /// Whether the person was last seen at a side of the picture.
    private func hasLeft(_ frame: TrackedFrame) -> Bool {
        let sides = body?.places.compactMap { $0.map { $0.x / frame.aspect } } ?? []
        return (sides.min() ?? 0) < Self.edge || (sides.max() ?? 1) > 1 - Self.edge
    }

    /// This person, seen again under another number.
    func goingOn(with later: LyingState) -> LyingState {
        var person = later
        if person.standing.isEmpty {
            (person.standing, person.likelyTrunk) = (standing, max(likelyTrunk, later.likelyTrunk))
        }
        if person.fell == nil {
            (person.fell, person.contradicted) = (fell, max(contradicted, later.contradicted))
            (person.hasLain, person.isDown) = (hasLain, isDown)
        }
        // Who was told under both numbers is one person.
        if let told { (person.told, person.over) = (told, later.told ?? over) }
        person.lastLow = max(lastLow, later.lastLow)
        return person
    }
}
