import Foundation
import Poses

/// From which side a camera sees a person.
public enum CameraView: String, Sendable, Codable, CaseIterable {
    /// The chest or the back faces the camera, within about 37°.
    case front
    /// A shoulder points to the camera, within about 27°.
    case side
    /// Between ``front`` and ``side``.
    case turned
    /// Shoulders and hips are not seen well enough.
    case unknown

    /// The distance between the shoulders from the front, in trunk lengths. Poses of rendered people who stand have
    /// 0.68 to 0.75.
    private static let shouldersFromFront: Float = 0.72
    /// The same for the hips: 0.40 to 0.42.
    private static let hipsFromFront: Float = 0.41
    /// From this share of the width from the front, the view is ``front``. It is the cosine of 37°: people of another
    /// build still have it at 25°.
    private static let minimumFront: Float = 0.8
    /// Up to this share the view is ``side``. It is the cosine of 63°, and a person who walks past has 0.2.
    private static let maximumSide: Float = 0.45
    /// Fewer poses can all be errors.
    private static let minimumPoses = 3

    /// Compares the widths of shoulders and hips with the length of the trunk. It makes no difference whether the
    /// person stands or lies.
    ///
    /// - Parameters:
    ///   - poses: the newest poses of one person. Joints may be missing or not finite.
    ///   - aspect: width divided by height of the picture.
    public init(of poses: [Pose], aspect: Float) {
        self.init(shareOfFront: Self.shareOfFront(poses, aspect: aspect))
    }

    /// The view from which the widths of shoulders and hips are this share of those from the front.
    init(shareOfFront share: Float?) {
        guard let share else {
            self = .unknown
            return
        }
        self = share >= Self.minimumFront ? .front : share <= Self.maximumSide ? .side : .turned
    }

    /// The widths as a share of those from the front: the mean of shoulders and hips, as far as they are seen; `nil` when
    /// they are not seen well enough. It is the cosine of the angle by which the person is turned.
    static func shareOfFront(_ poses: [Pose], aspect: Float) -> Float? {
        let trunks = poses.compactMap { Trunk($0, aspect: aspect) }
        guard trunks.count >= minimumPoses, let length = Trunk.fullLength(trunks, of: poses.count) else { return nil }
        let shoulders = trunks.compactMap(\.shoulderWidth), hips = trunks.compactMap(\.hipWidth)
        let shares = [(shoulders, shouldersFromFront), (hips, hipsFromFront)].compactMap { widths, usual in
            2 * widths.count > trunks.count ? widths.median.map { $0 / length / usual } : nil
        }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Float(shares.count)
    }
}
