#!/usr/bin/env python3
"""Turns collections of labelled poses into what `spotter evaluate` reads.

usage: convert.py DATA OUT

DATA holds videos/index.csv with the videos, keypoints/penn_action_train.npz and keypoints/pushfit_mediapipe.npz,
each of which may be missing. OUT gets web/annotations.csv (with links to the videos), penn/ and pushfit/ (pose
streams, a folder per label). None of this data is ours, and none of it trains the shipped model. It serves to
measure the model, and it tuned the thresholds and the temperature.
"""
import csv
import json
import re
import sys
from pathlib import Path

import numpy

JOINTS = (
    "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee "
    "right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear"
).split()


def write(path, poses, width, height, rate=30):
    """Writes poses [frames, 18, 3]: x and y as fractions from the top left, and confidence."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        header = dict(format="spotter.poses", version=1, joints=JOINTS, rate_hz=rate)
        file.write(json.dumps(header | dict(width=int(width), height=int(height), source=path.stem)) + "\n")
        for index, pose in enumerate(poses):
            people = [dict(track=1, keypoints=pose.round(5).tolist())] if (pose[:, 2] > 0).any() else []
            file.write(json.dumps(dict(t=round(index / rate, 4), poses=people)) + "\n")


# The words that the clips' notes use for each label.
ACTIONS = dict(jj="jumping_jack", burpee="burpee", pushup="push_up", squat="squat", situp="sit_up", lunge="lunge")
FOLDERS = dict(jumping_jacks="jumping_jack", burpees="burpee", pushups="push_up", situps="sit_up", squats="squat",
               lunges="lunge")
# Those that show an exercise beyond the first six all the time. Models that do not know it take it for other.
NAMED = dict(bicep_curl="biceps_curl", deadlift="deadlift", high_knees="high_knees",
             mountain_climbers="mountain_climber", pullups="pull_up")
SPAN = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


def segments(note, folder, seconds):
    """(label, start, end) for every period that a note names, without titles, close-ups and instants."""
    for part in re.sub(r"\(.*?\)", "", note.lower()).split(";"):
        part = part.strip()
        if part.startswith("none") or "close-up" in part:
            continue
        label = next((label for word, label in ACTIONS.items() if part.startswith(word)), None)
        if label is None and "lunge" in part and FOLDERS.get(folder) == "lunge":
            label = "lunge"  # side lunge, curtsy lunge
        if label is None and folder in FOLDERS and not part.startswith(("other", "plank")):
            continue
        spans = [(float(a), float(b)) for a, b in SPAN.findall(part)]
        if not spans and "all" not in part and label is not None and re.search(r"\d", part):
            continue
        for start, end in spans or [(0.0, seconds)]:
            if end - start >= 1.2:
                yield label or NAMED.get(folder, "other"), start, min(end, seconds)


def web(data, out):
    videos = (data / "videos").resolve()
    rows = []
    for row in csv.DictReader(open(videos / "index.csv")):
        video = videos / row["label"] / row["file"]
        name = f"{row['label']}__{row['file']}"
        link = out / "web" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(video)
        for label, start, end in segments(row["segments"], row["label"], float(row["dur"])):
            rows.append((name, label, start, end))
    with open(out / "web" / "annotations.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file_name", "label", "start_time", "end_time"])
        writer.writerows(rows)


def penn(data, out):
    labels = dict(jumping_jacks="jumping_jack", squat="squat", pushup="push_up", situp="sit_up")
    # Our joint for each of Penn Action's: head, shoulders, elbows, wrists, hips, knees, ankles, left first.
    order = [0, 5, 2, 6, 3, 7, 4, 11, 8, 12, 9, 13, 10]
    file = numpy.load(data / "keypoints/penn_action_train.npz")
    points = file["keypoints"]
    for identity, action, _, height, width, first, end in file["sequences"]:
        width, height = int(width), int(height)
        theirs = points[int(first):int(end)].astype(float)
        poses = numpy.zeros((len(theirs), 18, 3))
        poses[:, order, 0] = theirs[:, :, 0] / width
        poses[:, order, 1] = theirs[:, :, 1] / height
        poses[:, order, 2] = theirs[:, :, 2] > 0
        poses *= poses[:, :, 2:]
        seen = (poses[:, 2, 2] > 0) & (poses[:, 5, 2] > 0)
        poses[:, 1] = numpy.where(seen[:, None], (poses[:, 2] + poses[:, 5]) / 2, 0)
        if action == "jumping_jacks":  # one cycle each
            poses = numpy.concatenate([poses] * -(-90 // len(poses)))
        elif len(poses) < 60:  # shorter than a window: there and back
            poses = numpy.concatenate([poses[:: -1 if turn % 2 else 1] for turn in range(-(-60 // len(poses)))])
        write(out / "penn" / labels.get(action, "other") / f"{action}_{identity}.poses.jsonl", poses, width, height)


def pushfit(data, out):
    file = numpy.load(data / "keypoints/pushfit_mediapipe.npz")
    theirs = [0, 12, 14, 16, 11, 13, 15, 24, 26, 28, 23, 25, 27, 5, 2, 8, 7]
    ours = [0] + list(range(2, 18))
    for index, label in enumerate(file["labels"]):
        points = file["kpts"][file["offsets"][index]:file["offsets"][index + 1]]
        poses = numpy.zeros((len(points), 18, 3))
        poses[:, ours] = points[:, theirs][:, :, [0, 1, 3]]
        poses[:, 1] = (poses[:, 2] + poses[:, 5]) / 2
        poses[:, 1, 2] = numpy.minimum(poses[:, 2, 2], poses[:, 5, 2])
        write(out / "pushfit" / "push_up" / f"{label}_{index}.poses.jsonl", poses, 16, 9)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    for name, convert in dict(videos=web, **{"keypoints/penn_action_train.npz": penn},
                              **{"keypoints/pushfit_mediapipe.npz": pushfit}).items():
        if (data / name).exists():
            convert(data, out)
        else:
            print(f"{data / name} is not there: skipped", file=sys.stderr)
