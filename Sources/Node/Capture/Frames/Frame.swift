/// One picture from a source, with the time at which it was taken.
public struct Frame: Sendable {
    /// Counts every frame of the source from 0, including dropped frames.
    public let index: Int
    /// Seconds since the source's first frame, on the source's own clock (media time, or the camera's monotonic clock).
    public let time: Double
    /// The picture.
    public let image: Image

    /// Creates a frame from its parts.
    public init(index: Int, time: Double, image: Image) {
        self.index = index
        self.time = time
        self.image = image
    }
}
