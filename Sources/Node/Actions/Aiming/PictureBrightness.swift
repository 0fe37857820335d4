import Capture

extension Image {
    /// Pixels along the longer side that are read for the brightness; more would not change a mean of the picture.
    private static let brightnessSamples = 64

    /// The mean brightness, 0…1, of about 64 times 64 pixels. In RGB it is that of the green channel.
    var meanBrightness: Double? {
        let step = max(1, max(widthPixels, heightPixels) / Self.brightnessSamples)
        let place = brightness
        var sum = 0, count = 0
        bytes.withUnsafeBufferPointer { bytes in
            for y in stride(from: step / 2, to: heightPixels, by: step) {
                for x in stride(from: step / 2, to: widthPixels, by: step) {
                    sum += Int(bytes[place.step * (y * widthPixels + x) + place.first])
                    count += 1
                }
            }
        }
        guard count > 0 else { return nil }
        let mean = Double(sum) / Double(count)
        return layout.isFullRange ? mean / 255 : min(max((mean - 16) / 219, 0), 1)
    }
}
