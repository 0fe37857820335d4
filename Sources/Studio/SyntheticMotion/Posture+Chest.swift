extension Posture {
    /// Changes the chest, and takes the hands along.
    private mutating func moveChest(_ change: (inout Posture) -> Void) {
        let (before, middle) = (chest, shoulders)
        change(&self)
        for side in Side.both {
            let away = before.inverse * (self[hand: side].end - middle)
            self[hand: side].end = shoulders + chest * away
            self[hand: side].bend = chest * (before.inverse * self[hand: side].bend)
        }
    }

    /// Moves the hips with the trunk and the hands; the feet stay.
    mutating func moveHips(_ way: Point) {
        pelvis += way
        for side in Side.both { self[hand: side].end += way }
    }

    /// Bends the trunk to the left with the hands.
    mutating func bend(aside angle: Float) {
        moveChest { posture in
            posture.trunk.z -= 0.25 * angle
            posture.spine.z -= 0.75 * angle
        }
    }

    /// Turns the chest to the left with the hands.
    mutating func turnChest(_ angle: Float) {
        moveChest { posture in
            posture.spine.y += angle
            posture.trunk.y += 0.2 * angle
        }
    }

    /// Bends the trunk forward with the hands.
    mutating func bow(_ angle: Float) {
        moveChest { posture in
            posture.trunk.x += 0.7 * angle
            posture.spine.x += 0.3 * angle
        }
    }

    /// Whether no joint is more than a hand's width from where it is in the mirrored posture.
    var isSymmetric: Bool {
        zip(Skeleton(self).joints, Skeleton(mirrored).joints).allSatisfy { ($0 - $1).length < 0.1 }
    }
}
