#!/usr/bin/env python3
"""Measures a planned workout over real clips of strangers, put together to one video.

usage: workouts.py SPOTTER DATA [--clips 3] [--gap 3]

DATA/videos is the collection that convert.py describes. Of each exercise, so many clips of different groups are cut to
their labelled period (at most 15 s), and put together in turns with a grey gap between them. The plan has a step for
each clip: three repetitions of its exercise. What is done beyond them counts as long as the rest lasts, and the rest
lasts as long as the clip and the gap. Prints Markdown: how many steps were found within their own clip, whether the
order was right, and for how many the workout counted as many repetitions as `spotter count` counts in the clip alone.
The collection has no true counts; those of RepCount are measured by figures.sh. Needs ffmpeg.
"""
import argparse
import csv
import json
import subprocess
import tempfile
from datetime import datetime
from pathlib import Path

from convert import FOLDERS, segments

WIDTH, HEIGHT, RATE = 640, 480, 30
LONGEST = 15.0
FEWEST = 3


def chosen(data, each):
    """(label, file, start, seconds), of each exercise `each` clips from different groups, in turns."""
    clips = {}
    for row in csv.DictReader(open(data / "videos" / "index.csv")):
        label = FOLDERS.get(row["label"])
        if label is None or row["full"] != "yes":
            continue
        spans = [(start, end) for name, start, end in segments(row["segments"], row["label"], float(row["dur"]))
                 if name == label and end - start >= 6]
        known = clips.setdefault(label, {})
        if spans and row["group"] not in known:
            start, end = max(spans, key=lambda span: span[1] - span[0])
            file = data / "videos" / row["label"] / row["file"]
            known[row["group"]] = (label, file, start, min(end - start, LONGEST))
    lists = [[groups[name] for name in sorted(groups)][:each] for _, groups in sorted(clips.items())]
    return [one[turn] for turn in range(each) for one in lists if turn < len(one)]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def spotter(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spotter")
    parser.add_argument("data", type=Path)
    parser.add_argument("--clips", type=int, default=3)
    parser.add_argument("--gap", type=float, default=3)
    given = parser.parse_args()
    clips = chosen(given.data, given.clips)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fit = (f"scale={WIDTH}:{HEIGHT}:force_original_aspect_ratio=decrease,"
               f"pad={WIDTH}:{HEIGHT}:(ow-iw)/2:(oh-ih)/2:color=gray,fps={RATE},format=yuv420p,setsar=1")
        ffmpeg("-f", "lavfi", "-i", f"color=gray:s={WIDTH}x{HEIGHT}:r={RATE}", "-t", given.gap, folder / "gap.mp4")
        places, parts, plan, time = [], [], 'name = "Strangers"\n', 0.0
        for number, (label, file, start, seconds) in enumerate(clips):
            part = folder / f"{number}.mp4"
            ffmpeg("-ss", start, "-t", seconds, "-i", file, "-an", "-vf", fit, part)
            length = float(subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", part], check=True,
                capture_output=True, text=True).stdout)
            parts += [part, folder / "gap.mp4"]
            places.append((time, time + length))
            time += length + given.gap
            # A new set of the next exercise ends the rest early.
            plan += f'[[step]]\naction = "{label}"\nrepetitions = {FEWEST}\nrest_seconds = {LONGEST + given.gap}\n'
        (folder / "list.txt").write_text("".join(f"file '{part}'\n" for part in parts))
        (folder / "plan.toml").write_text(plan)
        ffmpeg("-f", "concat", "-safe", 0, "-i", folder / "list.txt", "-c", "copy", folder / "all.mp4")
        spotter(given.spotter, "run", "--plan", folder / "plan.toml", "--source", folder / "all.mp4", "--no-mqtt",
                "--quiet", "--database", folder / "workout.db")
        workout = json.loads(spotter(
            given.spotter, "history", "workouts", "--database", folder / "workout.db", "--json"))[0]
        begin = moment(workout["start"])
        report(given.spotter, clips, places, workout, begin, folder)


def report(program, clips, places, workout, begin, folder):
    print("| clip | exercise | step | repetitions | of the clip alone |\n|---|---|---|---|---|")
    found = alike = 0
    starts = []
    for number, ((label, file, _, _), place, step) in enumerate(zip(clips, places, workout["steps"])):
        counted = json.loads(spotter(program, "count", folder / f"{number}.mp4", "--action", label, "--json"))
        alone = reps_of(counted)
        start = moment(step["start"]) - begin if "start" in step else None
        is_found = step["complete"] and start is not None and place[0] - 1 <= start <= place[1] + 1
        found += is_found
        alike += is_found and abs(step["reps"] - alone) <= 1
        if start is not None:
            starts.append(start)
        print(f"| {file.stem[:32]} | {label} | {'found' if is_found else 'missed'} | {step['reps']} | {alone} |")
    print(f"\n{found} of {len(clips)} steps found ({found / len(clips):.2f}), order "
          f"{'right' if starts == sorted(starts) else 'wrong'}, {alike} of {len(clips)} counts within one of the clip's "
          f"own ({alike / len(clips):.2f}), workout: {workout['end_reason']}")


def reps_of(counted):
    return sum(len(row["repetitions"]) for row in counted["recordings"])


if __name__ == "__main__":
    main()
