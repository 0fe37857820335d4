#!/usr/bin/env python3
"""Measures exercises that the model does not know, learned from a few clips with the defaults of `spotter train --from`.

    python3 Models/figures/newlabels.py SPOTTER MODEL COLLECTION --clips 5 10 20 --seeds 1 2 3

COLLECTION is penn/ of convert.py. Four of its actions become labels of their own: pull-ups, bench presses, clean and jerk,
jump rope. Each seed draws other clips of them to learn; all others judge, together with the known exercises and the rest of
`other`. Prints Markdown, each figure as the mean and the range over the seeds: seconds of the training; recall of the new
labels and what is reported of them; how much the recall of the old labels falls; false reports.
"""
import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

NEW = {"pullup": "pull_up", "bench_press": "bench_press", "clean_and_jerk": "clean_and_jerk", "jump_rope": "jump_rope"}


def evaluate(spotter, model, folder):
    answer = subprocess.run([spotter, "evaluate", model, folder, "--json"], capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return json.loads(answer.stdout)["clips"]


def draw(collection, count, seed, folder):
    """Links `count` clips of each new label below folder/learn, and all others below folder/judge."""
    source, drawn = random.Random(seed), {label: 0 for label in NEW.values()}
    for label in sorted(path for path in collection.iterdir() if path.is_dir()):
        clips = sorted(label.iterdir())
        source.shuffle(clips)
        for clip in clips:
            new = next((new for action, new in NEW.items() if clip.name.startswith(action + "_")), None)
            place = folder / "judge" / (new or label.name)
            if new and drawn[new] < count:
                place = folder / "learn" / new
                drawn[new] += 1
            place.mkdir(parents=True, exist_ok=True)
            (place / clip.name).symlink_to(clip.resolve())


def mean(clips, figure, new):
    rows = [row[figure] for row in clips["exercises"] if (row["label"] in NEW.values()) == new]
    return sum(rows) / max(len(rows), 1)


def spread(values, scale=100, unit=" %"):
    average = sum(values) / len(values) * scale
    return f"{average:.1f}{unit} ({min(values) * scale:.1f} to {max(values) * scale:.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("spotter", "model"):
        parser.add_argument(name)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--clips", type=int, nargs="+", default=[5, 10, 20])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--arguments", default="", help="more arguments for the training")
    chosen = parser.parse_args()
    print("| clips a new label | seconds | recall, new | reported, new | recall, old, falls by | false reports |")
    print("|---|---|---|---|---|---|")
    for count in chosen.clips:
        rows = []
        for seed in chosen.seeds:
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                draw(chosen.collection, count, seed, folder)
                own, begin = folder / "own.safetensors", time.monotonic()
                training = subprocess.run(
                    [
                        chosen.spotter, "train", folder / "learn", "--from", chosen.model, "--seed", str(seed), "--force",
                        "-o", own, *chosen.arguments.split(),
                    ], capture_output=True, text=True)
                seconds = time.monotonic() - begin
                if training.returncode:
                    raise SystemExit(training.stderr)
                after = evaluate(chosen.spotter, own, folder / "judge")
                before = evaluate(chosen.spotter, chosen.model, folder / "judge")
                rows.append((
                    seconds, mean(after, "recall", True), mean(after, "reported_recall", True),
                    mean(before, "recall", False) - mean(after, "recall", False), after["false_reports"]))
        columns = list(zip(*rows))
        print(f"| {count} | {spread(columns[0], 1, '')} | " + " | ".join(spread(c) for c in columns[1:]) + " |", flush=True)


main()
