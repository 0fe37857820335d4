#!/usr/bin/env python3
"""Measures how well repetitions of new exercises are counted, whose direction is learned from other people's recordings.

    python3 Models/figures/newcount.py SPOTTER MODEL FOLDER [--arguments="--epochs 2"]

FOLDER is made by `repcount.py --new`. Each exercise's recordings are dealt into two halves. The model is trained further on
one half and counts the other, by turns. Prints a line per recording and, at last, the share that is within one.
"""

import argparse
import csv
import json
import shutil
import subprocess
import tempfile
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("spotter", "model", "folder"):
        parser.add_argument(name)
    parser.add_argument("--arguments", default="", help="more arguments for the training")
    chosen = parser.parse_args()
    folder = Path(chosen.folder)
    with open(folder / "counts.csv") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (row["action"], row["file"]))
    halves = [rows[0::2], rows[1::2]]
    within, errors = 0, []
    for learned, judged in (halves, halves[::-1]):
        with tempfile.TemporaryDirectory() as work:
            work = Path(work)
            for row in learned:
                (work / "clips" / row["action"]).mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / row["file"], work / "clips" / row["action"])
            model = work / "own.safetensors"
            subprocess.run(
                [chosen.spotter, "train", work / "clips", "--from", chosen.model, "--force", "-o", model,
                 *chosen.arguments.split()], check=True, capture_output=True)
            for row in judged:
                answer = subprocess.run(
                    [chosen.spotter, "count", "--model", model, "--action", row["action"], "--json", folder / row["file"]],
                    check=True, capture_output=True, text=True)
                counted = json.loads(answer.stdout)["recordings"][0]["reps"]
                error = abs(counted - int(row["count"]))
                within += error <= 1
                errors.append(error / int(row["count"]))
                print(f"{row['action']} {row['file']}: {counted} of {row['count']}")
    print(f"within one: {within} of {len(rows)}, MAE {sum(errors) / len(errors):.3f}")


main()
