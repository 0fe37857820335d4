"""Measures a whole frame without decoding: Spotter with one and two threads, and MediaPipe's Pose, in turns.

    python3 Tests/Benchmarks/frames.py path/to/spotter [rounds [kernels]]

Prints Markdown. On shared machines only ratios are meaningful.
"""
import pathlib
import statistics
import sys
import time

from compare import ROOT, spotter

CLIP = ROOT / "Tests/Fixtures/clips/squat_front.mp4"
PEOPLE = (0, 1, 2, 4, 8)


def mediapipe():
    """A function that runs MediaPipe's Pose (complexity 1) over the clip and gives the milliseconds of every frame;
    None where it is not installed."""
    try:
        import cv2
        from mediapipe import solutions
    except ImportError:
        return None
    video, pictures = cv2.VideoCapture(str(CLIP)), []
    while True:
        more, picture = video.read()
        if not more:
            break
        pictures.append(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))

    def measure():
        times = []
        with solutions.pose.Pose(model_complexity=1) as pose:
            for picture in pictures:
                began = time.perf_counter()
                pose.process(picture)
                times.append((time.perf_counter() - began) * 1e3)
        # The first frames also find the person and warm up.
        return times[10:]

    return measure


def main():
    program, rounds = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 6
    kernels = ["--kernels", sys.argv[3]] if len(sys.argv) > 3 else []
    theirs, other = mediapipe(), []
    ours = {1: [], 2: []}
    tracking = {1: [], 2: []}
    scenes = {(threads, people): [] for threads in ours for people in PEOPLE}
    for number in range(rounds):
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        if theirs:
            other.append(statistics.median(theirs()))
        for threads in ours:
            report = spotter(program, "--clip", str(CLIP), "--threads", str(threads), "--rounds", "40", *kernels)
            stages = {stage["name"]: stage for stage in report["stages"]}
            ours[threads].append(stages["frame_clip"]["ms_median"])
            tracking[threads].append(stages["frame_tracking"]["ms_median"])
            for scene in report["scenes"]:
                scenes[threads, scene["people"]].append((scene["ms_mean"], scene["followed"]))
    print("\r\033[K", end="", file=sys.stderr)

    def ratio(one, another):
        return statistics.median(a / b for a, b in zip(one, another))

    print(f"| a frame of {CLIP.name}, one person followed | ms, median of {rounds} runs | ratio |")
    print("|---|---:|---:|")
    if theirs:
        print(f"| MediaPipe Pose, complexity 1 | {statistics.median(other):.2f} | 1 |")
    for threads in ours:
        against = f"{ratio(ours[threads], other):.2f}" if theirs else "-"
        print(f"| Spotter, {threads} thread{'s' * (threads > 1)} | {statistics.median(ours[threads]):.2f} | {against} |")
    print(f"\nTwo threads against one, while one person is followed: {ratio(tracking[2], tracking[1]):.2f}.\n")
    print("| people in the picture (1280 x 960) | followed | ms a frame, mean | frames/s | two threads against one |")
    print("|---:|---:|---:|---:|---:|")
    for people in PEOPLE:
        one, two = ([ms for ms, _ in scenes[threads, people]] for threads in (1, 2))
        followed = statistics.mean(count for _, count in scenes[1, people])
        mean = statistics.median(one)
        print(f"| {people} | {followed:.1f} | {mean:.2f} | {1000 / mean:.0f} | {ratio(two, one):.2f} |")


if __name__ == "__main__":
    main()
