#!/usr/bin/env python3
"""Measures the exercises beyond the first six: how many clips of each show its name, and what clips of something else show.

    python3 Models/figures/named.py SPOTTER MODEL VIDEOS [PENN]

VIDEOS/<folder>/<file>.poses.jsonl are the poses of videos, in the folders of the collection's index; PENN/<label>/<action>_<number>.poses.jsonl
are Penn Action's, as `convert.py` writes them. A clip is right when its own exercise is shown in more windows than any other. Prints
Markdown.
"""
import concurrent.futures
import sys
from collections import Counter, defaultdict
from pathlib import Path

from convert import FOLDERS, NAMED
from sets import classified

FIRST = set(FOLDERS.values())
NO_EXERCISE = {"none", "other", "low_confidence", "no_person", "starting"}
VIDEOS = FOLDERS | NAMED | dict(plank="plank")
ACTIONS = dict(pullup="pull_up", jump_rope="jump_rope", bench_press="bench_press", clean_and_jerk="clean")


def shown(answer):
    """The exercise that most windows show, or None."""
    names = Counter(window["label"] for window in answer["windows"] if window["label"] not in NO_EXERCISE)
    return names.most_common(1)[0][0] if names else None


def exercise(clip, folders):
    """What a clip shows; None for nothing that has a name."""
    # The folder of planks also holds side planks.
    if "Side_Plank" in clip.name:
        return "side_plank"
    if clip.parent.name in folders:
        return folders[clip.parent.name]
    return ACTIONS.get(clip.name.rsplit("_", 1)[0]) if clip.parent.name == "other" else None


def measure(title, spotter, model, clips, folders):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda clip: classified(spotter, model, clip), clips))
    clips = [(exercise(clip, folders), answer) for clip, answer in zip(clips, answers) if answer]
    named, sets, total, wrong = Counter(), Counter(), Counter(), defaultdict(Counter)
    others = [answer for label, answer in clips if label not in FIRST]
    strangers = [answer for label, answer in clips if label is None]
    for label, answer in clips:
        if label is None:
            continue
        top = shown(answer)
        total[label] += 1
        named[label] += top == label
        sets[label] += any(one["label"] == label for one in answer["sets"])
        wrong[label][top or "nothing"] += top != label
    print(f"| {title} | clips | shown most | with a set | instead |")
    print("|---|---|---|---|---|")
    for label in sorted(total):
        instead = ", ".join(f"{count} {name}" for name, count in wrong[label].most_common(3) if count)
        print(f"| {label} | {total[label]} | {named[label]} | {sets[label]} | {instead or '–'} |")
    new = [label for label in total if label not in FIRST]
    if new:
        mean = sum(named[label] / total[label] for label in new) / len(new)
        print(f"\nBeyond the first six: {100 * mean:.1f} % of a label's clips are right in the mean of {len(new)}.")
    hit = sum(any(window["label"] in FIRST for window in answer["windows"]) for answer in others)
    print(f"One of the first six is shown in {hit} of {len(others)} other clips, in most windows of "
          f"{sum(commonest(answer) in FIRST for answer in others)}, and has a set in "
          f"{sum(any(one['label'] in FIRST for one in answer['sets']) for answer in others)}.")
    print(f"Some exercise is shown in most windows of "
          f"{sum(commonest(answer) not in NO_EXERCISE for answer in strangers)} of {len(strangers)} clips of what has no name.\n")


def commonest(answer):
    """What most windows show, be it an exercise or not."""
    names = Counter(window["label"] for window in answer["windows"])
    return names.most_common(1)[0][0] if names else "none"


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    spotter, model, videos, *penn = sys.argv[1:]
    measure("videos", spotter, model, sorted(Path(videos).glob("*/*.poses.jsonl")), VIDEOS)
    if penn:
        known = {label: label for label in FIRST}
        measure("Penn Action", spotter, model, sorted(Path(penn[0]).glob("*/*.poses.jsonl")), known)
