#!/usr/bin/env python3
"""Simulates months of gyms whose nodes learn from answers: learning.py SPOTTER MODEL CLIPS [--months N] [--answers N,N]
[--wrong SHARE] [--seed N].

CLIPS holds pose streams, LABEL/NAME.poses.jsonl, such as penn/ of convert.py; the label `other` is no exercise, but for the actions of
Penn Action that the model knows by name. Each month has a gym of its own: a random part of
the clips, seen by a camera that hangs askew, stretches the picture and hides some joints. A month's answers are random clips of
the gym, some of them wrong. The node learns from them as by night (`spotter learn train`), and is judged on the gym's other
clips. Prints a row for each month, and then for each number of answers: recall and false reports before and after, how often
the new model was taken into use, how often it was then worse, and how often a Wilson interval at 90 %, as `spotter learn accuracy`
states it, held the truth: of as many clips, drawn by chance, as there are answers."""

import argparse
import collections
import json
import math
import pathlib
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from named import ACTIONS, NO_EXERCISE

JOINTS = 18
ARMS = {"left": (6, 7), "right": (3, 4)}
LEGS = {"left": (12, 13), "right": (9, 10)}


def read(path):
    """The first person's frames of a pose stream: (milliseconds, [(x, y, confidence)] of the joints), and the picture's size."""
    frames = []
    with open(path) as lines:
        head = json.loads(next(lines))
        for line in lines:
            row = json.loads(line)
            if row["poses"]:
                frames.append((round(row["t"] * 1000), [tuple(k) if k else (0, 0, 0) for k in row["poses"][0]["keypoints"]]))
    return frames, head["width"], head["height"]


class Camera:
    """How a gym's camera hangs: its tilt, how it stretches the picture, which joints it hides, and how it trembles."""

    def __init__(self, rng):
        self.tilt = math.radians(rng.uniform(-18, 18))
        self.stretch = rng.uniform(0.7, 1.4)
        self.hidden = set()
        if rng.random() < 0.5:
            self.hidden |= set(rng.choice([ARMS, LEGS])[rng.choice(["left", "right"])])
        self.noise = rng.uniform(0, 0.006)

    def see(self, joints, rng, aspect):
        seen = []
        for number, (x, y, confidence) in enumerate(joints):
            if confidence <= 0 or number in self.hidden:
                seen.append((0, 0, 0))
                continue
            across, down = (x - 0.5) * aspect, y - 0.5
            turned = across * math.cos(self.tilt) - down * math.sin(self.tilt)
            down = across * math.sin(self.tilt) + down * math.cos(self.tilt)
            seen.append((turned * self.stretch / aspect + 0.5 + rng.gauss(0, self.noise),
                         down + 0.5 + rng.gauss(0, self.noise), confidence))
        return seen


def filmed(clip, camera, rng):
    frames, width, height = clip
    return [(at, camera.see(joints, rng, width / height)) for at, joints in frames], width, height


def packed(clip, longest=60_000):
    """The joints as the history keeps them; see PoseChunk.swift."""
    frames, width, height = clip
    first = frames[0][0]
    kept = []
    for at, joints in frames:
        if at - first <= longest and (not kept or at - first > kept[-1][0]):
            kept.append((at - first, joints))
    data = bytearray(struct.pack("<BHHH", 1, width, height, len(kept)))
    for at, joints in kept:
        data += struct.pack("<H", at)
        for x, y, confidence in joints:
            place = [round((min(max(value, -1), 2) + 1) / 3 * 65_535) if confidence > 0 else 0 for value in (x, y)]
            data += struct.pack("<HHB", *place, max(1, round(min(confidence, 1) * 255)) if confidence > 0 else 0)
    return bytes(data)


def write(path, clip):
    frames, width, height = clip
    names = ["nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
             "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
             "right_ear", "left_ear"]
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        file.write(json.dumps({"format": "spotter.poses", "version": 1, "joints": names, "rate_hz": 30, "width": width,
                               "height": height, "source": path.name}) + "\n")
        for at, joints in frames:
            file.write(json.dumps({"t": at / 1000, "poses": [{"track": 1, "keypoints": [
                [round(x, 5), round(y, 5), round(c, 3)] if c > 0 else [0, 0, 0] for x, y, c in joints]}]}) + "\n")


def evaluated(spotter, model, folder):
    """What a model shows for each clip of a folder: (label, reported) by name."""
    result = subprocess.run([spotter, "evaluate", model, folder, "--json"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    rows = json.loads(result.stdout)
    clips = rows["clips"] if "clips" in rows and isinstance(rows["clips"], dict) else rows
    return {row["clip"]: (row["label"], row["reported"]) for row in clips["verdicts"]}


def figures(verdicts, exercises):
    """Recall over the exercises' clips, and the share of the others that are shown as an exercise."""
    right = [reported == label for label, reported in verdicts.values() if label in exercises]
    false = [reported not in NO_EXERCISE for label, reported in verdicts.values() if label not in exercises]
    mean = lambda values: sum(values) / max(len(values), 1)
    return mean(right), mean(false)


def wilson(right, count, z=1.6448536269514722):
    share = right / count
    middle = (share + z * z / 2 / count) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / 4 / count**2)
    return middle - half, middle + half


def month(spotter, model, clips, exercises, answers, wrong, seed):
    rng = random.Random(seed)
    camera = Camera(rng)
    names = [rng.choice([name for name in clips if clips[name][0] == label])
             for label in sorted({label for label, _ in clips.values()}) for _ in range(answers)]
    names = list(dict.fromkeys(names))
    rng.shuffle(names)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        database = folder / "spotter.db"
        subprocess.run([spotter, "run", "--source", "Tests/Fixtures/clips/squat_front.mp4", "--database", database, "--no-mqtt",
                        "-q"], check=True, capture_output=True)
        with sqlite3.connect(database) as db:
            for number, name in enumerate(names[:answers]):
                label, path = clips[name]
                given = label
                if rng.random() < wrong:
                    given = rng.choice(sorted(exercises - {label}) + ["none"])
                begin = 1_790_000_000_000 + number % 20 * 86_400_000 + number * 60_000
                db.execute(
                    "INSERT INTO question(kind, sample, reason, weight, week, camera, start_ms, end_ms, likely, model, poses, answer,"
                    " answered_ms) VALUES('excerpt', 'random', 'random', 1, '2026-09-21', 'rack1', ?, ?, '', 'm', ?, ?, ?)",
                    (begin, begin + 9000, packed(filmed(read(path), camera, rng)),
                     given if given in exercises else "none", begin))
        rest = [name for name in clips if name not in names[:answers]]
        for label in sorted({label for label, _ in clips.values()}):
            own = [name for name in rest if clips[name][0] == label]
            for name in rng.sample(own, min(30, len(own))):
                write(folder / "test" / label / name.split("/")[-1], filmed(read(clips[name][1]), camera, rng))
        before = evaluated(spotter, model, folder / "test")
        began = time.monotonic()
        result = subprocess.run([spotter, "learn", "train", "--database", database, "--from", model, "-o",
                                 folder / "learned.safetensors", "--seed", str(seed), "--json"], capture_output=True, text=True)
        seconds = time.monotonic() - began
        if result.returncode not in (0, 1) or not result.stdout:
            sys.exit(result.stderr)
        answer = json.loads(result.stdout)
        after = evaluated(spotter, answer["output"], folder / "test")
    # The interval from as many random answers as there are, without errors, beside the truth over the test clips.
    def right(label, reported):
        return label == reported if label in exercises else reported in NO_EXERCISE
    told = [right(*one) for one in random.Random(seed).choices(list(before.values()), k=answers)]
    truth = [right(*one) for one in before.values()]
    low, high = wilson(sum(told), answers)
    return {"before": figures(before, exercises), "after": figures(after, exercises), "taken": answer["decision"]["is_better"],
            "holds": low <= sum(truth) / len(truth) <= high, "seconds": seconds, "reasons": answer["decision"]["reasons"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotter")
    parser.add_argument("model")
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("--months", type=int, default=5)
    parser.add_argument("--answers", default="10,30,50")
    parser.add_argument("--wrong", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    clips = {str(path.relative_to(options.clips)): (ACTIONS.get(path.name.rsplit("_", 1)[0], path.parent.name), path)
             for path in sorted(options.clips.rglob("*.poses.jsonl"))}
    exercises = {label for label, _ in clips.values()} - {"other", "none"}
    rows = collections.defaultdict(list)
    for count in map(int, options.answers.split(",")):
        for number in range(options.months):
            row = month(options.spotter, options.model, clips, exercises, count, options.wrong, options.seed + number)
            rows[count].append(row)
            used = row["after"] if row["taken"] else row["before"]
            print(f"{count} answers, month {number + 1}: recall {row['before'][0]:.3f} -> {row['after'][0]:.3f}, false "
                  f"{row['before'][1]:.3f} -> {row['after'][1]:.3f}, {'taken' if row['taken'] else 'kept'}, in use {used[0]:.3f} "
                  f"{used[1]:.3f}, {row['seconds']:.0f} s; {' '.join(row['reasons'])}", file=sys.stderr)
    print("| answers | months | recall before | in use | false before | in use | taken | then worse | interval holds |")
    print("|---|---|---|---|---|---|---|---|---|")
    mean = lambda values: sum(values) / len(values)
    for count, months in rows.items():
        used = [row["after"] if row["taken"] else row["before"] for row in months]
        worse = sum(row["taken"] and row["after"][0] - row["after"][1] < row["before"][0] - row["before"][1] for row in months)
        print(f"| {count} | {len(months)} | {mean([r['before'][0] for r in months]):.3f} | {mean([u[0] for u in used]):.3f} "
              f"| {mean([r['before'][1] for r in months]):.3f} | {mean([u[1] for u in used]):.3f} "
              f"| {sum(r['taken'] for r in months)} | {worse} | {sum(r['holds'] for r in months)} |")


if __name__ == "__main__":
    main()
