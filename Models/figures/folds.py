#!/usr/bin/env python3
"""Leave-group-out validation: how much the figures on strangers vary, and what training on other strangers adds.

usage: folds.py SPOTTER MODEL INDEX ANNOTATIONS [--folds 5] [--seeds 1 2 3]

INDEX is the videos' index.csv, which names the person or production of each (`group`). ANNOTATIONS is what convert.py
made of it, or a copy that names pose streams. The groups are divided into folds. The model is trained further on all
folds but one and measured on that one; the unchanged model is measured for comparison. The answers of all seeds are
pooled; the range is over the folds.
"""
import argparse
import csv
import json
import random
import subprocess
import tempfile
from pathlib import Path


def run(*command):
    answer = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return answer.stdout


def verdicts(spotter, model, clips):
    return json.loads(run(spotter, "evaluate", model, clips, "--json"))["clips"]["verdicts"]


def write(path, rows, folder):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file_name", "label", "start_time", "end_time"])
        for row in rows:
            name = row["file_name"]
            link = path.parent / name
            if not link.exists():
                link.symlink_to((folder / name).resolve())
            writer.writerow([name, row["label"], row["start_time"], row["end_time"]])


def figures(given, exercises):
    """Mean recall, reported share, false answers and false reports."""
    def share(list, holds):
        return sum(map(holds, list)) / max(len(list), 1)

    own = [[v for v in given if v["label"] == label] for label in exercises]
    own = [list for list in own if list]
    others = [v for v in given if v["label"] not in exercises]
    return [
        sum(share(list, lambda v: v["is_right"]) for list in own) / max(len(own), 1),
        sum(share(list, lambda v: v["reported"] == v["label"]) for list in own) / max(len(own), 1),
        share(others, lambda v: v["answer"] in exercises), share(others, lambda v: v["reported"] in exercises),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotter")
    parser.add_argument("model")
    parser.add_argument("index", type=Path)
    parser.add_argument("annotations", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    chosen = parser.parse_args()
    group = {f"{row['label']}__{row['file']}": row["group"] for row in csv.DictReader(open(chosen.index))}
    rows = list(csv.DictReader(open(chosen.annotations)))
    for row in rows:
        # A pose stream is named like its video, with one or two underscores after the label.
        name = row["file_name"].removesuffix(".poses.jsonl")
        row["group"] = next(value for key, value in group.items() if name in (key, key.replace("__", "_", 1)))
    exercises = ["burpee", "jumping_jack", "lunge", "push_up", "sit_up", "squat"]
    before, after = [], []
    for seed in chosen.seeds:
        groups = sorted(set(row["group"] for row in rows))
        random.Random(seed).shuffle(groups)
        for fold in range(chosen.folds):
            held = set(groups[fold::chosen.folds])
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                parts = {"learn": folder / "learn" / "a.csv", "judge": folder / "judge" / "a.csv"}
                for part, path in parts.items():
                    path.parent.mkdir()
                    kept = [row for row in rows if (row["group"] in held) == (part == "judge")]
                    write(path, kept, chosen.annotations.parent)
                model = folder / "own.safetensors"
                run(chosen.spotter, "train", parts["learn"], "--from", chosen.model, "--seed", seed, "--force", "-o", model)
                before.append(verdicts(chosen.spotter, chosen.model, parts["judge"]))
                after.append(verdicts(chosen.spotter, model, parts["judge"]))
    print("| leave-group-out | recall | reported | taken for an exercise | reported as one |")
    print("|---|---|---|---|---|")
    for name, folds in (("as it is", before), ("trained further on the other folds", after)):
        pooled = figures(sum(folds, []), exercises)
        each = [figures(fold, exercises) for fold in folds]
        cells = [
            f"{100 * value:.1f} % ({100 * min(e[i] for e in each):.0f} to {100 * max(e[i] for e in each):.0f})"
            for i, value in enumerate(pooled)
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")


main()
