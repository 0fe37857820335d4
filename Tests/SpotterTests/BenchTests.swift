import Foundation
import Testing

/// Tests the output of `spotter bench`, but not the speed.
@Suite(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct BenchTests {
    private struct Report: Decodable {
        struct Stage: Decodable {
            let name: String
            let ms_min: Double
            let ms_median: Double
            let gflops: Double?
        }
        let kernels: String
        let peak_gflops: Double
        let load_ms: Double
        let rss_mb: Double
        let stages: [Stage]
        let layers: [Stage]
    }

    @Test func `stages and layers of every network, at the level asked for`() throws {
        let result = try Program.run("bench", "--kernels", "portable", "--rounds", "2", "--json")
        try #require(result.status == 0, "\(result.messages)")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.kernels == "portable" && report.peak_gflops > 0 && report.load_ms > 0 && report.rss_mb > 10)
        #expect(
            report.stages.map(\.name) == [
                "landmark", "detector", "preprocess", "preprocess_yuyv", "preprocess_nv12", "convert", "frame_tracking",
                "classifier",
            ])
        #expect((report.stages + report.layers).allSatisfy { $0.ms_min >= 0 && $0.ms_min <= $0.ms_median })
        #expect(report.stages.prefix(2).allSatisfy { ($0.gflops ?? 0) > 0 })
        #expect(report.layers.count { $0.name.hasPrefix("landmark ") } > 30)
        #expect(report.layers.count { $0.name.hasPrefix("detector ") } > 20)
    }

    @Test func `one page says what a board is and what it reaches, in words and in JSON`() throws {
        let arguments = ["bench", "--board", "--seconds", "0.1"]
        let page = try Program.run(arguments)
        try #require(page.status == 0, "\(page.messages)")
        let lines = page.output.split(separator: "\n")
        let facts = [
            "Spotter", "machine", "processor", "cores, memory", "system", "networks", "kernels, threads", "at rest",
        ]
        for fact in facts { #expect(lines.contains { $0.hasPrefix("| \(fact) | ") }, "\(fact)") }
        for people in [1, 2, 4, 8] {
            #expect(
                lines.contains { $0.hasPrefix("| \(people) | ") && $0.split(separator: "|").count == 7 }, "\(people)")
        }
        #expect(lines.allSatisfy { $0.hasPrefix("|") }, "a table that any form takes")
        let text = try Program.run(arguments + ["--json"]).output
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let machine = try #require(json["machine"] as? [String: Any])
        #expect(machine["cores"] as? Int ?? 0 > 0 && machine["memory_mb"] as? Int ?? 0 > 100)
        let scenes = try #require(json["scenes"] as? [[String: Any]])
        #expect(scenes.compactMap { $0["people"] as? Int } == [1, 2, 4, 8])
        #expect(scenes.allSatisfy { $0["fps"] as? Double ?? 0 > 0 && $0["ms_median"] as? Double ?? 0 > 0 })
        #expect((json["networks"] as? [[String: Any]])?.count == 2)
    }

    @Test func `a level that does not exist is wrong usage`() throws {
        #expect(try Program.run("bench", "--kernels", "abacus").status == 2)
    }
}
