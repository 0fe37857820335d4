import Poses

/// Whether a person's joints jump from picture to picture.
enum Steadiness {
    /// A joint that goes this far and back between three pictures has jumped, in trunk lengths. It is four centimetres
    /// on an adult. In clips of rendered people who exercise, the median joint is 0.01 to 0.03 off the line of its
    /// neighbours.
    private static let jump: Float = 0.08
    /// A person is unsteady when more than this share of the joints' moves are jumps. Noise turns back two times in
    /// three; a person who bounces twice a second turns back one time in five at ten pictures a second.
    private static let maximumJumps = 1.0 / 3
    /// So many times in two seconds a person may be lost or taken for another. Walking in is once.
    private static let maximumBreaks = 2
    private static let joints: [Joint] = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]

    /// Whether the joints jump, or the person is lost again and again.
    ///
    /// - Parameters:
    ///   - tracks: the person in each of the newest pictures, oldest first; `nil` where there is nobody.
    ///   - aspect: width divided by height of the picture.
    static func isUnsteady(_ tracks: [Track?], aspect: Float) -> Bool {
        guard zip(tracks, tracks.dropFirst()).count(where: { $0?.id != $1?.id }) <= maximumBreaks else { return true }
        var moves = 0, jumps = 0
        for index in tracks.indices.dropFirst(2) {
            let three = tracks[index - 2...index].compactMap { $0 }
            guard three.count == 3, three[0].id == three[1].id, three[1].id == three[2].id,
                let trunk = Trunk(three[1].pose, aspect: aspect)
            else { continue }
            for joint in joints where three.allSatisfy({ $0.pose[joint].isSeen }) {
                let places = three.compactMap { $0.pose.place(of: joint, aspect: aspect) }
                let there = places[1] - places[0], back = places[2] - places[1]
                moves += 1
                let isBack = (there * back).sum() < 0
                jumps += isBack && min(there.length, back.length) > jump * trunk.length ? 1 : 0
            }
        }
        return Double(jumps) > maximumJumps * Double(moves)
    }
}
