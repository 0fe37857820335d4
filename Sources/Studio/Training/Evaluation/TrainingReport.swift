import Actions
import Records

/// A training as one HTML page: curves, figures per label, the confusion matrix, the test clips, the rejected clips and
/// the parameters.
public struct TrainingReport: Sendable {
    private let model: TrainedModel
    private let test: ClipEvaluation?
    private let verdict: TrainingVerdict?

    /// - Parameters:
    ///   - test: the finished model's figures on separate test clips, if there are any.
    ///   - verdict: whether the model is ready, if it learned one's own clips.
    public init(_ model: TrainedModel, test: ClipEvaluation? = nil, verdict: TrainingVerdict? = nil) {
        self.model = model
        self.test = test
        self.verdict = verdict
    }

    /// The page.
    public var html: String {
        ReportPage.page(
            "Training of \(model.description.name)",
            [
                verdict.map(ReportPage.verdict) ?? "", summary, curves, model.evaluation.map(ReportPage.figures) ?? "",
                model.evaluation.map(ReportPage.confusion) ?? "", test.map(ReportPage.clips) ?? "",
                ReportPage.rejected(model.rejected), parameters,
            ])
    }

    private var summary: String {
        let passes = "\(model.history.count.counted("pass", "passes")) over \(model.trainingClips.counted("clip"))"
        let held = "\(model.validationClips.counted("clip")) of other people held out"
        let stop = model.wasCancelled ? ", stopped by hand" : ""
        guard let evaluation = model.evaluation else {
            guard !model.judged.isEmpty else { return "<p>\(passes)\(stop); nothing held out.</p>" }
            return """
                <p>\(passes)\(stop). \(model.judged.count.counted("clip was", "clips were")) judged, each by a short training without it:
                <b>\(model.judged.count(where: \.isRight))</b> were recognised.</p>
                """
        }
        return """
            <p>\(passes), \(held)\(stop). On \(evaluation.windows) held-out windows: accuracy
            <b>\(percent(evaluation.accuracy))</b>, mean recall
            <b>\(percent(evaluation.macroRecall))</b>, calibration error
            \(percent(evaluation.calibrationError)) at temperature \(model.description.temperature).</p>
            """
    }

    /// Loss and accuracy over the passes.
    private var curves: String {
        let loss = model.history.map { Double($0.loss) }
        let learned = model.history.map { Double($0.trainingAccuracy) }
        let held = model.history.compactMap { $0.validation.map { Double($0.macroRecall) } }
        let highest = max(loss.max() ?? 1, 1e-9)
        let lines = [("training", learned), ("held-out recall", held)].filter { !$0.1.isEmpty }
        return """
            <h2>Curves</h2>
            <div class="curves">
            \(ReportPage.chart("Loss, to \(ReportPage.rounded(highest))", [("loss", loss.map { $0 / highest })]))
            \(ReportPage.chart("Accuracy and recall, to 100 %", lines))
            </div>
            """
    }

    private var parameters: String {
        let all = model.description.trainingParameters.merging(
            ["seed": "\(model.description.seed)", "training_data_sha256": model.description.trainingDataDigest]
        ) { first, _ in first }
        let rows = all.sorted { $0.key < $1.key }.map {
            "<tr><th>\($0.key.escapedForHTML)</th><td class=\"text\">\($0.value.escapedForHTML)</td></tr>"
        }
        return "<h2>Parameters</h2>\n<table>\n\(rows.joined(separator: "\n"))\n</table>"
    }
}

/// The evaluation of a model on clips with known labels, as one HTML page.
public struct EvaluationReport: Sendable {
    private let model: ModelDescription
    private let windows: Evaluation
    private let clips: ClipEvaluation

    /// The figures of a model, by window and by clip.
    public init(_ model: ModelDescription, windows: Evaluation, clips: ClipEvaluation) {
        self.model = model
        self.windows = windows
        self.clips = clips
    }

    /// The page.
    public var html: String {
        ReportPage.page(
            "\(model.name) on \(clips.verdicts.count.counted("clip"))",
            [ReportPage.clips(clips), ReportPage.figures(windows), ReportPage.confusion(windows)])
    }
}
