import Contract
import Workouts

/// A person of the made-up gym who does workouts by a plan under a name.
struct Member: Sendable {
    let name: String
    let nickname: String?
    let plan: WorkoutPlan
    let camera: String
    let zone: String?
    /// The days of the week that is made up, from 0, and the hours of them: on a usual day and on a day at the weekend.
    let days: [Int]
    let hours: (usual: Int, weekend: Int)
    /// The weights at the first workout, kilograms, by exercise.
    var loadKg: [String: Double] = [:]
    /// The range of motion at the first workout, as a share of what the rules want.
    var range = 0.95
    /// The pain at the first workout, 0…10; `nil` where it is not asked for.
    var pain: Int?

    /// All of them.
    static let all = [
        Member(
            name: "Anna", nickname: "Falcon", plan: legs, camera: "mats", zone: nil, days: [0, 2, 4, 6],
            hours: (18, 11), range: 0.93),
        Member(
            name: "Ben", nickname: "Bear", plan: strength, camera: "rack", zone: "rack-1", days: [1, 3, 5],
            hours: (17, 10), loadKg: ["squat": 70, "deadlift": 85, "shoulder_press": 32.5], range: 0.97),
        Member(
            name: "Chiara", nickname: "Comet", plan: minute, camera: "mats", zone: nil, days: [0, 1, 3, 5, 6],
            hours: (12, 12)),
        Member(
            name: "Deniz", nickname: nil, plan: fullBody, camera: "mats", zone: nil, days: [0, 3, 6],
            hours: (7, 10), range: 0.96),
        Member(
            name: "Eva", nickname: "Tulip", plan: knee, camera: "mats", zone: nil, days: [0, 2, 4, 6],
            hours: (9, 10), range: 0.84, pain: 4),
        Member(
            name: "Farid", nickname: "Otter", plan: pull, camera: "cables", zone: "cable", days: [1, 4],
            hours: (19, 13), loadKg: ["row": 45, "biceps_curl": 12]),
    ]

    private static let legs = WorkoutPlan(
        id: "legs", name: "Legs", description: "Three rounds of squats and lunges.", rounds: 3,
        steps: [
            WorkoutPlan.Step(action: "squat", repetitions: 12, restSeconds: 60),
            WorkoutPlan.Step(action: "lunge", repetitions: 10, restSeconds: 90),
        ])

    private static let strength = WorkoutPlan(
        id: "strength", name: "Strength", description: "Three lifts, three sets of five.",
        steps: ["squat", "deadlift", "shoulder_press"].flatMap { action in
            (1...3).map { _ in WorkoutPlan.Step(action: action, repetitions: 5, restSeconds: 120) }
        })

    private static let minute = WorkoutPlan(
        id: "squat-minute", name: "Squats in a minute", description: "As many squats as possible in 60 seconds.",
        challengeSeconds: 60, steps: [WorkoutPlan.Step(action: "squat")])

    private static let fullBody = WorkoutPlan(
        id: "full-body", name: "Full body", description: "Five exercises without equipment, about ten minutes.",
        steps: [
            WorkoutPlan.Step(action: "jumping_jack", repetitions: 40, restSeconds: 30),
            WorkoutPlan.Step(action: "squat", repetitions: 15, restSeconds: 45),
            WorkoutPlan.Step(action: "push_up", repetitions: 10, restSeconds: 45),
            WorkoutPlan.Step(action: "sit_up", repetitions: 15, restSeconds: 45),
            WorkoutPlan.Step(action: "burpee", repetitions: 8),
        ])

    private static let knee: WorkoutPlan = {
        var plan = WorkoutPlan(
            id: "knee", name: "Knee, week 3", description: "Slow squats and lunges after an injury.", rounds: 2,
            steps: [
                WorkoutPlan.Step(action: "squat", repetitions: 8, restSeconds: 75),
                WorkoutPlan.Step(action: "lunge", repetitions: 6, restSeconds: 75),
            ])
        plan.prescription = WorkoutPrescription(daysAWeek: 4, asksPain: true, painLimit: 6)
        return plan
    }()

    private static let pull = WorkoutPlan(
        id: "pull", name: "Pull", description: "Rows and curls.", rounds: 3,
        steps: [
            WorkoutPlan.Step(action: "row", repetitions: 10, restSeconds: 75),
            WorkoutPlan.Step(action: "biceps_curl", repetitions: 10, restSeconds: 75),
        ])
}
