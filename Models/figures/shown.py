#!/usr/bin/env python3
"""Measures what a person in front of the screen sees: which label is shown, when, how steadily, and which sets are logged.

usage: shown.py INDEX.csv CLASSIFIED

INDEX.csv has the columns label, file, dur (seconds), segments (what happens when) and group (who or which production).
CLASSIFIED/<label>/<file>.json is what `spotter classify --json` printed for each video. Prints Markdown. The range in
brackets holds nine of ten draws of as many groups, so that a figure that hangs on one group can be told.
"""
import csv
import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

from convert import FOLDERS, segments

EXERCISES = sorted(set(FOLDERS.values()))
# A clip's first window ends after this time, seconds. Later windows should all be right.
WINDOW = 2.0
DRAWS = 1000


class Clip:
    """One video, its truth, and what was shown."""

    def __init__(self, row, answer):
        self.name, self.group, self.seconds = row["file"], row["group"], float(row["dur"])
        self.exercise = FOLDERS.get(row["label"])
        self.windows = [window for window in answer["windows"] if window["label"] != "starting"]
        self.shown = Counter({name: count for name, count in answer["frame_counts"].items() if name in EXERCISES})
        self.sets = [one["label"] for one in answer["sets"]]
        found = segments(row["segments"], row["label"], self.seconds) if self.exercise else []
        self.spans = [one for one in found if one[0] in EXERCISES]

    @property
    def most_shown(self):
        return self.shown.most_common(1)[0][0] if self.shown else None

    @property
    def commonest(self):
        """What most windows say, be it an exercise or not."""
        return Counter(window["label"] for window in self.windows).most_common(1)[0][0] if self.windows else None

    @property
    def wrong_seconds(self):
        times = [window["end_s"] for window in self.windows]
        step = statistics.median(b - a for a, b in zip(times, times[1:])) if len(times) > 1 else 0
        return step * sum(window["label"] in EXERCISES for window in self.windows)

    def onsets(self):
        """For each span: seconds from its beginning to the first right window, or None."""
        for label, start, end in self.spans:
            yield next((window["end_s"] - start for window in self.windows
                        if window["label"] == label and start <= window["end_s"] <= end + 1), None)

    def within(self):
        """For each span with windows after the first two seconds: how many are right, how many there are, and how
        often the label changes."""
        for label, start, end in self.spans:
            names = [window["label"] for window in self.windows if start + WINDOW <= window["end_s"] <= end + 0.05]
            if names:
                times = [window["end_s"] for window in self.windows if start + WINDOW <= window["end_s"] <= end + 0.05]
                yield names.count(label), len(names), sum(a != b for a, b in zip(names, names[1:])), times[-1] - times[0]


def macro(clips, is_right):
    """The mean over the exercises of the share of right clips."""
    shares = defaultdict(list)
    for clip in clips:
        if clip.exercise:
            shares[clip.exercise].append(is_right(clip))
    return statistics.mean(statistics.mean(values) for values in shares.values()) if shares else float("nan")


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def measures(clips):
    """(name, value, text) of each line; the value may be compared between draws."""
    others = [clip for clip in clips if not clip.exercise]
    within = [one for clip in clips for one in clip.within()]
    onsets = [onset for clip in clips for onset in clip.onsets()]
    seen = [onset for onset in onsets if onset is not None]
    eligible = [span for clip in clips for span in clip.spans]
    logged = sum(min(len(clip.spans), clip.sets.count(clip.exercise)) for clip in clips if clip.exercise)
    extra = sum(max(0, clip.sets.count(clip.exercise) - len(clip.spans)) for clip in clips if clip.exercise)
    wrong = sum(name != clip.exercise for clip in clips if clip.exercise for name in clip.sets)
    false = sum(len(clip.sets) for clip in others)
    any_shown = sum(any(window["label"] in EXERCISES for window in clip.windows) for clip in others)
    right, windows = sum(one[0] for one in within), sum(one[1] for one in within)
    seconds = sum(clip.seconds for clip in others)
    return [
        ("the right label is shown most (mean over exercises)",
         *share(macro(clips, lambda clip: clip.most_shown == clip.exercise))),
        ("most windows are right (mean over exercises)",
         *share(macro(clips, lambda clip: clip.commonest == clip.exercise))),
        ("clips without an exercise in which one is shown", any_shown / max(1, len(others)),
         f"{any_shown} of {len(others)}"),
        ("seconds shown as an exercise in them", sum(clip.wrong_seconds for clip in others) / max(1, seconds),
         f"{sum(clip.wrong_seconds for clip in others):.1f} of {seconds:.0f}"),
        ("sets logged in them", false / max(1, seconds) * 3600, f"{false}"),
        ("windows right after the first two seconds", *share(right / max(1, windows))),
        ("changes of the label in ten seconds of an exercise",
         *number(10 * sum(one[2] for one in within) / max(1e-9, sum(one[3] for one in within)))),
        ("seconds until the label is shown: median", *number(statistics.median(seen) if seen else float("nan"))),
        ("… 90 %", *number(quantile(seen, 0.9))),
        ("… never shown", onsets.count(None) / max(1, len(onsets)), f"{onsets.count(None)} of {len(onsets)}"),
        ("sets of an exercise that are logged", logged / max(1, len(eligible)), f"{logged} of {len(eligible)}"),
        ("sets logged too many: split, of another exercise", (extra + wrong) / max(1, len(eligible)),
         f"{extra}, {wrong}"),
    ]


def share(value):
    return value, f"{100 * value:.1f} %"


def number(value):
    return value, f"{value:.2f}"


def spread(clips):
    """The 5th and the 95th percentile of each measure over draws of groups, with replacement."""
    groups, dice = defaultdict(list), random.Random(1)
    for clip in clips:
        groups[clip.group].append(clip)
    names = sorted(groups)
    draws = [[line[1] for line in measures([clip for name in dice.choices(names, k=len(names)) for clip in groups[name]])]
             for _ in range(DRAWS)]
    return [(quantile(values, 0.05), quantile(values, 0.95)) for values in zip(*draws)]


def main(index, classified):
    clips = []
    for row in csv.DictReader(open(index)):
        answer = Path(classified) / row["label"] / f"{row['file']}.json"
        if answer.exists() and answer.stat().st_size:
            clips.append(Clip(row, json.loads(answer.read_text())))
    print(f"| what is shown, {len(clips)} videos | | nine of ten draws of groups |\n|---|---|---|")
    for (name, value, text), (low, high) in zip(measures(clips), spread(clips)):
        is_share = text.endswith("%") or " of " in text
        shown = [f"{100 * bound:.1f} %" if is_share else f"{bound:.2f}" for bound in (low, high)]
        print(f"| {name} | {text} | {shown[0]} to {shown[1]} |")
    for clip in sorted(clips, key=lambda clip: (clip.exercise or "", clip.name)):
        if clip.exercise and clip.commonest != clip.exercise:
            print(f"\n{clip.exercise}, {clip.name}: most windows say {clip.commonest}, shown most {clip.most_shown}", end="")
        elif not clip.exercise and clip.shown:
            print(f"\nno exercise, {clip.name}: shown {dict(clip.shown)}", end="")
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
