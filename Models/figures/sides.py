#!/usr/bin/env python3
"""Measures how often the right side is told of a repetition: left, right, or both.

usage: sides.py SPOTTER [--clips N] [--seed N] [NAME...]

People of the motion generator do lunges, step-ups, curls and rows, from all views. `spotter count` counts them, and the
side of each counted repetition is compared with the generator's. Then come the rendered lunges of Tests/Fixtures/clips.
NAME are crowds in Tests/Fixtures/render/out; of them the lunges of each set are compared, as `spotter classify` counts them.

right      the side is the true one
wrong      it is another one
not told   one side worked, and it was not told which: it was not seen, or not sure
"""
import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / 'Tests/Fixtures'
MOTIONS = {'lunge': 'lunge', 'step_up': 'step_up', 'curl': 'biceps_curl', 'row': 'row'}
RENDERED = ('lunge_front', 'lunge_45')
SECONDS = 12


def run(spotter, *arguments):
    return json.loads(subprocess.run([spotter, *arguments], check=True, capture_output=True, text=True).stdout)


def counted(spotter, action, files):
    """By file: (furthest moment, side) of each counted repetition; the side is None where too little was seen, and both where
    neither side is told."""
    return {pathlib.Path(recording['file']).name: [
        (one['extreme_s'], one.get('side', 'both' if 'working_side' in one.get('measures', {}) else None))
        for one in recording['repetitions']
    ] for recording in run(spotter, 'count', '--action', action, '--json', *map(str, files))['recordings']}


def tell(name, pairs):
    """One line of the table, of (true, told)."""
    counts = collections.Counter('right' if true == told else 'not told' if told in (None, 'both') else 'wrong'
                                 for true, told in pairs)
    total = max(len(pairs), 1)
    print(f'| {name} | {len(pairs)} | ' + ' | '.join(f'{counts[kind] / total:.3f}' for kind in ('right', 'wrong', 'not told'))
          + ' |', flush=True)


def compare(moments, truth):
    """(true, told) of each counted repetition; truth: (start, side), in order of time."""
    pairs = []
    for moment, told in moments:
        begun = [side for start, side in truth if start <= moment]
        if begun:
            pairs.append((begun[-1], told))
    return pairs


def measure_synthetic(spotter, clips, seed):
    for motion, action in MOTIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([spotter, 'synthesize', '--motion', motion, '--clips', str(clips), '--seconds', str(SECONDS),
                            '--seed', str(seed), '--joints', '-o', folder], check=True, capture_output=True)
            pairs = []
            files = sorted(pathlib.Path(folder).rglob('*.poses.jsonl'))
            for name, moments in counted(spotter, action, files).items():
                truth = json.loads((files[0].parent / name.replace('.poses.jsonl', '.repetitions.json')).read_text())
                pairs += compare(moments, [(one['start_s'], one.get('side', 'both')) for one in truth])
        tell(f'synthetic {action}', pairs)


def true_lunges(document):
    """By person: (start, side) of each lunge."""
    return [[(one['start'], one['side']) for one in person['repetitions'] if one['exercise'] == 'lunge']
            for person in document['people']]


def measure_rendered(spotter):
    pairs = []
    for name in RENDERED:
        truth = true_lunges(json.loads((FIXTURES / f'clips/{name}.json').read_text()))[0]
        pairs += compare(counted(spotter, 'lunge', [FIXTURES / f'clips/{name}.mp4'])[f'{name}.mp4'], truth)
    tell('rendered lunge', pairs)


def measure_crowd(spotter, name):
    document = json.loads((FIXTURES / f'render/out/{name}.json').read_text())
    true, right, wrong = 0, 0, 0
    found = [one for one in run(spotter, 'classify', '--subjects', 'everyone', '--json',
                                str(FIXTURES / f'render/out/{name}.mp4'))['sets'] if one['label'] == 'lunge']
    for person, lunges in zip(document['people'], true_lunges(document)):
        for segment in person['segments']:
            begin, end = segment['start'], segment['end']

            def shared(one):
                return min(end, one['end_s']) - max(begin, one['start_s'])
            match = max(found, key=shared, default=None)
            if segment['label'] != 'lunge' or not match or 2 * shared(match) < end - begin:
                continue
            sides = collections.Counter(side for start, side in lunges if begin - .2 <= start < end)
            true += sum(sides.values())
            for side in ('left', 'right'):
                told = match.get(f'{side}_reps', 0)
                right += min(told, sides[side])
                wrong += max(told - sides[side], 0)
    print(f'| {name}: lunges in sets that were found | {true} | {right / max(true, 1):.3f} | {wrong / max(true, 1):.3f} '
          f'| {max(true - right - wrong, 0) / max(true, 1):.3f} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('spotter', type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument('names', nargs='*', metavar='NAME')
    parser.add_argument('--clips', type=int, default=300)
    parser.add_argument('--seed', type=int, default=103)
    arguments = parser.parse_args()
    print('\n| side | repetitions | right | wrong | not told |\n|---|---:|---:|---:|---:|')
    measure_synthetic(arguments.spotter, arguments.clips, arguments.seed)
    measure_rendered(arguments.spotter)
    for name in arguments.names:
        measure_crowd(arguments.spotter, name)


if __name__ == '__main__':
    main()
