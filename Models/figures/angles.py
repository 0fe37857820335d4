#!/usr/bin/env python3
"""Measures joint angles, scores of repeated views and cues on people whose joints are known.

usage: angles.py SPOTTER [RENDERED...] [--clips N]

Synthetic people of `spotter synthesize --joints` are seen from the front, from 45° and from the side. RENDERED are folders
of rendered videos with a JSON file of exact joints beside each. Printed are the mean error and the bias of the angle at the
extreme, by exercise, view and joint, and the intraclass correlation ICC(2,1) of range and tempo between cameras.
"""
import argparse
import collections
import json
import math
import pathlib
import subprocess
import tempfile

import numpy as np

JOINTS = ('nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist right_hip right_knee '
          'right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear').split()
ANGLES = {'knee_flexion': ('hip', 'knee', 'ankle'), 'hip_flexion': ('shoulder', 'hip', 'knee'),
          'elbow_flexion': ('shoulder', 'elbow', 'wrist'), 'shoulder_elevation': ('hip', 'shoulder', 'elbow')}
# The angle that stands for the exercise's range of motion.
RANGE = {'squat': ['knee_flexion', 'hip_flexion'], 'lunge': ['knee_flexion'], 'sit_up': ['hip_flexion'],
         'jumping_jack': ['shoulder_elevation']}
UP = np.array([0, 1, 0])
VIEWS = (('front', 0), ('45 degrees', 45), ('side', 90))


def angle(a, b, c):
    u, v = a - b, c - b
    cosine = (u * v).sum(-1) / np.maximum(np.linalg.norm(u, axis=-1) * np.linalg.norm(v, axis=-1), 1e-9)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def truth(joints, name, frame):
    """The angle at the extreme: the strongest within a quarter of a second, the mean of both sides."""
    low, high = max(0, frame - 7), min(len(joints), frame + 8)
    sides = []
    for side in ('right', 'left'):
        a, b, c = (joints[low:high, JOINTS.index(f'{side}_{joint}')] for joint in ANGLES[name])
        # A leg that kneels is not measured.
        if name == 'knee_flexion' and (UP * (b - c)[frame - low]).sum() < 0.5 * np.linalg.norm((b - c)[frame - low]):
            continue
        bend = angle(a, b, c)
        sides.append(bend.max() if name == 'shoulder_elevation' else 180 - bend.min())
    return float(np.mean(sides)) if sides else None


def count(spotter, action, files):
    result = subprocess.run([spotter, 'count', '--action', action, '--json', *map(str, files)],
                            capture_output=True, text=True, check=True)
    return json.loads(result.stdout)['recordings']


def icc(table):
    """ICC(2,1) of a table [subjects, raters]."""
    table = np.asarray(table, float)
    n, k = table.shape
    mean = table.mean()
    rows = k * ((table.mean(1) - mean) ** 2).sum() / (n - 1)
    columns = n * ((table.mean(0) - mean) ** 2).sum() / (k - 1)
    rest = table - table.mean(1, keepdims=True) - table.mean(0, keepdims=True) + mean
    error = (rest ** 2).sum() / ((n - 1) * (k - 1))
    return (rows - error) / (rows + (k - 1) * error + k * (columns - error) / n)


class Errors:
    def __init__(self):
        self.found = collections.defaultdict(list)
        self.asked = collections.Counter()

    def add(self, repetition, joints, rate, key, names):
        for name in names:
            measure = repetition['measures'].get(name)
            self.asked[key + (name,)] += 1
            if not measure or measure.get('value') is None:
                continue
            true = truth(joints, name, min(round(repetition['extreme_s'] * rate), len(joints) - 1))
            if true is None:
                continue
            self.found[key + (name,)].append((measure['value'] - true, measure['uncertainty']))

    def print(self):
        print(f"{'exercise':14}{'view':14}{'angle':20}{'read':>6}{'of':>6}{'error':>7}{'bias':>7}{'stated':>8}")
        every = []
        for key, asked in sorted(self.asked.items()):
            rows = np.array(self.found.get(key, []))
            if len(rows):
                every.append(rows)
                print(f'{key[0]:14}{key[1]:14}{key[2]:20}{len(rows):6}{asked:6}{abs(rows[:, 0]).mean():7.1f}'
                      f'{rows[:, 0].mean():7.1f}{rows[:, 1].mean():8.1f}')
            else:
                print(f'{key[0]:14}{key[1]:14}{key[2]:20}{0:6}{asked:6}')
        if every:
            rows = np.concatenate(every)
            print(f'all: {len(rows)} readings, mean error {abs(rows[:, 0]).mean():.1f}°, bias {rows[:, 0].mean():.1f}°')


def clips_of(spotter, folder, action, clips, seed, yaw):
    """Synthetic people: pairs of a pose stream and the exact joints [frames, 18, 3] in metres, y up."""
    known = subprocess.run([spotter, 'synthesize', '--list'], capture_output=True, text=True, check=True).stdout
    motions = [line.split()[0] for line in known.splitlines()[1:] if line.split()[1] == action]
    out = folder / f'{action}-{seed}-{yaw}'
    chosen = [flag for name in motions for flag in ('--motion', name)]
    subprocess.run([spotter, 'synthesize', *chosen, '--clips', str(clips), '--seconds', '12', '--seed', str(seed),
                    '--yaw', str(yaw), '--joints', '-o', str(out)], capture_output=True, check=True)
    return [(file, np.array(json.loads(file.with_name(file.name.replace('.poses.jsonl', '.joints.json')).read_text())))
            for file in sorted((out / action).glob('*.poses.jsonl'))]


def synthetic(spotter, folder, clips):
    errors = Errors()
    for action, names in RANGE.items():
        for view, yaw in VIEWS:
            found = clips_of(spotter, folder, action, clips, 77, yaw)
            for (_, joints), recording in zip(found, count(spotter, action, [file for file, _ in found])):
                for repetition in recording['repetitions']:
                    errors.add(repetition, joints, 30, (action, view), names)
    print('\nSynthetic people, errors of a typical detector')
    errors.print()


def rendered(spotter, folders):
    errors = Errors()
    for truth_file in sorted(file for folder in folders for file in folder.glob('*.json')):
        video = truth_file.with_suffix('.mp4')
        data = json.loads(truth_file.read_text())
        actions = {one['exercise'] for person in data.get('people', []) for one in person.get('repetitions', [])}
        if len(actions) != 1 or not actions <= set(RANGE) or not video.exists() or len(data['people']) != 1:
            continue
        action = actions.pop()
        camera, order = data['camera'], data['landmark_order']
        points = np.array([[p[:3] for p in frame['people'][0]['landmarks']] for frame in data['data']], float)
        depth = points[..., 2]
        space = np.stack([(points[..., 0] - camera['cx']) / camera['focal_px'] * depth,
                          (points[..., 1] - camera['cy']) / camera['focal_px'] * depth, depth], -1) * [1, -1, 1]
        joints = np.zeros((len(space), len(JOINTS), 3))
        for index, name in enumerate(JOINTS):
            if name in order:
                joints[:, index] = space[:, order.index(name)]
        for recording in count(spotter, action, [video]):
            for repetition in recording['repetitions']:
                errors.add(repetition, joints, data.get('fps', 30), (action, data['view']), RANGE[action])
    print('\nRendered people, through the pose networks')
    errors.print()


def agreement(spotter, folder, clips, cameras=4):
    # With other seeds the detector errs differently.
    print(f'\nThe same motion from {cameras} cameras between the front and the side: ICC(2,1)')
    for action, measure in (('squat', 'knee_flexion'), ('lunge', 'knee_flexion'), ('push_up', 'shoulder_drop'),
                            ('jumping_jack', 'wrist_rise'), ('sit_up', 'trunk_rise')):
        files = []
        for number, yaw in enumerate((15, 40, 65, 90)[:cameras]):
            out = folder / f'icc-{action}-{number}'
            subprocess.run([spotter, 'synthesize', '--motion', action, '--clips', str(clips), '--seconds', '15',
                            '--seed', '5', '--camera-seed', str(number), '--yaw', str(yaw),
                            '--joints', '-o', str(out)], capture_output=True, check=True)
            files.append(sorted((out / action).glob('*.poses.jsonl')))
        recordings = [count(spotter, action, found) for found in files]
        ranges, tempos = [], []
        for views in zip(*recordings):
            values = [[r['measures'].get(measure, {}).get('value') for r in view['repetitions']] for view in views]
            values = [[v for v in view if v is not None] for view in values]
            if all(values):
                ranges.append([np.median(view) for view in values])
            seconds = [[r['measures']['seconds']['value'] for r in view['repetitions']] for view in views]
            if all(seconds):
                tempos.append([np.median(view) for view in seconds])
        text = f'{action:14}'
        for name, table in ((measure, ranges), ('seconds', tempos)):
            text += f'  {name} {icc(table):.2f} ({len(table)} people)' if len(table) > 2 else f'  {name} -'
        print(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('spotter')
    parser.add_argument('rendered', nargs='*')
    parser.add_argument('--clips', type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        synthetic(options.spotter, pathlib.Path(folder), options.clips)
        agreement(options.spotter, pathlib.Path(folder), 3 * options.clips)
    if options.rendered:
        rendered(options.spotter, [pathlib.Path(folder) for folder in options.rendered])


if __name__ == '__main__':
    main()
