import Foundation
import Records

/// A workout as data points of Open mHealth: one `physical-activity` for each set.
///
/// The fields are those of the published schemas `data-point` 1.0, `header` 1.2 and `physical-activity` 1.2
/// (github.com/openmhealth/schemas). These have no field for repetitions and weight; they stand beside the others, as
/// the schemas allow.
enum OpenMHealth {
    private struct DataPoint: Encodable {
        let header: Header
        let body: Body
    }

    private struct Header: Encodable {
        let id: String
        let created: String
        let user: String
        let schema = Schema()
        let provenance: Provenance

        enum CodingKeys: String, CodingKey {
            case id
            case created = "creation_date_time"
            case user = "user_id"
            case schema = "schema_id"
            case provenance = "acquisition_provenance"
        }
    }

    private struct Schema: Encodable {
        let namespace = "omh"
        let name = "physical-activity"
        let version = "1.2"
    }

    private struct Provenance: Encodable {
        let source = "Spotter"
        let made: String
        let modality = "sensed"

        enum CodingKeys: String, CodingKey {
            case modality
            case source = "source_name"
            case made = "source_creation_date_time"
        }
    }

    private struct Body: Encodable {
        let activity: String
        let frame: Frame
        let repetitions: Int?
        let load: Load?

        enum CodingKeys: String, CodingKey {
            case repetitions, load
            case activity = "activity_name"
            case frame = "effective_time_frame"
        }
    }

    private struct Frame: Encodable {
        let interval: Interval

        enum CodingKeys: String, CodingKey { case interval = "time_interval" }
    }

    private struct Interval: Encodable {
        let start, end: String

        enum CodingKeys: String, CodingKey {
            case start = "start_date_time"
            case end = "end_date_time"
        }
    }

    private struct Load: Encodable {
        let value: Double
        let unit = "kg"
    }

    /// The data points as one JSON list. A set keeps its id in every file.
    static func text(of workout: FinishedWorkout, zone: TimeZone) -> String {
        func time(_ date: Date) -> String { Timestamp.text(milliseconds: Timestamp.milliseconds(date), in: zone) }
        let points = workout.steps.enumerated().map { index, step in
            DataPoint(
                header: Header(
                    id: UUIDv8.string(of: "\(workout.id) \(index)"), created: time(workout.end), user: workout.person,
                    provenance: Provenance(made: time(step.end))),
                body: Body(
                    activity: step.exercise,
                    frame: Frame(interval: Interval(start: time(step.start), end: time(step.end))),
                    repetitions: step.repetitions > 0 ? step.repetitions : nil,
                    load: step.loadKilograms.map { Load(value: $0) }))
        }
        // Only NaN cannot be written, and a stored number is none.
        return (try? JSONText.encode(points, isIndented: true)) ?? "[]"
    }
}
