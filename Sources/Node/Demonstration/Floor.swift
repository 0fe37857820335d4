import Actions
import Foundation
import NeuralNet

/// The places of the gym, and who holds them when.
struct Floor {
    private var held = [[DateInterval]](repeating: [], count: Gym.places.count)

    /// The index of a place.
    static func index(camera: String, zone: String?) -> Int {
        Gym.places.firstIndex { $0.camera == camera && $0.zone == zone } ?? 0
    }

    /// Keeps a place for somebody.
    mutating func hold(_ place: Int, _ time: DateInterval) { held[place].append(time) }

    /// Chooses a place with room. Where the favourite one is full, some people wait for it for a while.
    ///
    /// - Returns: the place, and the time that was waited for it.
    func choose(at moment: Date, not last: Int?, _ random: inout RandomSource) -> (place: Int, waiting: DateInterval?) {
        let favourite = draw(Gym.places.indices.filter { $0 != last }, &random)
        if hasRoom(favourite, at: moment) { return (favourite, nil) }
        let seconds = random.seconds(in: 40...240)
        if random.chance(0.4), hasRoom(favourite, at: moment + seconds) {
            return (favourite, DateInterval(start: moment, duration: seconds))
        }
        let free = Gym.places.indices.filter { $0 != last && hasRoom($0, at: moment) }
        // There is always room for one more on the mats.
        return (free.isEmpty ? Self.index(camera: "mats", zone: nil) : draw(free, &random), nil)
    }

    private func draw(_ places: [Int], _ random: inout RandomSource) -> Int {
        var left = random.uniform() * places.reduce(0) { $0 + Gym.places[$1].weight }
        for place in places {
            left -= Gym.places[place].weight
            if left < 0 { return place }
        }
        return places.last ?? 0
    }

    /// Whether a person finds room for the usual time.
    private func hasRoom(_ place: Int, at moment: Date) -> Bool {
        let time = DateInterval(start: moment, duration: 600)
        return held[place].count { $0.intersects(time) } < Gym.places[place].room
    }
}
