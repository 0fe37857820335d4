import Capture
import Foundation
import Testing

import Poses

/// Tests when the estimator searches and whom it finds, with the real networks.
@Suite struct PoseEstimatorTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized
    private static let models = root.appending(path: "Models")

    private func pictures(_ clip: String, frames: Int) throws -> [Image] {
        let video = try VideoRecording(Self.root.appending(path: "Tests/Fixtures/clips/\(clip).mp4").path)
        defer { video.stop() }
        return try (0..<frames).map { _ in try #require(try video.next()).image }
    }

    /// Tells the estimator that the pictures are a camera's, so that none is a still. There is time for every search and look:
    /// otherwise the results would depend on how busy this machine is.
    private func watchLikeACamera(_ estimator: PoseEstimator) { estimator.keep { 1000 } }

    /// The number of people in each picture, at 30 Hz.
    private func count(_ pictures: [Image], _ estimator: PoseEstimator) -> [Int] {
        pictures.enumerated().map { index, image in
            estimator.poses(in: Frame(index: index, time: Double(index) / 30, image: image)).poses.count
        }
    }

    @Test func `an empty picture is searched once a second`() throws {
        var scene = Scene()
        let estimator = try PoseEstimator(models: Self.models)
        #expect(count((0..<90).map { _ in scene.picture() }, estimator).allSatisfy { $0 == 0 })
        #expect(estimator.searchCount == 3)
    }

    @Test func `a single exercising person is tracked almost without searches`() throws {
        let estimator = try PoseEstimator(models: Self.models)
        #expect(count(try pictures("squat_45", frames: 150), estimator).allSatisfy { $0 == 1 })
        // This covers five seconds; a fixed interval would need ten searches.
        #expect(estimator.searchCount <= 5)
    }

    @Test func `nobody is looked for in a mask, and everybody beside it`() throws {
        let pictures = try pictures("squat_45", frames: 40)
        func counts(_ corners: [SIMD2<Float>]) throws -> (people: [Int], searches: Int) {
            let masks = [PictureArea(corners: corners)]
            let estimator = try PoseEstimator(models: Self.models, settings: .init(masks: masks))
            return (count(pictures, estimator), estimator.searchCount)
        }
        let everything = try counts([[0, 0], [1, 0], [1, 1], [0, 1]])
        #expect(everything.people.allSatisfy { $0 == 0 })
        // Motion in a mask starts no search: one in the first picture, and then one a second.
        #expect(everything.searches <= 2)
        // The person in the middle of the picture has legs in this mask, and the trunk above it.
        #expect(try counts([[0, 0.75], [1, 0.75], [1, 1], [0, 1]]).people.allSatisfy { $0 == 1 })
    }

    /// A person who stands without any motion, in a picture with a camera's noise, for so many seconds at 10 Hz; somebody
    /// waves a square far away.
    private func poster(seconds: Double, noise: Float, moves: Bool = true) throws -> [Image] {
        let person = try pictures("stand_45", frames: 1)[0]
        var scene = Scene(width: 640, height: 480)
        scene.noise = noise
        return (0..<Int(seconds * 10)).map { frame in
            scene.squares = moves ? [(x: 20 + frame % 10 * 8, y: 20, side: 40, brightness: 230)] : []
            return scene.picture().showing(person, scaledDownBy: 2, left: 380, top: 100)
        }
    }

    private func countSlowly(_ pictures: [Image], _ estimator: PoseEstimator) -> [Int] {
        pictures.enumerated().map { index, image in
            estimator.poses(in: Frame(index: index, time: Double(index) / 10, image: image)).poses.count
        }
    }

    @Test func `a poster in a recording is not followed any more after six seconds`() throws {
        let people = countSlowly(try poster(seconds: 9, noise: 2), try PoseEstimator(models: Self.models))
        #expect(people[20] == 1 && people[65...].allSatisfy { $0 == 0 }, "\(people)")
    }

    @Test func `a poster is not followed for as long as somebody exercises beside it`() throws {
        let poster = try pictures("stand_45", frames: 1)[0].columns(190..<312)
        var scene = Scene(width: 640, height: 480)
        scene.noise = 2
        let pictures = try pictures("squat_45", frames: 120).enumerated().map { index, person in
            let wall = scene.picture().showing(poster, scaledDownBy: 2, left: 470, top: 100)
            return index < 15
                ? wall : wall.showing(person.columns(120..<360), scaledDownBy: 2, left: 315, top: 120)
        }
        let people = countSlowly(pictures, try PoseEstimator(models: Self.models))
        #expect(people[10] == 1 && people[30] == 2 && people[80...].allSatisfy { $0 == 1 }, "\(people)")
    }

    @Test func `a poster becomes no person because somebody exercises beside it`() throws {
        let poster = try pictures("stand_45", frames: 1)[0].columns(190..<312)
        let pictures = try pictures("squat_45", frames: 90).map {
            $0.showing(poster, scaledDownBy: 2, left: 330, top: 150)
        }
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        let people = countSlowly(pictures, estimator)
        #expect(people[10...].allSatisfy { $0 == 1 }, "\(people)")
    }

    @Test(arguments: [(0, false), (0, true), (2, true)] as [(Float, Bool)])
    func `a camera follows no poster`(noise: Float, moves: Bool) throws {
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        let people = countSlowly(try poster(seconds: 9, noise: noise, moves: moves), estimator)
        #expect(people.allSatisfy { $0 == 0 }, "\(people)")
    }

    /// How many people a camera follows in each picture of a poster, 14 seconds at 10 Hz. From this second on, for a second, a
    /// grey board is carried past in front of it.
    private func posterPassed(at second: Int) throws -> [Int] {
        var pictures = try poster(seconds: 14, noise: 2)
        let board = Image(
            widthPixels: 100, heightPixels: 300, rgb: [UInt8](repeating: 200, count: 100 * 300 * 3))
        for frame in 0..<10 {
            let index = second * 10 + frame
            pictures[index] = pictures[index].showing(board, scaledDownBy: 1, left: 340 + frame * 20, top: 60)
        }
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        return countSlowly(pictures, estimator)
    }

    @Test func `a camera follows a new poster for some seconds at most when something passes in front of it`() throws {
        let people = try posterPassed(at: 2)
        #expect(people[..<20].allSatisfy { $0 == 0 } && people[20..<95].contains(1), "\(people)")
        #expect(people[95...].allSatisfy { $0 == 0 }, "\(people)")
    }

    @Test func `a camera follows no poster that has hung for a while when something passes in front of it`() throws {
        let people = try posterPassed(at: 8)
        #expect(people.allSatisfy { $0 == 0 }, "\(people)")
    }

    @Test func `whoever stands still like a poster is followed soon after they move`() throws {
        let standing = try pictures("squat_45", frames: 1)[0]
        let exercising = try pictures("squat_45", frames: 140).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        let people = countSlowly(Array(repeating: standing, count: 80) + exercising, estimator)
        #expect(people[..<80].allSatisfy { $0 == 0 }, "\(people)")
        #expect(people[105...].allSatisfy { $0 == 1 }, "\(people)")
    }

    /// A person who stands without any motion for eight seconds. After that the chest changes for three, so slowly that no
    /// motion is found.
    private func changingSlowly() throws -> [Image] {
        let standing = try pictures("squat_45", frames: 1)[0]
        return Array(repeating: standing, count: 80)
            + (1...30).map { standing.brightened(by: 3 * $0, columns: 200..<280, rows: 190..<290) }
    }

    @Test func `a poster that the light changes slowly is not followed`() throws {
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        let people = countSlowly(try changingSlowly(), estimator)
        #expect(people.allSatisfy { $0 == 0 }, "\(people)")
    }

    @Test func `whoever was followed and rests is followed again after a slow change`() throws {
        let exercising = try pictures("squat_45", frames: 60).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let estimator = try PoseEstimator(models: Self.models)
        watchLikeACamera(estimator)
        let people = countSlowly(exercising + (try changingSlowly()), estimator)
        #expect(people[15] == 1 && people[95] == 0 && people[120...].allSatisfy { $0 == 1 }, "\(people)")
    }

    @Test func `everybody in a still is followed for as long as it is shown`() throws {
        let people = countSlowly(try poster(seconds: 9, noise: 0, moves: false), try PoseEstimator(models: Self.models))
        #expect(people[5...].allSatisfy { $0 == 1 }, "\(people)")
    }

    @Test func `whoever is wholly in a mirror is ignored, whoever stands in front of it is not`() throws {
        let pictures = try pictures("squat_45", frames: 30)
        func people(_ corners: [SIMD2<Float>]) throws -> [Int] {
            let settings = PoseEstimator.Settings(mirrors: [PictureArea(corners: corners)])
            return count(pictures, try PoseEstimator(models: Self.models, settings: settings))
        }
        #expect(try people([[0, 0], [1, 0], [1, 1], [0, 1]]).allSatisfy { $0 == 0 })
        // The mirror ends above the feet.
        #expect(try people([[0, 0], [1, 0], [1, 0.6], [0, 0.6]]).allSatisfy { $0 == 1 })
    }

    @Test func `nobody is followed whose trunk is beside the picture`() throws {
        // The picture's left side moves into the person by 60 pixels a second.
        let pictures = try pictures("squat_front", frames: 140).enumerated().map { index, image in
            image.columns(60 + index * 2..<image.widthPixels)
        }
        let estimator = try PoseEstimator(models: Self.models)
        var lastSeen = 0
        for (index, image) in pictures.enumerated() {
            for pose in estimator.poses(in: Frame(index: index, time: Double(index) / 30, image: image)).poses {
                let trunk = [Joint.leftShoulder, .rightShoulder, .leftHip, .rightHip].map { pose[$0].x }
                #expect(trunk.reduce(0, +) >= 0)
                lastSeen = index
            }
        }
        #expect((30..<139).contains(lastSeen), "\(lastSeen)")
    }

    @Test func `somebody in front of half of another takes nobody's pose away`() throws {
        // A strip with a standing person comes from the right and stays in front of an arm and a leg.
        let strip = try pictures("stand_45", frames: 1)[0].columns(190..<312)
        let pictures = try pictures("squat_45", frames: 100).enumerated().map { index, image in
            image.showing(strip, scaledDownBy: 1, left: 240 + max(0, 110 - 3 * max(0, index - 15)), top: 0)
        }
        let estimator = try PoseEstimator(models: Self.models)
        let people = count(pictures, estimator)
        #expect(people[15...].allSatisfy { $0 == 2 }, "\(people)")
    }

    @Test func `without time for everybody people take turns, and nobody is forgotten`() throws {
        let pictures = try pictures("two_people", frames: 90)
        let estimator = try PoseEstimator(models: Self.models)
        // Less than one look fits into a frame; one is the least.
        estimator.keep { 0.001 }
        var looks = [0, 0]
        for (index, image) in pictures.enumerated() {
            let frame = estimator.poses(in: Frame(index: index, time: Double(index) / 30, image: image))
            guard index >= 30 else { continue }
            #expect(frame.poses.count == 2 && frame.isMeasured.count { $0 } == 1)
            for person in 0..<2 where frame.isMeasured[person] { looks[person] += 1 }
        }
        #expect(looks.reduce(0, +) == 60 && looks.allSatisfy { $0 >= 20 }, "\(looks)")
    }

    @Test func `a newcomer is found within a fifth of a second`() throws {
        var scene = Scene()
        let empty = (0..<35).map { _ in scene.picture() }
        let people = count(
            empty + (try pictures("walk_stand", frames: 10)), try PoseEstimator(models: Self.models))
        #expect(people[..<35].allSatisfy { $0 == 0 } && people[(35 + 6)...].allSatisfy { $0 == 1 })
    }

    @Test func `a distant moving person is found although the search of the whole picture misses them`() throws {
        var scene = Scene(width: 1280, height: 720)
        let background = (0..<10).map { _ in scene.picture() }
        let far = try pictures("jumping_jack_front", frames: 60).enumerated().map { index, image in
            background[index % 10].showing(image, scaledDownBy: 8, left: 900, top: 400)
        }
        let detector = try PoseDetector(model: Self.models.appending(path: "pose_detection.tflite"))
        for image in far { #expect(detector.detections(in: image).isEmpty) }
        let people = count(background + far, try PoseEstimator(models: Self.models))
        #expect(people[..<10].allSatisfy { $0 == 0 } && people[40...].allSatisfy { $0 == 1 })
    }
}

extension Image {
    /// These columns of the picture.
    fileprivate func columns(_ columns: Range<Int>) -> Image {
        let pixels = rgb
        var rows: [UInt8] = []
        for row in 0..<heightPixels {
            let first = row * widthPixels
            rows += pixels[(first + columns.lowerBound) * 3..<(first + columns.upperBound) * 3]
        }
        return Image(widthPixels: columns.count, heightPixels: heightPixels, rgb: rows)
    }

    /// This picture with a rectangle that is brighter.
    fileprivate func brightened(by step: Int, columns: Range<Int>, rows: Range<Int>) -> Image {
        var rgb = rgb
        for row in rows {
            for place in (row * widthPixels + columns.lowerBound) * 3..<(row * widthPixels + columns.upperBound) * 3 {
                rgb[place] = UInt8(min(255, Int(rgb[place]) + step))
            }
        }
        return Image(widthPixels: widthPixels, heightPixels: heightPixels, rgb: rgb)
    }

    /// This picture with a smaller one pasted into it.
    fileprivate func showing(_ other: Image, scaledDownBy scale: Int, left: Int, top: Int) -> Image {
        var rgb = rgb
        let pixels = other.rgb
        for y in 0..<other.heightPixels / scale {
            for x in 0..<other.widthPixels / scale {
                for channel in 0..<3 {
                    var sum = 0
                    for dy in 0..<scale {
                        for dx in 0..<scale {
                            sum += Int(
                                pixels[((y * scale + dy) * other.widthPixels + x * scale + dx) * 3 + channel])
                        }
                    }
                    rgb[((top + y) * widthPixels + left + x) * 3 + channel] = UInt8(sum / (scale * scale))
                }
            }
        }
        return Image(widthPixels: widthPixels, heightPixels: heightPixels, rgb: rgb)
    }
}
