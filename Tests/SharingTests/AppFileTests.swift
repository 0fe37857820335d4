import Foundation
import Sharing
import Testing

@Suite struct AppFileTests {
    private func text(_ format: WorkoutFormat) throws -> String {
        String(decoding: format.file(of: try Example.finished(), zone: Example.zone), as: UTF8.self)
    }

    @Test func `Strong's columns: local time, sets numbered within their exercise, kilograms`() throws {
        #expect(
            try text(.strong) == """
                Date;Workout Name;Exercise Name;Set Order;Weight;Weight Unit;Reps;RPE;Distance;Distance Unit;Seconds;Notes;\
                Workout Notes;Workout Duration
                "2026-11-21 12:00:00";"Legs; ""heavy""\";"Squat";1;62.5;"kg";12;8.5;;"";0;"";"";"4m"
                "2026-11-21 12:00:00";"Legs; ""heavy""\";"Plank";1;0;"kg";0;;;"";31;"";"";"4m"
                "2026-11-21 12:00:00";"Legs; ""heavy""\";"Squat";2;0;"kg";10;;;"";0;"";"";"4m"

                """)
    }

    @Test func `Hevy's columns: a set of seconds has no repetitions`() throws {
        let lines = try text(.hevy).split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("\"title\",\"start_time\",\"end_time\",\"description\",\"exercise_title\""))
        let times = "\"Legs; \"\"heavy\"\"\",\"21 Nov 2026, 12:00\",\"21 Nov 2026, 12:03\",\"\""
        #expect(lines[1] == times + ",\"Squat\",,\"\",0,\"normal\",62.5,12,,,8.5")
        #expect(lines[2] == times + ",\"Plank\",,\"\",0,\"normal\",,,,31,")
        #expect(lines[3] == times + ",\"Squat\",,\"\",1,\"normal\",,10,,,")
    }

    /// The required fields of the published schemas data-point 1.0, header 1.2, schema-id 1.1 and physical-activity
    /// 1.2.
    @Test func `each data point of Open mHealth has what its schema requires`() throws {
        let points = try #require(
            try JSONSerialization.jsonObject(with: Data(try text(.openMHealth).utf8)) as? [[String: Any]])
        #expect(points.count == 3)
        for point in points {
            let header = try #require(point["header"] as? [String: Any])
            #expect(
                header["id"] is String && header["creation_date_time"] as? String == "2026-11-21T12:03:50.000+01:00")
            let schema = try #require(header["schema_id"] as? [String: String])
            #expect(schema == ["namespace": "omh", "name": "physical-activity", "version": "1.2"])
            let provenance = try #require(header["acquisition_provenance"] as? [String: String])
            #expect(provenance["source_name"] == "Spotter" && provenance["modality"] == "sensed")
            let body = try #require(point["body"] as? [String: Any])
            #expect(body["activity_name"] is String)
            let frame = try #require(body["effective_time_frame"] as? [String: [String: String]])
            #expect(frame["time_interval"]?.keys.sorted() == ["end_date_time", "start_date_time"])
        }
        let first = try #require(points[0]["body"] as? [String: Any])
        #expect(first["repetitions"] as? Int == 12 && (first["load"] as? [String: Any])?["value"] as? Double == 62.5)
        #expect(try text(.openMHealth) == text(.openMHealth), "a set keeps its id")
        #expect(Set(points.compactMap { ($0["header"] as? [String: Any])?["id"] as? String }).count == 3)
    }

    @Test func `a file is named by its time, plan and format`() throws {
        let names = try WorkoutFormat.allCases.map { $0.fileName(of: try Example.finished(), zone: Example.zone) }
        #expect(Set(names).count == names.count && names.contains("2026-11-21-1200-legs-heavy-hevy.csv"), "\(names)")
        #expect(names[0] == "2026-11-21-1200-legs-heavy.fit")
    }
}
