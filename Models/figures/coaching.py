#!/usr/bin/env python3
"""Measures how well correct repetitions are told from incorrect ones, and how often a cue is wrong.

usage: coaching.py SPOTTER DATA

DATA is a folder with mocap/ui_prmd_vicon_positions_33hz.npz and keypoints/pushfit_mediapipe.npz; what is missing is left out.
Cues are counted on synthetic people, whose true measurements are known, and on UI-PRMD's correct repetitions.
UI-PRMD's people are filmed from the front, from 45° and from the side. Each person is judged beside the correct repetitions
of another one, as beside those of a coach. Printed is the area under the ROC curve: of the coaching hint, of the distance
from the coach, and of a logistic regression on all measures that has not seen the person (push-ups: the fifth).
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import angles
from angles import JOINTS

HERE = pathlib.Path(__file__).resolve().parent
ACTIONS = {'deep_squat': 'squat', 'inline_lunge': 'lunge', 'side_lunge': 'lunge'}
CERTAINTY = 1.65


def auc(scores, wrong):
    scores, wrong = np.asarray(scores, float), np.asarray(wrong, bool)
    known = np.isfinite(scores)
    scores, wrong = scores[known], wrong[known]
    if wrong.all() or not wrong.any():
        return float('nan')
    order = scores.argsort(kind='stable')
    ranks = np.empty(len(scores))
    for value in np.unique(scores):
        ranks[scores == value] = (np.flatnonzero(scores[order] == value) + 1).mean()
    positive = wrong.sum()
    return (ranks[wrong].sum() - positive * (positive + 1) / 2) / (positive * (len(wrong) - positive))


def logistic(features, wrong, groups):
    """The score of each row by a regression that was fitted to the other groups."""
    scores = np.full(len(wrong), np.nan)
    for group in np.unique(groups):
        test = groups == group
        mean = np.nanmean(features[~test], 0)
        filled = np.where(np.isfinite(features), features, mean)
        filled = np.nan_to_num(filled)
        low, high = np.percentile(filled[~test], [2, 98], axis=0)
        filled = np.clip(filled, low, high)
        filled = (filled - filled[~test].mean(0)) / np.maximum(filled[~test].std(0), 1e-6)
        data = np.c_[filled, np.ones(len(filled))]
        weights = np.zeros(data.shape[1])
        for _ in range(50):
            p = 1 / (1 + np.exp(-data[~test] @ weights))
            gradient = data[~test].T @ (p - wrong[~test]) + 2.0 * np.r_[weights[:-1], 0]
            curve = (data[~test] * (p * (1 - p))[:, None]).T @ data[~test] + np.diag(np.r_[2.0 * np.ones(len(weights) - 1), 1e-6])
            weights -= np.linalg.solve(curve, gradient)
        scores[test] = data[test] @ weights
    return scores


def stream(path, places, aspect=16 / 9, rate=30.0, confidence=None):
    """[frames, 18, 2] in fractions of the picture as a pose stream."""
    header = dict(format='spotter.poses', version=1, joints=JOINTS, rate_hz=rate, width=1280, height=round(1280 / aspect),
                  source='figures')
    with open(path, 'w') as file:
        file.write(json.dumps(header) + '\n')
        for frame, pose in enumerate(places):
            sure = confidence[frame] if confidence is not None else np.ones(18)
            points = [[round(float(x), 5), round(float(y), 5), round(float(c), 3)] for (x, y), c in zip(pose, sure)]
            file.write(json.dumps(dict(t=round(frame / rate, 4), poses=[dict(track=1, keypoints=points)])) + '\n')


def count(spotter, action, file, references=None):
    more = ['--references', str(references)] if references else []
    result = subprocess.run([spotter, 'count', '--action', action, '--json', *more, str(file)], capture_output=True,
                            text=True, check=True)
    return json.loads(result.stdout)['recordings'][0]['repetitions']


def filmed(take, yaw, random, noise=0.004):
    """A take seen by a camera at hip height, 4 m away, with the errors of a detector."""
    left, right = take[:, JOINTS.index('left_hip')].mean(0), take[:, JOINTS.index('right_hip')].mean(0)
    across = (left - right) * [1, 0, 1]
    across /= np.linalg.norm(across)
    front = np.cross(across, [0, 1, 0])
    turn = np.radians(yaw)
    way = np.cos(turn) * front + np.sin(turn) * across
    middle = (take[:, JOINTS.index('left_hip')] + take[:, JOINTS.index('right_hip')]).mean(0) / 2
    eye = middle + 4 * way
    sideways = np.cross([0, 1, 0], way)
    relative = take - eye
    depth = -(relative * way).sum(-1)
    x, y = (relative * sideways).sum(-1) / depth, relative[..., 1] / depth
    drift = np.zeros((len(take), 18, 2))
    steps = random.normal(size=drift.shape)
    for frame in range(1, len(take)):
        drift[frame] = 0.8 * drift[frame - 1] + 0.6 * steps[frame]
    places = np.stack([0.5 + 1.2 * x * 9 / 16, 0.5 - 1.2 * y], -1)
    return places + noise * drift * [9 / 16, 1]


def measured(repetition):
    return {name: value['value'] for name, value in repetition['measures'].items() if value.get('value') is not None}


def table(rows):
    names = sorted({name for row in rows for name in row})
    return np.array([[row.get(name, np.nan) for name in names] for row in rows], float)


def cued(repetition, rules):
    """The measurements about which a cue would be given."""
    found = []
    for rule in rules:
        reading = repetition['measures'].get(rule['measure']) or {}
        value = reading.get('value')
        if value is None or not rule['on'] or rule.get('unless') in measured(repetition):
            continue
        least = rule['least'] if rule.get('cue_below') else None
        most = rule['most'] if rule.get('cue_above') else None
        excess = max(0, (least if least is not None else -np.inf) - value,
                     value - (most if most is not None else np.inf))
        if excess > CERTAINTY * reading['uncertainty']:
            found.append(rule['measure'])
    return found


def ui_prmd(spotter, data, folder, rules):
    spec = importlib.util.spec_from_file_location('motion_capture', HERE.parent / 'motion-capture.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    takes = {}
    for name, take in module.ui_prmd(data):
        _, person, what = name.split('/')
        exercise, correct = what.rsplit('-', 1)
        takes[exercise, person, correct == 'correct'] = take
    people = sorted({person for _, person, _ in takes})
    print(f"{'exercise':36}{'view':12}{'right':>6}{'wrong':>6}{'hint':>7}{'coach':>7}{'both, fitted':>14}   cues on right ones")
    for exercise in sorted({exercise for exercise, _, _ in takes}):
        action = ACTIONS.get(exercise, exercise)
        for view, yaw in (('front', 0), ('45 degrees', 45), ('side', 90)):
            random = np.random.default_rng(1)
            files = {}
            for (name, person, correct), take in takes.items():
                if name == exercise:
                    files[person, correct] = folder / f'{exercise}-{yaw}-{person}-{correct}.poses.jsonl'
                    stream(files[person, correct], filmed(take, yaw, random))
            rows, wrong, groups, hints, said, of = [], [], [], [], [], []
            for (person, correct), file in files.items():
                coach = next((people[(people.index(person) + step) % len(people)] for step in range(1, len(people))
                              if (people[(people.index(person) + step) % len(people)], True) in files), None)
                references = folder / f'coach-{exercise}-{yaw}-{person}'
                references.mkdir(exist_ok=True)
                link = references / f'{action}.poses.jsonl'
                if not link.exists():
                    link.symlink_to(files[coach, True])
                try:
                    found = count(spotter, action, file, references)
                except subprocess.CalledProcessError:
                    found = count(spotter, action, file)
                for repetition in found:
                    rows.append(measured(repetition))
                    wrong.append(not correct)
                    groups.append(person)
                    hints.append(100 - repetition['form']['score'] if repetition.get('form') else np.nan)
                    if correct:
                        of.append(1)
                        said += cued(repetition, rules.get(action, []))
            wrong, groups = np.array(wrong), np.array(groups)
            if len(wrong) < 10:
                print(f'{exercise:36}{view:12} too few repetitions were found')
                continue
            distance = [row.get('coach_distance', np.nan) for row in rows]
            fitted = logistic(table(rows), wrong, groups)
            names = ', '.join(f'{name} {said.count(name)}' for name in sorted(set(said)))
            cues = f'{len(said) / max(len(of), 1):.3f} {names}' if action in rules else '-'
            print(f'{exercise:36}{view:12}{(~wrong).sum():6}{wrong.sum():6}{auc(hints, wrong):7.2f}{auc(distance, wrong):7.2f}'
                  f'{auc(fitted, wrong):14.2f}   {cues}', flush=True)


def heights(joints, upper, lower):
    """The height of one joint above another in each frame, for both sides: [2, frames]."""
    return np.array([joints[:, JOINTS.index(f'{side}_{upper}'), 1]
                     - (joints[:, JOINTS.index(f'{side}_{lower}'), 1] if lower else 0) for side in ('right', 'left')])


def length(joints, *names):
    """The length of a chain of joints, the mean of both sides and all frames."""
    return np.mean([np.linalg.norm(joints[:, JOINTS.index(f'{side}_{a}')] - joints[:, JOINTS.index(f'{side}_{b}')], axis=-1)
                    for side in ('right', 'left') for a, b in zip(names, names[1:])]) * (len(names) - 1)


def bends(joints, *names):
    """180° minus the angle of three joints in each frame, for both sides: [2, frames]."""
    return np.array([180 - angles.angle(*(joints[:, JOINTS.index(f'{side}_{name}')] for name in names))
                     for side in ('right', 'left')])


def true_value(measure, joints, extreme):
    """What a measurement would be without errors, from the exact joints [frames, 18, 3] of a repetition.

    Returns None where it has no true value, as for times and for an angle without a side.
    """
    def share(upper, lower):
        found = heights(joints, upper, lower)
        return float(np.mean(1 - np.maximum(found.min(1), 0) / found.max(1)))

    if measure in angles.ANGLES:
        return angles.truth(joints, measure, extreme)
    trunk = joints[:, JOINTS.index('neck')] - joints[:, [JOINTS.index('right_hip'), JOINTS.index('left_hip')]].mean(1)
    extent = (joints.max(1) - joints.min(1)).max(1)
    size = np.median(np.maximum(np.linalg.norm(trunk, axis=1), 0.3 * extent))
    if measure == 'trunk_lean':
        return float(np.quantile(np.degrees(np.arctan2(np.hypot(trunk[:, 0], trunk[:, 2]), trunk[:, 1])), 0.9))
    if measure == 'asymmetry':
        return float(np.mean([abs(np.diff(heights(joints, name, None), axis=0))
                              for name in ('shoulder', 'elbow', 'wrist', 'knee')]) / size)
    if measure == 'hand_height':
        nose = joints[:, JOINTS.index('nose'), 1]
        return float((heights(joints, 'wrist', None) - nose).max(1).mean() / size)
    known = {
        'hip_drop': lambda: share('hip', 'ankle'),
        'shoulder_drop': lambda: share('shoulder', 'wrist'),
        'trunk_rise': lambda: np.ptp(heights(joints, 'shoulder', 'hip'), 1).mean() / length(joints, 'shoulder', 'hip'),
        'wrist_rise': lambda: (np.ptp(heights(joints, 'wrist', 'shoulder'), 1).mean()
                               / length(joints, 'shoulder', 'elbow', 'wrist')),
        'hip_travel': lambda: np.ptp(heights(joints, 'hip', None), 1).mean() / size,
        'foot_lift': lambda: np.ptp(heights(joints, 'ankle', None), 1).mean() / size,
        'body_bend': lambda: np.quantile(bends(joints, 'shoulder', 'hip', 'ankle'), 0.75, axis=1).mean(),
        'standing_bend': lambda: bends(joints, 'hip', 'knee', 'ankle').min(1).mean(),
    }
    return float(known[measure]()) if measure in known else None


def synthetic_cues(spotter, folder, rules, clips=10):
    """Counts cues on synthetic repetitions whose true value is right."""
    print(f"\n{'synthetic':14}{'view':12}{'reps':>6}   wrong cues")
    every = [0, 0]
    for action, own in rules.items():
        if action == 'any':
            continue
        for view, yaw in angles.VIEWS:
            said, of = [], 0
            found = angles.clips_of(spotter, folder, action, clips, 31, yaw)
            for (_, joints), recording in zip(found, angles.count(spotter, action, [file for file, _ in found])):
                for repetition in recording['repetitions']:
                    first, end, extreme = (min(round(repetition[key] * 30), len(joints) - 1)
                                           for key in ('start_s', 'end_s', 'extreme_s'))
                    faults = cued(repetition, own)
                    wrong = [rule['measure'] for rule in own if rule['measure'] in faults
                             and is_right(rule, joints[first:end + 1], extreme - first)]
                    of += 1
                    # One repetition gets one cue at most.
                    said += wrong[:1]
            every = [every[0] + len(said), every[1] + of]
            names = ', '.join(f'{name} {said.count(name)}' for name in sorted(set(said)))
            print(f'{action:14}{view:12}{of:6}   {len(said) / max(of, 1):.3f} {names}', flush=True)
    print(f'{every[0]} wrong cues in {every[1]} repetitions, 1 in {every[1] / max(every[0], 1):.0f}')


def is_right(rule, joints, extreme):
    """Whether the true value follows the rule."""
    true = true_value(rule['measure'], joints, extreme)
    least, most = rule.get('least'), rule.get('most')
    return true is not None and (least is None or true >= least) and (most is None or true <= most)


def push_ups(spotter, data, folder):
    found = np.load(data)
    landmarks = dict(nose=0, left_eye=2, right_eye=5, left_ear=7, right_ear=8, left_shoulder=11, right_shoulder=12,
                     left_elbow=13, right_elbow=14, left_wrist=15, right_wrist=16, left_hip=23, right_hip=24, left_knee=25,
                     right_knee=26, left_ankle=27, right_ankle=28)
    rows, wrong, hints = [], [], []
    for number, (first, end) in enumerate(zip(found['offsets'], found['offsets'][1:])):
        points = found['kpts'][first:end]
        places, sure = np.zeros((len(points), 18, 2)), np.zeros((len(points), 18))
        for index, name in enumerate(JOINTS):
            if name in landmarks:
                places[:, index], sure[:, index] = points[:, landmarks[name], :2], points[:, landmarks[name], 3]
        places[:, 1] = (places[:, 2] + places[:, 5]) / 2
        sure[:, 1] = np.minimum(sure[:, 2], sure[:, 5])
        file = folder / f'push-up-{number}.poses.jsonl'
        stream(file, np.clip(np.nan_to_num(places), -9, 9), confidence=np.clip(np.nan_to_num(sure), 0, 1))
        repetitions = count(spotter, 'push_up', file)
        all_measured = [measured(repetition) for repetition in repetitions]
        names = {name for row in all_measured for name in row}
        rows.append({name: np.mean([row[name] for row in all_measured if name in row]) for name in names})
        scores = [repetition['form']['score'] for repetition in repetitions if repetition.get('form')]
        hints.append(100 - np.mean(scores) if scores else np.nan)
        wrong.append(found['labels'][number] == 'wrong')
    wrong = np.array(wrong)
    groups = np.random.default_rng(1).permutation(len(wrong)) % 5
    known = np.isfinite(hints)
    bend = [row.get('body_bend', np.nan) for row in rows]
    print(f'\n{len(wrong)} push-ups, {wrong.sum()} of them labelled wrong; {known.sum()} have a hint, '
          f'{np.isfinite(bend).sum()} a measured body line')
    print(f'hint {auc(hints, wrong):.2f}, body line {auc(bend, wrong):.2f}, '
          f'all measures, fitted to the other four fifths {auc(logistic(table(rows), wrong, groups), wrong):.2f}')


def main(spotter, data):
    data = pathlib.Path(data)
    listed = json.loads(subprocess.run([spotter, 'workout', 'form', '--json'], capture_output=True, text=True,
                                       check=True).stdout)
    rules = {}
    for rule in listed:
        rules.setdefault(rule['action'], []).append(rule)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        synthetic_cues(spotter, folder, rules)
        recorded = data / 'mocap/ui_prmd_vicon_positions_33hz.npz'
        if recorded.exists():
            ui_prmd(spotter, recorded, folder, rules)
        pushes = data / 'keypoints/pushfit_mediapipe.npz'
        if pushes.exists():
            push_ups(spotter, pushes, folder)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
