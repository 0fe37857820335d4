#!/usr/bin/env python3
"""Measures exercises that the model does not know, learned from a few clips with the defaults of `spotter train --from`.

    python3 Models/figures/newlabels.py SPOTTER MODEL COLLECTION --clips 5 10 20 --seeds 1 2 3

COLLECTION is penn/ of convert.py. Four of its actions become labels of their own: golf swings, bowling, tennis serves, and
strumming a guitar, in which only the arms move. Each seed draws other clips of them to learn; all others judge, together with the known exercises and the rest of
`other`. Prints Markdown, each figure as the mean and the range over the seeds: seconds of the training; recall of the new
labels and what is reported of them; how much the recall of the old labels falls; false reports. With `--teach` they are learned by
`spotter teach`, which films each clip again from other sides.
"""
from further import further_training, labels, link, measure, options, spread

NEW = ("golf_swing", "bowl", "tennis_serve", "strum_guitar")


def draw(collection, count, seed, folder):
    """Links `count` clips of each new label below folder/learn, and all others below folder/judge."""
    drawn = dict.fromkeys(NEW, 0)
    for label, clips in labels(collection, seed):
        for clip in clips:
            new = next((action for action in NEW if clip.name.startswith(action + "_")), None)
            learns = new and drawn[new] < count
            if learns:
                drawn[new] += 1
            link(clip, folder / ("learn" if learns else "judge") / (new or label.name))


def mean(clips, figure, new):
    rows = [row[figure] for row in clips["exercises"] if (row["label"] in NEW) == new]
    return sum(rows) / max(len(rows), 1)


def teaching(chosen, folder, own, seed):
    """The command that teaches one of the clips, beside the others that lie in the folder."""
    clip = next((folder / "learn" / NEW[0]).iterdir()).rename(folder / "first.poses.jsonl")
    return [chosen.spotter, "teach", NEW[0], clip, "--kept", folder / "learn", "--from", chosen.model, "--seed", str(seed), "-o", own]


def main():
    chosen = options(__doc__, clips=[5, 10, 20], seeds=[1, 2, 3], extend=lambda parser: parser.add_argument(
        "--teach", action="store_true", help="learn by `spotter teach`"))
    command = teaching if chosen.teach else further_training
    print("| clips a new label | seconds | recall, new | reported, new | recall, old, falls by | false reports |")
    print("|---|---|---|---|---|---|")
    for count in chosen.clips:
        rows = []
        for seed in chosen.seeds:
            seconds, before, after = measure(chosen, draw, count, seed, command)
            rows.append((
                seconds, mean(after, "recall", True), mean(after, "reported_recall", True),
                mean(before, "recall", False) - mean(after, "recall", False), after["false_reports"]))
        columns = list(zip(*rows))
        print(f"| {count} | {spread(columns[0], 1, '')} | " + " | ".join(spread(c) for c in columns[1:]) + " |", flush=True)


main()
