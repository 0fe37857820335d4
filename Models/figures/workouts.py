#!/usr/bin/env python3
"""Measures a planned workout over real clips of strangers, put together to one video.

usage: workouts.py SPOTTER DATA [--clips 3] [--gap 3] [--keep FOLDER]

DATA/videos is the collection that convert.py describes. Of each exercise, so many clips of different groups are cut to
their labelled period, at most 20 s. Only clips in which `spotter count --action`, which is told the exercise, finds at
least four repetitions are taken. They are put together in turns, with a grey gap between them. The plan has a step of
three repetitions for each clip. What is done beyond them counts as long as the rest lasts, and the rest lasts as long as
the clip and the gap. Where a step is not found, the workout is done again without it, as if somebody had skipped it.

Prints Markdown: how many steps were found within their own clip, whether the order was right, and for how many the
workout counted as many repetitions, within one, as `spotter count` in the clip alone. The collection has no true counts;
those of RepCount are measured by figures.sh. Needs ffmpeg.
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
LONGEST, PLANNED = 20.0, 3
FIT = (f"scale={WIDTH}:{HEIGHT}:force_original_aspect_ratio=decrease,"
       f"pad={WIDTH}:{HEIGHT}:(ow-iw)/2:(oh-ih)/2:color=gray,fps={RATE},format=yuv420p,setsar=1")


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def spotter(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def candidates(data):
    """For each exercise, (file, start, seconds) of the longest period of each group."""
    clips = {}
    for row in csv.DictReader(open(data / "videos" / "index.csv")):
        label = FOLDERS.get(row["label"])
        if label is None or row["full"] != "yes":
            continue
        spans = [(start, end) for name, start, end in segments(row["segments"], row["label"], float(row["dur"]))
                 if name == label and end - start >= 6]
        for start, end in spans:
            known = clips.setdefault(label, {}).get(row["group"])
            if known is None or end - start > known[2]:
                file = data / "videos" / row["label"] / row["file"]
                clips[label][row["group"]] = (file, start, min(end - start, LONGEST))
    return {label: [groups[name] for name in sorted(groups)] for label, groups in sorted(clips.items())}


class Clip:
    """A part of a stranger's video, cut and counted."""

    def __init__(self, program, label, file, start, seconds, part):
        self.label, self.name, self.part = label, file.stem, part
        ffmpeg("-ss", start, "-t", seconds, "-i", file, "-an", "-vf", FIT, part)
        counted = json.loads(spotter(program, "count", part, "--action", label, "--json"))
        self.alone = sum(len(row["repetitions"]) for row in counted["recordings"])
        self.begin = self.end = 0.0

    @property
    def seconds(self):
        return float(subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", self.part], check=True,
            capture_output=True, text=True).stdout)


def chosen(program, data, each, folder):
    found = {}
    for label, files in candidates(data).items():
        for number, (file, start, seconds) in enumerate(files):
            if len(found.setdefault(label, [])) == each:
                break
            clip = Clip(program, label, file, start, seconds, folder / f"{label}-{number}.mp4")
            if clip.alone > PLANNED:
                found[label].append(clip)
    return [clips[turn] for turn in range(each) for clips in found.values() if turn < len(clips)]


def joined(program, clips, gap, folder):
    """The poses of all clips with a gap after each."""
    ffmpeg("-f", "lavfi", "-i", f"color=gray:s={WIDTH}x{HEIGHT}:r={RATE}", "-t", gap, folder / "gap.mp4")
    time = 0.0
    for clip in clips:
        clip.begin, clip.end = time, time + clip.seconds
        time = clip.end + gap
    parts = [part for clip in clips for part in (clip.part, folder / "gap.mp4")]
    (folder / "list.txt").write_text("".join(f"file '{part}'\n" for part in parts))
    ffmpeg("-f", "concat", "-safe", 0, "-i", folder / "list.txt", "-c", "copy", folder / "all.mp4")
    spotter(program, "poses", folder / "all.mp4", "-o", folder / "all.poses.jsonl")
    return folder / "all.poses.jsonl"


def workout(program, clips, gap, poses, folder):
    """The steps of a workout with these clips, and when it began."""
    rest = LONGEST + gap
    (folder / "plan.toml").write_text('name = "Strangers"\n' + "".join(
        f'[[step]]\naction = "{clip.label}"\nrepetitions = {PLANNED}\nrest_seconds = {rest}\n' for clip in clips))
    database = folder / "workout.db"
    for file in folder.glob("workout.db*"):
        file.unlink()
    spotter(program, "run", "--plan", folder / "plan.toml", "--source", poses, "--no-mqtt", "--quiet", "--database",
            database)
    done = json.loads(spotter(program, "history", "workouts", "--database", database, "--json"))[0]
    return done["steps"], moment(done["start"])


def is_found(clip, step, begin):
    """Whether a step began and was completed within its own clip."""
    return ("start" in step and step["complete"] and clip.begin - 1 <= moment(step["start"]) - begin
            and moment(step["end"]) - begin <= clip.end + 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spotter")
    parser.add_argument("data", type=Path)
    parser.add_argument("--clips", type=int, default=3)
    parser.add_argument("--gap", type=float, default=3)
    parser.add_argument("--keep", type=Path, help="a folder for the clips, the poses and the last workout")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = (given.keep or Path(name)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        clips = chosen(given.spotter, given.data, given.clips, folder)
        poses = joined(given.spotter, clips, given.gap, folder)
        left = list(clips)
        while True:
            steps, begin = workout(given.spotter, left, given.gap, poses, folder)
            missed = next((clip for clip, step in zip(left, steps) if not is_found(clip, step, begin)), None)
            if missed is None:
                break
            left.remove(missed)
    counts = {clip: step["reps"] for clip, step in zip(left, steps)}
    starts = [moment(step["start"]) for step in steps]
    print("| clip | exercise | step | repetitions | of the clip alone |\n|---|---|---|---|---|")
    for clip in clips:
        words = ("found", counts[clip]) if clip in counts else ("missed", "-")
        print(f"| {clip.name[:40]} | {clip.label} | {words[0]} | {words[1]} | {clip.alone} |")
    alike = sum(abs(count - clip.alone) <= 1 for clip, count in counts.items())
    print(f"\n{len(counts)} of {len(clips)} steps found ({len(counts) / len(clips):.2f}), order "
          f"{'right' if starts == sorted(starts) else 'wrong'}, counts within one of the clip's own: {alike} of "
          f"{len(counts)} ({alike / max(1, len(counts)):.2f})")


if __name__ == "__main__":
    main()
