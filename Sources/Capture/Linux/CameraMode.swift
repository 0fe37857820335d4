import Foundation

/// One way in which a camera can deliver pictures.
public struct CameraMode: Sendable, Hashable {
    public var format: PixelFormat
    public var widthPixels: Int
    public var heightPixels: Int
    /// Frames per second; 0 where the camera does not say.
    public var rateHz: Double

    public init(format: PixelFormat, widthPixels: Int, heightPixels: Int, rateHz: Double) {
        self.format = format
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.rateHz = rateHz
    }
}

extension CameraMode: CustomStringConvertible {
    public var description: String {
        let rate = rateHz > 0 ? " at \(rateHz.formatted(.number.precision(.fractionLength(0...2)))) Hz" : ""
        return "\(format) \(widthPixels)×\(heightPixels)\(rate)"
    }
}

extension CameraMode {
    /// A mode this near to the wanted rate is fast enough: windows are gathered by time, and frames in between are
    /// interpolated.
    private static let sufficientShare = 0.8

    /// The mode to use: fast enough if there is one, else the fastest; of those the one nearest in size; of those the
    /// one nearest in rate; of those the format that is cheapest to read.
    package static func best(
        among modes: some Collection<CameraMode>, widthPixels: Int, heightPixels: Int, rateHz: Double
    ) -> CameraMode? {
        let sufficient = rateHz * sufficientShare
        func key(_ mode: CameraMode) -> [Double] {
            let rate = mode.rateHz > 0 ? mode.rateHz : rateHz
            let size =
                abs(log2(Double(mode.widthPixels) / Double(widthPixels)))
                + abs(log2(Double(mode.heightPixels) / Double(heightPixels)))
            return [max(0, sufficient - rate), size, abs(rate - rateHz), Double(mode.format.rank)]
        }
        let keys = modes.map { (mode: $0, key: key($0)) }
        return keys.min { $0.key.lexicographicallyPrecedes($1.key) }?.mode
    }
}

extension CameraMode: Encodable {
    enum CodingKeys: String, CodingKey {
        case format, width, height, fps
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(format.description, forKey: .format)
        try fields.encode(widthPixels, forKey: .width)
        try fields.encode(heightPixels, forKey: .height)
        try fields.encode((rateHz * 100).rounded() / 100, forKey: .fps)
    }
}
