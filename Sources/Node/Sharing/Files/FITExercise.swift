/// The exercise categories of the FIT profile (`exercise_category`).
enum FITExercise {
    /// What the profile calls an exercise that it does not know.
    static let unknown = 65_534

    /// By label. An exercise without a category of its own has that of the profile's group that lists it.
    private static let categories = [
        "bench_press": 0, "calf_raise": 1, "jumping_jack": 2, "high_knees": 2, "jump_rope": 2, "russian_twist": 5,
        "bicycle_crunch": 6, "biceps_curl": 7, "deadlift": 8, "glute_bridge": 10, "bird_dog": 11,
        "kettlebell_swing": 12, "superman": 13, "arm_raise": 14, "leg_raise": 16, "lunge": 17, "clean": 18, "plank": 19,
        "side_plank": 19, "mountain_climber": 19, "box_jump": 20, "pull_up": 21, "pulldown": 21, "push_up": 22,
        "row": 23, "shoulder_press": 24, "sit_up": 27, "squat": 28, "step_up": 28, "burpee": 29,
        "triceps_pushdown": 30, "dip": 30, "battle_rope": 38, "bike": 41, "rowing_machine": 42,
    ]

    /// The category of an exercise; ``unknown`` for those of a model of one's own.
    static func category(of label: String) -> Int { categories[label] ?? unknown }
}
