import Actions
import Foundation
import Records

/// The text of a preview as an Advanced SubStation Alpha script, which ffmpeg renders.
struct Captions {
    private let widthPixels: Int
    private let heightPixels: Int
    private let stripPixels: Int
    private let timeline: Timeline
    private let segments: [Classification.Segment]
    /// People who were labelled by hand, whose numbers stand on their boxes.
    var marks = PreviewRenderer.Marks()

    init(
        widthPixels: Int, heightPixels: Int, stripPixels: Int, timeline: Timeline, segments: [Classification.Segment]
    ) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.stripPixels = stripPixels
        self.timeline = timeline
        self.segments = segments
    }

    /// The whole script: a line of labels that changes every third of a second, and a legend of the colours.
    ///
    /// Text is white on a box of three quarters black. On the brightest picture the contrast is 10 to 1; WCAG's level AA
    /// asks for 4.5. Colours of people and labels are shown by a mark before the text.
    func script(displayName: (String) -> String) -> String {
        let size = max(14, (heightPixels - stripPixels) / 18)
        var text = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(widthPixels)
            PlayResY: \(heightPixels)

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BorderStyle, Outline, Shadow, Alignment, \
            MarginL, MarginR, MarginV, Bold
            Style: Label,DejaVu Sans,\(size),&H00FFFFFF,\(Self.box),3,4,0,7,12,12,10,1
            Style: Legend,DejaVu Sans,\(max(11, stripPixels / 4)),&H00FFFFFF,\(Self.box),1,0,0,1,6,6,2,0

            [Events]
            Format: Layer, Start, End, Style, Text

            """
        let step = 1.0 / 3
        var time = 0.0
        while time < timeline.durationSeconds {
            let label = label(at: time + step / 2, displayName)
            if !label.isEmpty { text += event(time, time + step, "Label", label) }
            time += step
        }
        let picture = SIMD2(Double(widthPixels), Double(heightPixels - stripPixels))
        for (start, end, mark) in marks.spans {
            let place = mark.corner * picture
            text += event(
                start, end, "Label", "{\\an1\\pos(\(Int(place.x)),\(Int(max(place.y, Double(size)))))}\(mark.number)")
        }
        return text + event(0, timeline.durationSeconds + 1, "Legend", legend(displayName))
    }

    /// Black that lets a quarter through.
    private static let box = "&H40000000"

    private func label(at time: Double, _ displayName: (String) -> String) -> String {
        timeline.tracks.prefix(4).compactMap { track in
            timeline.prediction(of: track, at: time).map { prediction in
                let person = timeline.tracks.count > 1 ? mark(.person(track - 1)) + "\(track)  " : ""
                let confidence =
                    prediction.confidence > 0 ? "  \(Int((prediction.confidence * 100).rounded())) %" : ""
                let count = repetitions(of: prediction.label, by: track, at: time)
                let reps = count.map { "  \($0.counted("rep"))" } ?? ""
                return person + displayName(prediction.label) + reps + confidence
            }
        }.joined(separator: "\\N")
    }

    /// How many repetitions of the set that goes on have ended; `nil` outside of sets, and where nothing is counted.
    private func repetitions(of label: String, by track: Int, at time: Double) -> Int? {
        let set = segments.last { $0.track == track && $0.label == label && $0.start <= time && time <= $0.end + 1 }
        guard let set, !set.repetitions.isEmpty else { return nil }
        return set.repetitions.count { $0.end <= time }
    }

    private func legend(_ displayName: (String) -> String) -> String {
        timeline.labelsSeen.map { mark(timeline.colour(of: $0)) + displayName($0) }.joined(separator: "   ")
    }

    /// A square in a colour.
    private func mark(_ colour: Colour) -> String { "{\\c\(code(colour))}■{\\c&HFFFFFF&} " }

    private func event(_ start: Double, _ end: Double, _ style: String, _ text: String) -> String {
        "Dialogue: 0,\(clock(start)),\(clock(end)),\(style),\(text)\n"
    }

    private func clock(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        return String(
            format: "%d:%02d:%02d.%02d", hundredths / 360_000, hundredths / 6000 % 60, hundredths / 100 % 60,
            hundredths % 100)
    }

    /// ASS orders the channels blue, green, red.
    private func code(_ colour: Colour) -> String {
        String(format: "&H%02X%02X%02X&", colour.blue, colour.green, colour.red)
    }
}

extension Timeline {
    /// The model's labels that occur, in the model's order.
    var labelsSeen: [String] {
        let seen = Set(tracks.flatMap { track in windows(of: track).map(\.label) })
        return modelLabels.filter { seen.contains($0) }
    }
}
