import Foundation
import Poses

/// The part of a renderer's `.json` that says who is where. See `Tests/Fixtures/render/README.md`.
struct RenderedTruth: Decodable {
    let width: Double
    let height: Double
    let fps: Double
    let people: [Someone]
    let data: [Picture]

    /// Only crowds number their people; others are numbered by their order.
    struct Someone: Decodable {
        let id: Int?
        let segments: [Segment]?
        let repetitions: [Repetition]?
    }

    /// A time of one label, which may be no exercise, such as `walk`.
    struct Segment: Decodable {
        let start, end: Double
        let label: String
    }

    struct Repetition: Decodable {
        let start, end: Double
        let exercise: String
    }

    struct Picture: Decodable {
        let t: Double
        let people: [Figure]
    }

    /// `visible` is missing in clips of one or two people, who are always in view.
    struct Figure: Decodable {
        let landmarks: [Landmark]
        let visible: Double?
    }

    /// `[x, y, depth, inside, occluded]`, of which the position in pixels is read.
    struct Landmark: Decodable {
        let place: SIMD2<Double>

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            place = SIMD2(try list.decode(Double.self), try list.decode(Double.self))
        }
    }
}

extension IdentityStream {
    /// Reads the `.json` that the renderer writes beside a clip.
    init(renderedTruth url: URL) throws {
        let content: Data
        do { content = try Data(contentsOf: url, options: .alwaysMapped) } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw IdentityStreamError.unreadable(
                path: url.path, reason: isThere ? "it cannot be opened" : "No such file or directory")
        }
        let truth: RenderedTruth
        do { truth = try JSONDecoder().decode(RenderedTruth.self, from: content) } catch {
            throw IdentityStreamError.notATruth(path: url.path, reason: "fields are missing or not as expected")
        }
        guard truth.width > 0, truth.height > 0, truth.fps > 0,
            truth.data.allSatisfy({ $0.people.count == truth.people.count }),
            truth.data.allSatisfy({ $0.people.allSatisfy { $0.landmarks.count == 33 } })
        else {
            throw IdentityStreamError.notATruth(path: url.path, reason: "its size, people or landmarks do not fit")
        }
        let pictures = truth.data.map { picture in
            Picture(
                time: picture.t,
                people: zip(truth.people.indices, picture.people).map { index, figure in
                    let points = figure.landmarks.map { $0.place / truth.height }
                    return Person(
                        identity: truth.people[index].id ?? index,
                        joints: Joint.allCases.map { points.joint($0) }, visibleShare: figure.visible ?? 1)
                })
        }
        self.init(pictures: pictures, intervalSeconds: 1 / truth.fps, aspect: truth.width / truth.height)
        exercises = truth.people.enumerated().flatMap { index, person in person.exercises(of: person.id ?? index) }
    }
}

extension RenderedTruth.Someone {
    /// The segments in which there is a repetition.
    fileprivate func exercises(of identity: Int) -> [IdentityStream.Exercise] {
        (segments ?? []).compactMap { segment in
            let own = (repetitions ?? []).filter {
                $0.exercise == segment.label && $0.start < segment.end && $0.end > segment.start && $0.start < $0.end
            }
            guard !own.isEmpty, segment.start < segment.end else { return nil }
            return IdentityStream.Exercise(
                identity: identity, label: segment.label, start: segment.start, end: segment.end,
                repetitions: own.map { $0.start...$0.end })
        }
    }
}

extension [SIMD2<Double>] {
    /// The place of a joint among BlazePose's 33 landmarks; the neck is the middle of the shoulders.
    fileprivate func joint(_ joint: Joint) -> SIMD2<Double> {
        switch joint {
        case .nose: self[0]
        case .neck: (self[11] + self[12]) / 2
        case .leftEye: self[2]
        case .rightEye: self[5]
        case .leftEar: self[7]
        case .rightEar: self[8]
        case .leftShoulder: self[11]
        case .rightShoulder: self[12]
        case .leftElbow: self[13]
        case .rightElbow: self[14]
        case .leftWrist: self[15]
        case .rightWrist: self[16]
        case .leftHip: self[23]
        case .rightHip: self[24]
        case .leftKnee: self[25]
        case .rightKnee: self[26]
        case .leftAnkle: self[27]
        case .rightAnkle: self[28]
        }
    }
}
