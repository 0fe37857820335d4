import TOMLSettings
import Foundation
import Poses

extension Configuration {
    /// `[[zone]]` or `[[mask]]`: a part of one camera's picture.
    public struct Area: Sendable, Equatable {
        /// The camera's id. Areas of a camera that is not configured are ignored.
        public var camera = ""
        /// A zone's name, written like a camera's id and unique for the camera; empty for a mask.
        public var name = ""
        /// Whether a mask is a mirror: only reflections are ignored in it. `false` for a zone.
        public var isMirror = false
        /// 3 to 32 corners, each x and y as fractions of the picture's width and height, from the top left.
        public var corners: [[Double]] = []

        /// An area without corners.
        public init() {}

        /// An area of these values; nothing is checked.
        public init(camera: String, name: String = "", isMirror: Bool = false, corners: [[Double]]) {
            self.camera = camera
            self.name = name
            self.isMirror = isMirror
            self.corners = corners
        }

        /// The polygon.
        public var area: PictureArea {
            PictureArea(corners: corners.filter { $0.count == 2 }.map { SIMD2(Float($0[0]), Float($0[1])) })
        }
    }

    /// The most zones, and the most masks, of all cameras together.
    static let maximumAreas = 128

    /// The keys of one `[[zone]]` block.
    static let zoneKeys: [ConfigurationKey<Area>] = [
        .text("zone.camera", \.camera, .identifier),
        .text("zone.name", \.name, .identifier),
        .corners("zone.corners", \.corners),
    ]

    /// The keys of one `[[mask]]` block.
    static let maskKeys: [ConfigurationKey<Area>] = [
        .text("mask.camera", \.camera, .identifier),
        .flag("mask.mirror", \.isMirror),
        .corners("mask.corners", \.corners),
    ]
}

extension ConfigurationKey {
    /// The corners of a polygon: `[[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]`.
    static func corners(_ name: String, _ path: any Path<[[Double]]>) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard case .points(let corners) = value, (3...32).contains(corners.count),
                    corners.allSatisfy({ $0.count == 2 && $0.allSatisfy((0...1).contains) })
                else {
                    throw SettingRefusal(
                        reason: "expects 3 to 32 corners, each [x, y] from 0 to 1, such as "
                            + "[[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]")
                }
                if let problem = AreaShape(corners).problem { throw SettingRefusal(reason: problem) }
                root[keyPath: path] = corners
            },
            text: { root in
                "["
                    + root[keyPath: path].map { "[\($0.map { String($0) }.joined(separator: ", "))]" }
                    .joined(separator: ", ") + "]"
            },
            schema: [
                "type": "array", "minItems": 3, "maxItems": 32,
                "items": [
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": ["type": "number", "minimum": 0, "maximum": 1],
                ],
            ])
    }
}

extension Configuration.Area {
    /// What is wrong with the area, as the end of a sentence; `nil` when it can be kept.
    package func problem(isZone: Bool) -> String? {
        var copy = self
        do {
            if isZone { try Configuration.zoneKeys.first { $0.name == "zone.name" }?.set(&copy, .text(name)) }
            try Configuration.maskKeys.first { $0.name == "mask.corners" }?.set(&copy, .points(corners))
            return nil
        } catch let refusal as SettingRefusal {
            return refusal.reason
        } catch {
            return "\(error)"
        }
    }
}
