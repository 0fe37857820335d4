import Actions
import Foundation
import Workouts

/// Feeds the workouts with what one camera sees.
struct WorkoutSink: ResultSink {
    let camera: String
    let isLive: Bool
    let workouts: WorkoutSupervisor

    func receive(_ result: CameraResult) {
        let time = result.date(of: result.frameResult.frame.time)
        workouts.receive(scene(result, at: time), at: time, camera: camera, isLive: isLive)
    }

    func close(_ ending: CameraEnding) { workouts.close(camera, isOver: ending.isOver, at: ending.wall) }

    private func scene(_ result: CameraResult, at time: Date) -> WorkoutScene {
        let frame = result.frameResult.frame
        let tracks = frame.tracks.map(\.id)
        // The person who stands for the camera comes first.
        let sorted = tracks.filter { $0 == frame.prominent } + tracks.filter { $0 != frame.prominent }
        var labels: [Int: String] = [:]
        for prediction in result.frameResult.predictions {
            if let track = prediction.track { labels[track] = prediction.label }
        }
        return WorkoutScene(
            time: time, tracks: sorted, labels: labels,
            sets: result.frameResult.sets.map { WorkoutSet($0, date: result.date) }, links: result.frameResult.links)
    }
}
