"""Spotter's networks beside LiteRT's and MediaPipe's, by turns in one run, one thread each; prints a Markdown table.

    python3 deploy/bench/compare.py path/to/spotter [rounds]

The machines this runs on are shared: only ratios mean something, and those of the fastest runs most.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIP = ROOT / "Tests/Fixtures/clips/demo.mp4"
NETWORKS = {"landmark": "pose_landmark_full.tflite", "detector": "pose_detection.tflite"}
RUNS = 40


def litert(path):
    interpreter = Interpreter(str(path), num_threads=1)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]
    noise = np.random.default_rng(1).random(entry["shape"], dtype=np.float32)
    interpreter.set_tensor(entry["index"], noise)

    def measure():
        times = []
        for _ in range(RUNS):
            began = time.perf_counter()
            interpreter.invoke()
            times.append((time.perf_counter() - began) * 1e3)
        return times

    return measure


def spotter(program, *arguments):
    command = [program, "bench", "--json", "--brief", *arguments]
    # OpenBLAS settings of the surroundings must not leak into the measurement.
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    answer = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def mediapipe_frames():
    """Median milliseconds a frame of MediaPipe's Pose on the clip, one person; None where it is not installed."""
    try:
        import cv2
        import mediapipe

        pose = mediapipe.solutions.pose.Pose(model_complexity=1)
    except (ImportError, AttributeError):
        return None
    video, times = cv2.VideoCapture(str(CLIP)), []
    while True:
        more, picture = video.read()
        if not more:
            break
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
        began = time.perf_counter()
        pose.process(picture)
        times.append((time.perf_counter() - began) * 1e3)
    return statistics.median(times[10:])


def main():
    program, rounds = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 12
    levels = [level for level in ("avx512", "avx2", "portable") if subprocess.run(
        [program, "bench", "--kernels", level, "--rounds", "1", "--brief"], cwd=ROOT, capture_output=True).returncode == 0]
    theirs = {name: litert(ROOT / "Models" / file) for name, file in NETWORKS.items()}
    ours_all = {(level, name): [] for level in levels for name in NETWORKS}
    theirs_all = {name: [] for name in NETWORKS}
    ratios = {key: [] for key in ours_all}
    for number in range(rounds):
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        fastest = {}
        for name, measure in theirs.items():
            times = measure()
            theirs_all[name] += times
            fastest[name] = min(times)
        for level in levels:
            stages = {s["name"]: s for s in spotter(program, "--kernels", level, "--rounds", str(RUNS))["stages"]}
            for name in NETWORKS:
                ours_all[level, name].append(stages[name]["ms_min"])
                ratios[level, name].append(stages[name]["ms_min"] / fastest[name])
    print("\r\033[K", end="", file=sys.stderr)
    print("| network | kernels | Spotter, ms | LiteRT, ms | ratio of the fastest | median ratio |")
    print("|---|---|---:|---:|---:|---:|")
    for level, name in ours_all:
        ours, other = min(ours_all[level, name]), min(theirs_all[name])
        median = statistics.median(ratios[level, name])
        print(f"| {name} | {level} | {ours:.2f} | {other:.2f} | {ours / other:.2f} | {median:.2f} |")
    print()
    frames = {s["name"]: s for s in spotter(program, "--clip", str(CLIP), "--rounds", "1")["stages"]}["frame_tracking"]
    other = mediapipe_frames()
    print(f"A frame of {CLIP.name}, one person followed, decoding excluded: {frames['ms_median']:.2f} ms"
          + (f"; MediaPipe Pose (complexity 1): {other:.2f} ms, ratio {frames['ms_median'] / other:.2f}."
             if other else "; MediaPipe is not installed here."))


main()
