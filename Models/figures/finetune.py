#!/usr/bin/env python3
"""Measures the gain from one's own clips: trains the shipped model further on a few clips a label, tests on all others.

usage: finetune.py SPOTTER MODEL COLLECTION [--clips 10 50] [--seeds 1 2 3]

COLLECTION is a folder of clips per label, such as penn/ of convert.py. --clips is the number of training clips for
each exercise; `other` gets twice as many. The rest of the collection is for testing. Each seed draws other clips.
Prints Markdown: seconds of the whole training, mean recall, what is reported at the thresholds, and false reports,
each as the mean and the range over the seeds.
"""
from further import labels, link, measure, options, spread


def draw(collection, count, seed, folder):
    """Links `count` clips of each exercise below folder/learn, and all others below folder/judge."""
    for label, clips in labels(collection, seed):
        learned = 2 * count if label.name in ("other", "none") else count
        for index, clip in enumerate(clips):
            link(clip, folder / ("learn" if index < learned else "judge") / label.name)


def main():
    chosen = options(__doc__, clips=[10, 50], seeds=[1, 2, 3])
    print("| own clips a label | seconds | recall before | recall after | reported after | false reports before | after |")
    print("|---|---|---|---|---|---|---|")
    for count in chosen.clips:
        rows = [measure(chosen, draw, count, seed) for seed in chosen.seeds]
        print(
            f"| {count} | {spread([s for s, _, _ in rows], 1, '')} | {spread([b['macro_recall'] for _, b, _ in rows])} "
            f"| {spread([a['macro_recall'] for _, _, a in rows])} "
            f"| {spread([a['macro_reported_recall'] for _, _, a in rows])} "
            f"| {spread([b['false_reports'] for _, b, _ in rows])} | {spread([a['false_reports'] for _, _, a in rows])} |",
            flush=True)


main()
