#!/usr/bin/env python3
"""Measures how well actions are recognised in rendered crowds, person by person, beside clips of one person. Prints
Markdown.

    Models/figures/crowd_actions.py SPOTTER CROWDS SINGLES

CROWDS is a folder with crowd_*.mp4 and .json, SINGLES one with clips of one person (Tests/Fixtures/clips). A window
belongs to the person on whom its track was in four fifths of its pictures. It counts when one exercise fills four fifths
of it, and when half of the person is visible in as many pictures. "Right" is the highest probability, "shown right" what
a node shows.
"""
import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
import numpy as np
from angles import JOINTS
from ocsort import assigned

ROOT = Path(__file__).resolve().parent.parent.parent
EXERCISES = {'jumping_jack', 'squat', 'lunge', 'burpee', 'push_up', 'sit_up'}
# By these joints a track is matched with a person.
COMPARED = ['nose', *(f'{side}_{joint}' for side in ('left', 'right') for joint in ('shoulder', 'hip', 'knee', 'ankle'))]
# The share of a window that must hold, and the largest mean distance of joints in body sizes.
SHARE, DISTANCE = 0.8, 0.35


def recognise(spotter, clip, folder):
    """The windows and the pose stream of a clip, with windows for everyone."""
    settings = folder / 'everyone.toml'
    text = (ROOT / 'config.toml').read_text()
    for old, new in (('subjects = "prominent"', 'subjects = "everyone"'), ('= "Models', f'= "{ROOT}/Models'),
                     ('"deploy/plans"', f'"{ROOT}/deploy/plans"')):
        text = text.replace(old, new)
    settings.write_text(text)

    def run(*words):
        return subprocess.run([spotter, *words, '--config', settings], check=True, capture_output=True).stdout

    windows = json.loads(run('classify', clip, '--json'))['windows']
    stream = folder / 'poses.jsonl'
    stream.unlink(missing_ok=True)
    run('poses', clip, '-o', stream)
    _, *frames = map(json.loads, stream.read_text().splitlines())
    return windows, frames


def owners(truth, frames):
    """For each picture: its time, and the person on whom each track is."""
    rows = [truth['landmark_order'].index(name) for name in COMPARED]
    joints_of_pose = [JOINTS.index(name) for name in COMPARED]
    size = np.array([truth['width'], truth['height']])
    found = []
    for moment, frame in zip(truth['data'], frames):
        poses, people = frame['poses'], moment['people']
        costs = np.full((len(poses), len(people)), 9.0)
        for column, person in enumerate(people):
            if not person.get('in_view', True):
                continue
            joints = np.array(person['landmarks'], float)[rows, :2]
            height = np.ptp(joints, axis=0).max()
            for row, pose in enumerate(poses):
                seen = np.array(pose['keypoints'], float)[joints_of_pose, :2] * size
                costs[row, column] = np.hypot(*(seen - joints).T).mean() / max(height, 1)
        pairs = assigned(np.minimum(costs, 1)) if costs.size else []
        tracks = {poses[row]['track']: column for row, column in pairs if costs[row, column] < DISTANCE}
        found.append((moment['t'], tracks))
    return found


def exercise(person, start, end):
    """The exercise that fills the window, if any."""
    shares = Counter()
    for segment in person['segments']:
        overlap = min(end, segment['end']) - max(start, segment['start'])
        if segment['label'] in EXERCISES and overlap > 0:
            shares[segment['label']] += overlap
    label, seconds = shares.most_common(1)[0] if shares else (None, 0)
    return label if seconds >= SHARE * (end - start) else None


def score(truth, windows, frames):
    """Counts the windows of exercises, those that are right, and those that are shown right."""
    found, counts = owners(truth, frames), Counter()
    for window in windows:
        start, end = window['start_s'], window['end_s']
        inside = [(people, moment) for (t, people), moment in zip(found, truth['data']) if start <= t <= end]
        votes = Counter(people[window['track']] for people, _ in inside if window['track'] in people)
        if not votes or votes.most_common(1)[0][1] < SHARE * len(inside):
            continue
        person = votes.most_common(1)[0][0]
        label = exercise(truth['people'][person], start, end)
        visible = sum(moment['people'][person].get('visible', 1) >= 0.5 for _, moment in inside)
        if label and visible >= SHARE * len(inside):
            counts.update(windows=1, right=window['raw_label'] == label, shown=window['label'] == label)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('spotter', 'crowds', 'singles'):
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    arguments = parser.parse_args()
    print('| clips | windows of an exercise | right | shown right |\n|---|---:|---:|---:|')
    with tempfile.TemporaryDirectory() as folder:
        for title, clips, is_wanted in (('one person', arguments.singles.glob('*_*.mp4'), lambda people: people == 1),
                                        ('crowds', arguments.crowds.glob('crowd_*.mp4'), lambda people: people > 1)):
            measure(title, clips, arguments.spotter, Path(folder), is_wanted)


def measure(title, clips, spotter, folder, is_wanted):
    """Prints the row of all clips with a wanted number of people."""
    total = Counter()
    for clip in sorted(clips):
        truth = json.loads(clip.with_suffix('.json').read_text())
        if is_wanted(len(truth['people'])):
            total += score(truth, *recognise(spotter, clip, folder))
    windows = total['windows']
    right, shown = (f'{100 * total[key] / windows:.0f} %' if windows else '–' for key in ('right', 'shown'))
    print(f'| {title} | {windows} | {right} | {shown} |', flush=True)


if __name__ == '__main__':
    main()
