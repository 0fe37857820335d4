import Foundation

/// A pixel format, size and rate at which a camera can deliver pictures.
public struct CameraMode: Sendable, Hashable {
    /// The format of the pixels.
    public var format: PixelFormat
    /// Width of the pictures.
    public var widthPixels: Int
    /// Height of the pictures.
    public var heightPixels: Int
    /// Frames per second; 0 when the camera does not report it.
    public var rateHz: Double

    /// Creates a mode from its parts.
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
    /// A mode with this share of the wanted rate is fast enough: windows are gathered by time, and poses in between are
    /// interpolated.
    private static let sufficientShare = 0.8

    /// The mode to use; `nil` without modes. Modes that are fast enough come first, else the fastest ones. Ties are
    /// decided by the nearest size, then the nearest rate, then the format that is cheapest to convert.
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
