#!/usr/bin/env python3
"""Turns landmarks of RepCount videos into pose streams, so that `spotter count --truth` can measure on them.

    python3 Models/figures/repcount.py repcount.npz /tmp/repcount
    spotter count --truth /tmp/repcount/counts.csv
    python3 Models/figures/repcount.py repcount.npz /tmp/new --new
    python3 Models/figures/newcount.py spotter Models/exercises.safetensors /tmp/new

The archive holds `landmarks` [frames, 99]: BlazePose's 33 points as x, y, z, each frame normalised to the box around
its body; and `sequences`, rows of name, type, count, first and end frame. Only the four types that spotter knows are
taken, in all their spellings; with `--new` the three that it does not know.

The box changes its shape with every frame, which is undone as far as it goes: limbs do not change their lengths, so the
box's three sides are those that make the bones as long as they are on average people (in statures), by least squares,
smoothed over a fifth of a second. The feet, or whatever is lowest, stand on the ground. `--raw` leaves the box a square.
Needs numpy.
"""

import argparse
import json
import os

import numpy as np

TYPES = {
    "jump_jack": "jumping_jack", "jumpjack": "jumping_jack", "jumping_jack": "jumping_jack", "jumping_jacks": "jumping_jack",
    "push_up": "push_up", "pushup": "push_up", "pushups": "push_up", "push_ups": "push_up",
    "situp": "sit_up", "sit_up": "sit_up", "situps": "sit_up", "sit_ups": "sit_up",
    "squat": "squat", "squant": "squat", "squats": "squat",
}
NEW_TYPES = {
    "pull_up": "pull_up", "bench_pressing": "bench_press", "benchpressing": "bench_press",
    "front_raise": "front_raise", "frontraise": "front_raise",
}
# Indices of BlazePose in the order of a pose stream; None is the neck, between the shoulders.
JOINTS = [0, None, 12, 14, 16, 11, 13, 15, 24, 26, 28, 23, 25, 27, 5, 2, 8, 7]
NAMES = [
    "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
    "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
    "right_ear", "left_ear",
]
# Two landmarks and their distance in statures.
BONES = [
    (11, 13, 0.172), (12, 14, 0.172), (13, 15, 0.157), (14, 16, 0.157), (23, 25, 0.245), (24, 26, 0.245),
    (25, 27, 0.246), (26, 28, 0.246), (11, 23, 0.29), (12, 24, 0.29), (11, 12, 0.21), (23, 24, 0.14),
    (11, 24, 0.33), (12, 23, 0.33),
]


def sides(points):
    """The squared sides of one frame's box: non-negative least squares over the eight sets of sides that are not 0."""
    squares = np.array([(points[a] - points[b]) ** 2 for a, b, _ in BONES])
    lengths = np.array([length for _, _, length in BONES])
    squares, wanted = squares / lengths[:, None], lengths
    best, least = np.zeros(3), np.inf
    for mask in range(1, 8):
        axes = [axis for axis in range(3) if mask >> axis & 1]
        solution = np.linalg.lstsq(squares[:, axes], wanted, rcond=None)[0]
        error = np.sum((squares[:, axes] @ solution - wanted) ** 2)
        if (solution >= 0).all() and error < least:
            best, least = np.zeros(3), error
            best[axes] = solution
    return np.sqrt(best)


def smoothed(values, median=7, deviation=2.0):
    reach = median // 2
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    values = np.median(np.stack([padded[i : i + len(values)] for i in range(median)]), axis=0)
    reach = int(3 * deviation)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    return sum(w * padded[i : i + len(values)] for i, w in enumerate(bell / bell.sum()))


def poses(landmarks, raw):
    """[frames, 18, 2] as fractions of a square picture from the top left, and which frames hold a pose."""
    points = landmarks.astype(np.float64).reshape(-1, 33, 3)
    seen = np.abs(points).sum((1, 2)) > 0
    body = np.stack([points[:, [11, 12]].mean(1) if j is None else points[:, j] for j in JOINTS], axis=1)[..., :2]
    if not raw and seen.any():
        scale = np.array([sides(p) if ok else np.full(3, np.nan) for p, ok in zip(points, seen)])
        frames = np.arange(len(scale))
        for axis in range(3):
            scale[:, axis] = np.interp(frames, frames[seen], scale[seen, axis])
        scale = smoothed(scale)
        body = body - [0.5, 1.0]
        body = 0.45 * body * scale[:, None, :2] + [0.5, 0.9]
    return body, seen


def write(path, body, seen, rate, name):
    with open(path, "w") as file:
        head = {"format": "spotter.poses", "version": 1, "joints": NAMES, "rate_hz": rate, "width": 1000, "height": 1000}
        file.write(json.dumps({**head, "source": name}) + "\n")
        for frame, (points, ok) in enumerate(zip(body, seen)):
            people = [{"track": 1, "keypoints": [[round(x, 5), round(y, 5), 0.9] for x, y in points]}] if ok else []
            file.write(json.dumps({"t": round(frame / rate, 4), "poses": people}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--new", action="store_true", help="take the exercises that spotter does not know")
    parser.add_argument("--raw", action="store_true", help="keep the normalisation")
    parser.add_argument("--rate", type=float, default=30.0, help="frames per second, which the archive does not say")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    archive = np.load(arguments.archive, allow_pickle=True)
    with open(os.path.join(arguments.folder, "counts.csv"), "w") as counts:
        counts.write("file,action,count\n")
        for name, kind, count, first, end, *_ in archive["sequences"]:
            action = (NEW_TYPES if arguments.new else TYPES).get(str(kind).lower())
            if action is None or int(count) == 0:
                continue
            body, seen = poses(archive["landmarks"][int(first) : int(end)], arguments.raw)
            file = os.path.splitext(str(name))[0] + ".poses.jsonl"
            write(os.path.join(arguments.folder, file), body, seen, arguments.rate, str(name))
            counts.write(f"{file},{action},{count}\n")


main()
