/// One picture as it enters: the image, and when it was taken.
public struct Frame: Sendable {
    /// Counts every frame of the source from 0, including those that were dropped before they got here.
    public let index: Int
    /// Seconds since the source's first frame, on the source's own clock (media time, or the camera's monotonic clock).
    public let time: Double
    public let image: Image

    public init(index: Int, time: Double, image: Image) {
        self.index = index
        self.time = time
        self.image = image
    }
}
