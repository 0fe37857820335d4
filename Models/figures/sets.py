#!/usr/bin/env python3
"""Measures which sets are logged, which never were, and whether their confidence means something.

    python3 Models/figures/sets.py SPOTTER MODEL CLIPS

CLIPS/<label>/<name>.poses.jsonl are pose streams, as `convert.py` and `spotter synthesize` write them. A stream shows its label
alone; one of another label than the model's exercises shows none of them. Many of Penn Action's last one repetition. Prints
Markdown: for each label how many streams have a set of it, the sets of other exercises, and for each range of confidence how many
sets are right.
"""
import concurrent.futures
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

BOUNDS = (0.8, 0.85, 0.9, 0.95, 0.98, 1.01)


def classified(spotter, model, clip):
    run = subprocess.run([spotter, "classify", clip, "--model", model, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def main(spotter, model, folder):
    clips = sorted(Path(folder).glob("*/*.poses.jsonl"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda clip: classified(spotter, model, clip), clips))
    total, found, false, seconds = Counter(), Counter(), Counter(), Counter()
    ranges = defaultdict(list)
    for clip, answer in zip(clips, answers):
        label = clip.parent.name
        total[label] += 1
        if answer is None:
            continue
        seconds[label] += answer["duration_s"]
        found[label] += any(one["label"] == label for one in answer["sets"])
        for one in answer["sets"]:
            false[label] += one["label"] != label
            ranges[next(bound for bound in BOUNDS if one.get("confidence", 1) < bound)].append(one["label"] == label)
    print("| streams of | number | with a set of it | sets of another exercise | hours |\n|---|---:|---:|---:|---:|")
    for label in sorted(total):
        print(f"| {label} | {total[label]} | {found[label]} | {false[label]} | {seconds[label] / 3600:.2f} |")
    print("\n| confidence below | sets | right |\n|---|---:|---:|")
    for bound in BOUNDS:
        right = ranges[bound]
        if right:
            print(f"| {min(bound, 1):.2f} | {len(right)} | {100 * sum(right) / len(right):.0f} % |")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
