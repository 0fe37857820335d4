/// Builds a page in Prometheus' text format, version 0.0.4.
package struct PrometheusText {
    /// What a metric is.
    package enum Kind: String { case counter, gauge, histogram }

    /// The page so far.
    package private(set) var text = ""

    /// An empty page.
    package init() {}

    /// Adds a metric with one value; nothing for `nil`.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        add(name, kind, help, value.map { [([:], $0)] } ?? [])
    }

    /// Adds a metric with several values; nothing for none.
    package mutating func add(
        _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], Double)]
    ) {
        guard !samples.isEmpty else { return }
        head(name, kind, help)
        for (labels, value) in samples { line(name, labels, value) }
    }

    /// Adds a histogram.
    ///
    /// - Parameter samples: `counts` are cumulative, one for each of the upper `bounds`.
    package mutating func addHistogram(
        _ name: String, _ help: String,
        _ samples: [(labels: [String: String], bounds: [Double], counts: [Int], count: Int, sum: Double)]
    ) {
        guard !samples.isEmpty else { return }
        head(name, .histogram, help)
        for sample in samples {
            for (bound, count) in zip(sample.bounds, sample.counts) {
                line(name + "_bucket", sample.labels.merging(["le": Self.text(bound)]) { $1 }, Double(count))
            }
            line(name + "_bucket", sample.labels.merging(["le": "+Inf"]) { $1 }, Double(sample.count))
            line(name + "_sum", sample.labels, sample.sum)
            line(name + "_count", sample.labels, Double(sample.count))
        }
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [String: String], _ value: Double) {
        let inner = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
        text += name + (inner.isEmpty ? "" : "{" + inner.joined(separator: ",") + "}") + " \(Self.text(value))\n"
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
