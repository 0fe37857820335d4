import Actions
import Foundation

/// The text of a preview as an Advanced SubStation Alpha script, which ffmpeg renders.
struct Captions {
    private let widthPixels: Int
    private let heightPixels: Int
    private let stripPixels: Int
    private let timeline: Timeline

    init(widthPixels: Int, heightPixels: Int, stripPixels: Int, timeline: Timeline) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.stripPixels = stripPixels
        self.timeline = timeline
    }

    /// The whole script: a line of labels that changes every third of a second, and a legend of the colours.
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
            Style: Label,DejaVu Sans,\(size),&H00FFFFFF,&H80000000,1,2,0,7,12,12,10,1
            Style: Legend,DejaVu Sans,\(max(11, stripPixels / 4)),&H00FFFFFF,&H80000000,1,1,0,1,6,6,2,0

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
        return text + event(0, timeline.durationSeconds + 1, "Legend", legend(displayName))
    }

    private func label(at time: Double, _ displayName: (String) -> String) -> String {
        timeline.tracks.prefix(4).compactMap { track in
            timeline.prediction(of: track, at: time).map { prediction in
                let person = timeline.tracks.count > 1 ? "{\\c\(code(.person(track - 1)))}\(track)  {\\c&HFFFFFF&}" : ""
                let confidence =
                    prediction.shownConfidence > 0 ? "  \(Int((prediction.shownConfidence * 100).rounded())) %" : ""
                return person + displayName(prediction.shownLabel) + confidence
            }
        }.joined(separator: "\\N")
    }

    private func legend(_ displayName: (String) -> String) -> String {
        timeline.labelsSeen.map { "{\\c\(code(timeline.colour(of: $0)))}\(displayName($0))" }.joined(separator: "   ")
    }

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
        let seen = Set(tracks.flatMap { track in windows(of: track).map(\.shownLabel) })
        return modelLabels.filter { seen.contains($0) }
    }
}
