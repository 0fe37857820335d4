#!/usr/bin/env python3
"""Fits the weights of LinkEvidence to comparisons of people in rendered crowds.

    spotter evaluate --tracking CROWD.mp4 --truth CROWD.json --link-samples samples.csv
    python3 crowd/fit_links.py samples.csv [MORE.csv] [--held-out TEXT]

Prints the weights of a logistic regression, and how often it is right. Recordings whose name contains TEXT are not
learned from.
"""
import argparse
import csv

import numpy as np

RIDGE = .02


def read(paths):
    """The clips, the differences and whether both were one person; the names of the differences."""
    rows = [row for path in paths for row in csv.DictReader(open(path))]
    names = [name for name in rows[0] if name not in ('clip', 'same')]
    values = np.array([[float(row[name]) for name in names] for row in rows])
    return np.array([row['clip'] for row in rows]), values, np.array([int(row['same']) for row in rows]), names


def fit(values, same):
    """The weights, and what is added, by Newton's method."""
    mean, spread = values.mean(0), values.std(0) + 1e-6
    inputs = np.c_[(values - mean) / spread, np.ones(len(values))]
    ridge = np.r_[np.full(values.shape[1], RIDGE), 1e-6]
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - same) / len(same) + ridge * weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs / len(same) + np.diag(ridge)
        weights -= np.linalg.solve(bend, slope)
    scaled = weights[:-1] / spread
    return scaled, weights[-1] - (scaled * mean).sum()


def report(title, values, same, weights, bias):
    """How often the comparisons are right that say so."""
    found = values @ weights + bias > 0
    right = (found & (same == 1)).sum()
    print(f'{title}: {len(same)} comparisons, {same.sum()} of one person; of {found.sum()} found, {right} are right')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('samples', nargs='+', help='files of spotter evaluate --link-samples')
    parser.add_argument('--held-out', default='\n', help='recordings whose name contains this are not learned from')
    arguments = parser.parse_args()
    clips, values, same, names = read(arguments.samples)
    held_out = np.array([arguments.held_out in clip for clip in clips])
    weights, bias = fit(values[~held_out], same[~held_out])
    print(' '.join(f'{name} {weight:.2f}' for name, weight in zip(names, weights)), f'bias {bias:.2f}')
    report('learned', values[~held_out], same[~held_out], weights, bias)
    if held_out.any():
        report('held out', values[held_out], same[held_out], weights, bias)


if __name__ == '__main__':
    main()
