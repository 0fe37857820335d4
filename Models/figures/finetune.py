#!/usr/bin/env python3
"""Measures the gain from one's own clips: trains the shipped model further on a few clips a label, tests on all others.

usage: finetune.py SPOTTER MODEL COLLECTION [--clips 10 50] [--seeds 1 2 3]

COLLECTION is a folder of clips per label, such as penn/ of convert.py. --clips is the number of training clips for
each exercise; `other` gets twice as many. The rest of the collection is for testing. Each seed draws other clips.
Prints Markdown: seconds of the whole training, mean recall, what is reported at the thresholds, and false reports,
each as the mean and the range over the seeds.
"""
import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path


def evaluate(spotter, model, folder):
    answer = subprocess.run([spotter, "evaluate", model, folder, "--json"], capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return json.loads(answer.stdout)["clips"]


def draw(collection, count, seed, folder):
    """Links `count` clips of each exercise below folder/learn, and all others below folder/judge."""
    source = random.Random(seed)
    for label in sorted(path for path in collection.iterdir() if path.is_dir()):
        clips = sorted(label.iterdir())
        source.shuffle(clips)
        learned = 2 * count if label.name in ("other", "none") else count
        for index, clip in enumerate(clips):
            place = folder / ("learn" if index < learned else "judge") / label.name / clip.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(clip.resolve())


def spread(values, scale=100, unit=" %"):
    mean = sum(values) / len(values) * scale
    return f"{mean:.1f}{unit} ({min(values) * scale:.1f} to {max(values) * scale:.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotter")
    parser.add_argument("model")
    parser.add_argument("collection", type=Path)
    parser.add_argument("--clips", type=int, nargs="+", default=[10, 50])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--arguments", default="", help="more arguments for the training")
    chosen = parser.parse_args()
    print("| own clips a label | seconds | recall before | recall after | reported after | false reports before | after |")
    print("|---|---|---|---|---|---|---|")
    for count in chosen.clips:
        rows = []
        for seed in chosen.seeds:
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                draw(chosen.collection, count, seed, folder)
                own = str(folder / "own.safetensors")
                begin = time.monotonic()
                training = subprocess.run(
                    [
                        chosen.spotter, "train", folder / "learn", "--from", chosen.model, "--seed", str(seed), "--force",
                        "-o", own, *chosen.arguments.split(),
                    ], capture_output=True, text=True)
                seconds = time.monotonic() - begin
                if training.returncode:
                    raise SystemExit(training.stderr)
                before = evaluate(chosen.spotter, chosen.model, folder / "judge")
                rows.append((seconds, before, evaluate(chosen.spotter, own, folder / "judge")))
        print(
            f"| {count} | {spread([s for s, _, _ in rows], 1, '')} | {spread([b['macro_recall'] for _, b, _ in rows])} "
            f"| {spread([a['macro_recall'] for _, _, a in rows])} "
            f"| {spread([a['macro_reported_recall'] for _, _, a in rows])} "
            f"| {spread([b['false_reports'] for _, b, _ in rows])} | {spread([a['false_reports'] for _, _, a in rows])} |",
            flush=True)


main()
