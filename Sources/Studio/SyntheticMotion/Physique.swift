import NeuralNet

/// The lengths of one person's bones in metres.
struct Physique {
    let height: Float
    let shin: Float
    let thigh: Float
    /// From the middle of the hips to the middle of the shoulders, when upright.
    let trunk: Float
    let upperArm: Float
    let forearm: Float
    let shoulderWidth: Float
    let hipWidth: Float
    /// From the middle of the shoulders to the middle of the head.
    let neck: Float
    /// Height of the ankle above the floor.
    let ankle: Float

    var leg: Float { shin + thigh }
    var arm: Float { upperArm + forearm }
    /// Height of the hips above the floor in a relaxed stand.
    var standingHip: Float { 0.985 * leg + ankle }

    /// An adult of 1.45 to 2.05 m.
    ///
    /// Proportions follow Drillis and Contini (1966) but vary more than real people do, because detectors disagree
    /// about the positions of hip and shoulder: the thigh measures 0.71 trunk lengths on MediaPipe's push-ups, 0.84 to
    /// 0.92 on rendered people and 0.92 on people annotated by hand (Penn Action).
    init(_ random: inout RandomSource) {
        height = min(max(1.71 + 0.11 * random.normal(), 1.45), 2.05)
        let legs = 1 + 0.025 * random.normal()
        let width = 1 + 0.08 * random.normal()
        shin = height * legs * random.uniform(in: 0.218...0.265)
        thigh = height * legs * random.uniform(in: 0.222...0.272)
        trunk = height * (2 - legs) * random.uniform(in: 0.26...0.318)
        upperArm = height * random.uniform(in: 0.16...0.188)
        forearm = height * random.uniform(in: 0.138...0.164)
        shoulderWidth = height * width * random.uniform(in: 0.175...0.235)
        hipWidth = height * width * random.uniform(in: 0.09...0.16)
        neck = height * random.uniform(in: 0.105...0.13)
        ankle = height * 0.045
    }
}
