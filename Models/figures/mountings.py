#!/usr/bin/env python3
"""Measures what a camera sees from several heights, sides and distances: the exercise, the repetitions and the measures of form.

usage: mountings.py SPOTTER [--measures]

Clips are those of Tests/Fixtures/render/out/mountings (`render.sh --mountings`): one rendered person for each exercise, ten
seconds. `spotter classify` looks at each.

right     share of the windows of the exercise with the right label, as shown
counted   repetitions, and those of the truth that end half a second before the clip does
measures  with --measures: for each measure and side, the repetitions with a reading; and the mean reading from each height, which
          should be the same everywhere, since the person does the same. Beside the knee's bend stands the true one
"""
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys

RENDERED = pathlib.Path(__file__).resolve().parents[2] / 'Tests/Fixtures/render/out/mountings'
LAST = .5                       # seconds
SIDES = {0: 'front', 45: 'turned', 90: 'side', 180: 'back'}


class Clip:
    def __init__(self, spotter, file):
        exercise, azimuth, height, distance = file.stem.rsplit('-', 3)
        self.exercise, self.side = exercise, SIDES[int(azimuth)]
        self.height, self.distance = int(height) / 10, int(distance) / 10
        told = json.loads(subprocess.run([spotter, 'classify', file, '--json'], check=True, capture_output=True).stdout)
        shown = [window['label'] for window in told['windows']]
        self.windows = len(shown)
        self.right = sum(label == exercise for label in shown)
        self.counted = told['reps'].get(exercise, 0)
        truth = json.loads(file.with_suffix('.json').read_text())
        end = truth['frames'] / truth['fps'] - LAST
        self.true = sum(one['end'] <= end for one in truth['people'][0]['repetitions'])
        self.measures, self.values = collections.Counter(), collections.defaultdict(list)
        self.knee = true_knee(truth) if exercise == 'squat' else None
        for segment in told['segments']:
            for repetition in segment.get('repetitions', []) if segment['label'] == exercise else []:
                for name, measure in repetition.get('measures', {}).items():
                    self.measures[name, 'value' in measure] += 1
                    if 'value' in measure:
                        self.values[name].append(measure['value'])


def true_knee(truth):
    """Degrees by which the knees are bent where the hips are lowest, on average of the repetitions."""
    order, camera = truth['landmark_order'], truth['camera']
    bends = []
    for one in truth['people'][0]['repetitions']:
        frame = round(one['extreme'] * truth['fps'])
        if frame >= truth['frames']:
            continue
        points = truth['data'][frame]['people'][0]['landmarks']
        for side in ('left', 'right'):
            hip, knee, ankle = (
                ((x - camera['cx']) * z / camera['focal_px'], (y - camera['cy']) * z / camera['focal_px'], z)
                for x, y, z, *_ in (points[order.index(f'{side}_{joint}')] for joint in ('hip', 'knee', 'ankle')))
            up, down = ([a - b for a, b in zip(end, knee)] for end in (hip, ankle))
            cosine = sum(a * b for a, b in zip(up, down)) / (math.hypot(*up) * math.hypot(*down))
            bends.append(180 - math.degrees(math.acos(cosine)))
    return statistics.mean(bends)


def row(name, clips):
    windows, right = sum(clip.windows for clip in clips), sum(clip.right for clip in clips)
    within = sum(abs(clip.counted - clip.true) <= 1 for clip in clips)
    share = f'{100 * right / windows:.0f} %' if windows else '–'
    print(f'| {name} | {len(clips)} | {share} | {sum(c.counted for c in clips)} of {sum(c.true for c in clips)} | '
          f'{within} of {len(clips)} |')


def table(title, clips, key):
    groups = collections.defaultdict(list)
    for clip in clips:
        groups[key(clip)].append(clip)
    print(f'\n| {title} | clips | right | counted | within one |\n|---|---:|---:|---:|---:|')
    for name in groups:
        row(name, groups[name])


def measures(clips):
    sides = list(SIDES.values())
    print(f'\n| exercise | measure | {" | ".join(sides)} |\n|---|---|{"---:|" * len(sides)}')
    names = sorted({(clip.exercise, name) for clip in clips for name, _ in clip.measures})
    for exercise, name in names:
        cells = []
        for side in sides:
            found = [clip.measures for clip in clips if (clip.exercise, clip.side) == (exercise, side)]
            read, missed = (sum(one[name, is_read] for one in found) for is_read in (True, False))
            cells.append(f'{read} of {read + missed}' if read + missed else '–')
        print(f'| {exercise} | `{name}` | {" | ".join(cells)} |')


def readings(clips):
    heights = sorted({clip.height for clip in clips})
    print(f'\n| reading | side | {" | ".join(f"{height} m" for height in heights)} |\n|---|---|{"---:|" * len(heights)}')
    for exercise, name in (('squat', 'knee_flexion'), ('squat', 'trunk_lean'), ('squat', 'hip_drop'), ('lunge', 'knee_flexion'),
                           ('push_up', 'body_bend'), ('push_up', 'shoulder_drop'), ('sit_up', 'trunk_rise'),
                           ('jumping_jack', 'hand_height')):
        for side in SIDES.values():
            cells = []
            for height in heights:
                found = [clip for clip in clips if (clip.exercise, clip.side, clip.height) == (exercise, side, height)]
                values = [value for clip in found for value in clip.values[name]]
                cells.append(f'{statistics.mean(values):.2f}' if values else '–')
            print(f'| {exercise} `{name}` | {side} | {" | ".join(cells)} |')
    knees = [clip.knee for clip in clips if clip.knee]
    if knees:
        print(f'\nThe knees of the squats are truly bent by {statistics.mean(knees):.1f} degrees.')


def main():
    files = [file for file in sorted(RENDERED.glob('*.mp4')) if not file.stem.endswith('.part')]
    if not files:
        sys.exit('mountings.py: no clips; run Tests/Fixtures/render/render.sh --mountings')
    clips = [Clip(sys.argv[1], file) for file in files]
    usual = [clip for clip in clips if clip.distance == 4]
    table('height', usual, lambda clip: f'{clip.height} m')
    table('side', usual, lambda clip: clip.side)
    table('exercise', usual, lambda clip: clip.exercise)
    table('exercise, height', usual, lambda clip: f'{clip.exercise}, {clip.height} m')
    table('exercise, side', usual, lambda clip: f'{clip.exercise}, {clip.side}')
    table('distance', [clip for clip in clips if clip.side == 'turned' and clip.height == 1.2],
          lambda clip: f'{clip.distance} m')
    if '--measures' in sys.argv:
        measures(usual)
        readings(usual)


if __name__ == '__main__':
    main()
