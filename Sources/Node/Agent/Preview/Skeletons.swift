import Capture
import Poses

/// Draws everyone's wireframe: circles at the joints and lines between them, a colour for each person.
struct Skeletons {
    /// Joints below this confidence are not drawn.
    var minimumConfidence = Wireframe.minimumConfidence

    /// - Parameters:
    ///   - widthPixels: the width of the part of the canvas that shows the picture.
    ///   - heightPixels: its height.
    func draw(_ tracks: [Track], on canvas: inout Canvas, widthPixels: Int, heightPixels: Int) {
        let radius = max(2, Float(heightPixels) / 160)
        for track in tracks {
            let colour = Colour.person(track.id - 1)
            let point = { (joint: Joint) -> SIMD2<Float>? in
                let keypoint = track.pose[joint]
                guard keypoint.confidence >= minimumConfidence else { return nil }
                return SIMD2(keypoint.x * Float(widthPixels), keypoint.y * Float(heightPixels))
            }
            for (a, b) in Wireframe.connections {
                guard let a = point(a), let b = point(b) else { continue }
                canvas.line(from: a, to: b, radius: radius * 0.6, colour)
            }
            for joint in Joint.allCases {
                guard let centre = point(joint) else { continue }
                canvas.disc(at: centre, radius: radius, .white)
                canvas.disc(at: centre, radius: radius * 0.65, colour)
            }
        }
    }
}
