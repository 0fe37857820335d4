import Actions

/// A recording's predictions over time: the strip below the preview, and the label at any moment.
struct Timeline {
    let durationSeconds: Double
    /// The people with predictions of their own, in ascending order.
    let tracks: [Int]
    private let byTrack: [Int: [Prediction]]
    private let stepSeconds: Double
    let modelLabels: [String]
    private let exercises: [String]

    init(_ predictions: [Prediction], model: ModelDescription, durationSeconds: Double) {
        self.durationSeconds = durationSeconds
        byTrack = Dictionary(grouping: predictions) { $0.track ?? 0 }
        tracks = byTrack.keys.filter { $0 > 0 }.sorted()
        stepSeconds = Double(model.strideFrames) / model.framesPerSecond
        modelLabels = model.labels
        exercises = model.countedLabels
    }

    func windows(of track: Int) -> [Prediction] { byTrack[track] ?? [] }

    /// A person's prediction at a moment: the one whose window's middle is nearest.
    func prediction(of track: Int, at time: Double) -> Prediction? {
        byTrack[track]?.filter { $0.start <= time && time <= $0.end }
            .min { abs(($0.start + $0.end) / 2 - time) < abs(($1.start + $1.end) / 2 - time) }
    }

    /// The label's colour: exercises have their own; everything else is grey.
    func colour(of label: String) -> Colour {
        guard let index = exercises.firstIndex(of: label) else {
            return PseudoLabel(rawValue: label) == nil ? Colour(110, 110, 110) : Colour(50, 50, 50)
        }
        return Colour.label(index)
    }

    /// Draws a bar for every person into the given rows, and a line at the current moment.
    func draw(on canvas: inout Canvas, rows: Range<Int>, at time: Double) {
        let shown = tracks.prefix(4)
        let height = rows.count / max(shown.count, 1)
        let width = canvas.widthPixels
        for (row, track) in shown.enumerated() {
            let top = rows.lowerBound + row * height
            for x in 0..<width {
                let moment = (Double(x) + 0.5) / Double(width) * durationSeconds
                guard let prediction = prediction(of: track, at: moment) else { continue }
                canvas.fill(x: x..<x + 1, y: top..<top + height - 2, colour(of: prediction.label))
            }
        }
        let cursor = Int(time / max(durationSeconds, 1e-6) * Double(width))
        canvas.fill(x: cursor - 1..<cursor + 1, y: rows, .white)
    }
}
