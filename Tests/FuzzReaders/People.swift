import Actions
import Foundation
import Poses

extension FuzzReader {
    /// Frames as a driver and the pose networks may deliver them: any timestamps, any joints. The frames are decoded
    /// from the bytes one after the other, so every input is valid.
    static let people = FuzzReader(name: "people") { bytes in
        var numbers = Numbers(bytes)
        let subjects: WindowGatherer.Subjects = numbers.byte() & 1 == 0 ? .everyone : .prominent
        var frames: [TrackedFrame] = []
        var time = 0.0
        // More frames would only take longer.
        while !numbers.isEmpty, frames.count < 2000 {
            let kind = numbers.byte()
            time = kind & 0x80 != 0 ? numbers.double() : time + Double(kind & 0x3F) / 120
            let tracks = kind & 0x40 == 0 ? [1] : (0..<Int(numbers.byte() & 3)).map { $0 + Int(numbers.byte() & 7) }
            frames.append(
                TrackedFrame(
                    index: frames.count, time: time, image: nil, widthPixels: 640, heightPixels: 480,
                    tracks: Set(tracks).sorted().map { Track(id: $0, pose: numbers.pose()) }, prominent: tracks.first))
        }
        let all = frames
        try finish {
            let people = AsyncThrowingStream<TrackedFrame, any Error> { stream in
                for frame in all { stream.yield(frame) }
                stream.finish()
            }
            try await recognise(people, subjects)
        }
    }
}

/// Decodes numbers from bytes, with zeros after their end.
struct Numbers {
    private var bytes: Data.SubSequence

    init(_ bytes: Data) { self.bytes = bytes[...] }

    var isEmpty: Bool { bytes.isEmpty }

    /// The bytes not read yet.
    var rest: Data { Data(bytes) }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T {
        (0..<MemoryLayout<T>.size).reduce(0) { number, _ in number << 8 | T(truncatingIfNeeded: byte()) }
    }

    /// Any value, also huge ones, infinities and NaN.
    mutating func double() -> Double { Double(bitPattern: integer()) }

    /// A person somewhere in the picture, now and then with invalid joints.
    mutating func pose() -> Pose {
        let seed = byte(), x = Float(byte()) / 255, y = Float(byte()) / 255
        return Pose(
            keypoints: (0..<Joint.names.count).map { joint in
                if seed & 0x80 != 0, joint == Int(seed & 0x1F) {
                    return Keypoint(x: .init(bitPattern: integer()), y: .init(bitPattern: integer()), confidence: 1)
                }
                let angle = Float(joint) * 0.7 + Float(seed & 0x7F) / 40
                return Keypoint(x: x + 0.1 * Float(sin(Double(angle))), y: y + 0.02 * Float(joint), confidence: 0.9)
            })
    }
}
