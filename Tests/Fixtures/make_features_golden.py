#!/usr/bin/env python3
"""Writes features_golden.json: a window of poses and the features an independent program computes from it.

Run it again after a change of the feature version:  python3 Tests/Fixtures/make_features_golden.py
It needs numpy and works in double precision; PoseFeatures.swift works in single, so the test allows 2e-4.
The formulas are those of Sources/Node/Actions/PoseFeatures.swift, written from their description, not from its code.
"""
import json
import math
import pathlib
import numpy as np

FRAMES, JOINTS, ASPECT = 60, 18, 16 / 9
BONES = [(2, 3), (3, 4), (5, 6), (6, 7), (8, 9), (9, 10), (11, 12), (12, 13)]


def window():
    """A person who sways, squats and waves, with gaps of every kind; rounded as it is stored."""
    stand = [(0, .95), (0, .82), (-.1, .82), (-.15, .62), (-.17, .45), (.1, .82), (.15, .62), (.17, .45), (-.07, .5),
             (-.08, .26), (-.08, .03), (.07, .5), (.08, .26), (.08, .03), (-.03, .97), (.03, .97), (-.06, .95), (.06, .95)]
    points = np.zeros((FRAMES, JOINTS, 3))
    for t in range(FRAMES):
        bend = (1 - math.cos(t / 6)) / 2
        for j, (x, y) in enumerate(stand):
            if j not in (10, 13):
                y -= .2 * bend
            if j in (4, 7):
                y += .4 * math.sin(t / 4)
            points[t, j] = (.5 + .05 * math.sin(t / 9) + .4 * x + .003 * math.sin(7 * t + j), .9 - .5 * y, .55 + .4 * math.sin(t + j) ** 2)
    points[:, 16] = 0                                   # never seen
    points[0:5, 4] = 0                                  # not yet seen
    points[50:60, 7] = 0                                # no longer seen
    points[20:30, 8] = 0                                # a gap in one hip
    points[33:36] = 0                                   # nobody at all
    points[40, 12, 2] = .05                             # too unsure to count
    return np.round(points, 5)


def fill(track, sure):
    """Linear in time between sightings, held at the ends."""
    times = np.flatnonzero(sure)
    return np.stack([np.interp(np.arange(len(track)), times, track[times, axis]) for axis in range(2)], -1)


def features(points, aspect):
    sure = points[..., 2] >= .1
    xy = points[..., :2] * [aspect, -1]
    seen = sure.any(0)
    filled = np.full_like(xy, np.nan)
    for j in np.flatnonzero(seen):
        filled[:, j] = fill(xy[:, j], sure[:, j])
    root = np.nanmean(filled[:, [8, 11]], 1)
    neck = filled[:, 1]
    extent = (np.nanmax(filled, 1) - np.nanmin(filled, 1)).max(-1)
    size = np.median(np.maximum(np.linalg.norm(neck - root, axis=-1), .3 * extent))
    joints = np.clip(np.nan_to_num((filled - root[:, None]) / size), -6, 6)
    way = np.clip((root - root.mean(0)) / size, -6, 6)
    bones = np.stack([joints[:, b] - joints[:, a] for a, b in BONES], 1)
    moving = np.concatenate([joints.reshape(FRAMES, 36), way], 1)
    speed = np.zeros_like(moving)
    speed[1:-1] = np.clip(5 * (moving[2:] - moving[:-2]), -4, 4)
    confidence = np.where(sure, points[..., 2], 0)
    return np.concatenate([moving, bones.reshape(FRAMES, 16), speed, confidence], 1)


def main():
    points = window()
    result = features(points, ASPECT)
    assert result.shape == (FRAMES, 110) and np.isfinite(result).all()
    kept = [0, 1, 4, 21, 33, 34, 40, 58, 59]            # enough frames to cover every rule in a small file
    golden = {"aspect": ASPECT, "keypoints": points.ravel().tolist(), "frames": kept,
              "features": np.round(result[kept], 5).ravel().tolist()}
    path = pathlib.Path(__file__).with_name("features_golden.json")
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
