import Actions
import Agent
import Capture
import Configuration
import Foundation
import NeuralNet
import Poses
import Records
import Workouts

extension Doctor {
    static func classifier(_ configuration: Configuration) -> [DiagnosticResult] {
        do {
            let classifier = try configuration.classifier()
            let labels = classifier.description.countedLabels.count
            return [.good("model", "\(classifier.name), \(labels.counted("exercise"))")]
        } catch {
            return [.bad("model", error)]
        }
    }

    static func plans(_ configuration: Configuration) -> [DiagnosticResult] {
        // Without a model nothing is known of its exercises; that is said by the check before.
        guard let classifier = try? configuration.classifier() else { return [] }
        let folder = configuration.workouts.plans
        let entries = PlanLibrary(folder: folder, exercises: PlanExercises(classifier.description)).entries
        let errors = entries.compactMap { entry -> (any Error)? in
            if case .failure(let error) = entry.plan { error } else { nil }
        }
        guard errors.isEmpty else { return errors.map { .bad("plans", $0) } }
        return [.good("plans", entries.isEmpty ? "none in \(folder)" : "\(entries.count) in \(folder)")]
    }

    /// What is judged of the exercises, and from which views: see `spotter workout form`.
    static func coaching(_ configuration: Configuration) -> [DiagnosticResult] {
        guard let classifier = try? configuration.classifier() else { return [] }
        let rules: FormRules
        do { rules = try configuration.formRules() } catch { return [.bad("coaching", error)] }
        let exercises = classifier.description.countedLabels
        let without = exercises.filter { rules.ranges(of: $0).isEmpty }
        let judged = "range of \(exercises.count - without.count) of \(exercises.count.counted("exercise"))"
        let rest = without.isEmpty ? "" : "; not of \(without.joined(separator: ", "))"
        return [.good("coaching", "\(judged)\(rest); the views: spotter workout form")]
    }

    static func kernels(_: Configuration) -> [DiagnosticResult] {
        let best = KernelLevel.best
        #if arch(x86_64)
            if best == .portable {
                return [
                    .bad(
                        "kernels", "\(best.name): this processor, or its virtual machine, hides AVX2",
                        advice: "hand the processor's features through to the virtual machine")
                ]
            }
        #endif
        return [.good("kernels", best.name)]
    }

    /// Estimates the frame rate for one person by timing the pose networks.
    static func rate(_ configuration: Configuration) -> [DiagnosticResult] {
        do {
            let recognition = configuration.recognition
            let folder = URL(filePath: recognition.poseModels)
            let threads = configuration.sourceSettings(rateHz: 30, camera: configuration.cameras.first).estimation
                .threads
            let networks = try PoseNetworks(models: folder, kernels: .best, threads: threads)
            let image = Image(widthPixels: 640, heightPixels: 480, rgb: [UInt8](repeating: 99, count: 640 * 480 * 3))
            let region = RegionOfInterest(centerX: 320, centerY: 240, size: 400, angle: 0)
            let detection = median {
                _ = networks.run(in: image, regions: [], masks: [], squares: [nil])
            }
            let following = median {
                _ = networks.run(in: image, regions: [region], masks: [nil], squares: [])
            }
            // A person is followed in every frame; two searches run in each interval.
            let second = recognition.maximumLoad - 2 * detection / recognition.detectionIntervalSeconds
            return rate(
                max(0, second) / following,
                text: String(
                    format: "%.1f ms to follow a person, %.1f ms to search, with %@", following * 1e3,
                    detection * 1e3, threads.counted("thread")))
        } catch {
            return [.bad("rate", error)]
        }
    }

    /// - Parameter rate: frames per second with one person in view.
    package static func rate(_ rate: Double, text: String) -> [DiagnosticResult] {
        let summary = "about \(Int(rate)) frames/s for one person (\(text))"
        // At lower rates repetitions of quick exercises are missed.
        return rate >= 10
            ? [.good("rate", summary)]
            : [
                .bad(
                    "rate", summary,
                    advice:
                        "end other programs, raise recognition.maximum_load, or set recognition.threads to the cores that are free"
                )
            ]
    }

    /// The median of nine runs after a warm-up run, in seconds.
    private static func median(_ run: () -> Void) -> Double {
        run()
        return (0..<9).map { _ in ContinuousClock().measure(run).seconds }.sorted()[4]
    }
}
