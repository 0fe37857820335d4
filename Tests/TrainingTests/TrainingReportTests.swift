import Foundation
import Poses
import Testing
import Training

@Suite struct TrainingReportTests {
    private func model(validation: [LabelledClip]?) throws -> TrainedModel {
        var parameters = TrainingParameters()
        parameters.epochs = 2
        parameters.widths = [4, 4, 4]
        let broken = LabelledClip(name: "a <b> & \"c\"", label: "jack", group: "", rate: 30, aspect: 1, keypoints: [])
        var model = try Trainer(parameters).train(clips: ToyClips.all(perLabel: 8) + [broken], validation: validation)
        model.description.name = "gym <1>"
        return model
    }

    @Test func `the page reports what was learned, and escapes text from outside`() throws {
        let html = try TrainingReport(model(validation: nil)).html
        let escaped = ["gym &lt;1&gt;", "a &lt;b&gt; &amp; &quot;c&quot;"]
        for text in escaped + ["jack", "squat", "Confusion", "polyline", "label_smoothing"] {
            #expect(html.contains(text), "\(text)")
        }
        #expect(!html.contains("<b> &") && !html.contains("nan") && !html.contains("<script"))
    }

    @Test func `without held-out clips it claims nothing`() throws {
        let html = try TrainingReport(model(validation: [])).html
        #expect(html.contains("nothing held out") && !html.contains("Confusion"))
    }
}
