#!/usr/bin/env python3
"""Measures alarms: how soon a node tells of people who fell, and how often it tells of people who only do floor work.

usage: falls.py SPOTTER [--hours H] [--seed N] [NAME...]

NAME are rendered falls in Tests/Fixtures/render/out/falls (`render.sh --falls`); all without names. The rest is H hours
of synthetic poses of people who exercise, stretch, sit and lie on the floor, one person in each stream of 100 seconds.
A node with `alarm.enabled` sees each as a camera of its own, and its database is read.

told      share of the falls of which an alarm was raised within 15 seconds, and the median of the seconds
alarms    share of the streams with an alarm, and the alarms for each 100 hours, by cause
"""
import argparse
import collections
import json
import pathlib
import sqlite3
import statistics
import subprocess
import tempfile

RENDERED = pathlib.Path(__file__).resolve().parents[2] / 'Tests/Fixtures/render/out/falls'
WITHIN = 15                     # seconds
SECONDS = 100
AT_ONCE = 12                    # streams that one node sees
WINDOW_MS = 2000
EXERCISES = ('push_up', 'sit_up', 'burpee', 'plank', 'side_plank', 'glute_bridge', 'leg_raise', 'bicycle_crunch',
             'russian_twist', 'bird_dog', 'superman', 'mountain_climber', 'bear_crawl', 'walk_out', 'yoga_flow',
             'composed_plank', 'composed_all_fours', 'composed_supine', 'composed_side_lying', 'composed_kneeling',
             'composed_seated')
KINDS = {'exercises on the floor': EXERCISES, 'stretching': ('stretch',), 'getting down or up': ('get_down',),
         'sitting, kneeling, crouching': ('sit_on_floor', 'kneel', 'hold_low', 'tie_shoe', 'pick_up', 'sit'),
         'lying, hardly moving': ('lie',)}


def alarms(spotter, streams, folder):
    """By the name of each stream: (cause, seconds from its beginning) of each alarm."""
    found = {}
    for first in range(0, len(streams), AT_ONCE):
        part = streams[first:first + AT_ONCE]
        database = folder / f'{first}.db'
        cameras = ''.join(f'[[camera]]\nid = "c{number}"\nsource = "{stream}"\n' for number, stream in enumerate(part))
        configuration = folder / 'config.toml'
        configuration.write_text(cameras + '[alarm]\nenabled = true\n[mqtt]\nenabled = false\n[recognition]\n'
                                 f'subjects = "everyone"\n[history]\npath = "{database}"\n')
        subprocess.run([spotter, 'run', '--config', configuration, '--quiet'], check=True, capture_output=True)
        rows = sqlite3.connect(database)
        # A stream begins two seconds before the end of its first prediction.
        begins = dict(rows.execute('SELECT n.text, min(p.end_ms) FROM prediction p JOIN name n ON n.id = p.camera '
                                   'GROUP BY p.camera'))
        for camera, cause, raised in rows.execute('SELECT camera, cause, start_ms FROM alarm'):
            seconds = (raised - begins.get(camera, raised) + WINDOW_MS) / 1000
            found.setdefault(part[int(camera[1:])].name, []).append((cause, seconds))
    return found


def measure_falls(spotter, names, folder):
    streams = []
    for name in names:
        stream = folder / f'{name}.poses.jsonl'
        subprocess.run([spotter, 'poses', RENDERED / f'{name}.mp4', '--output', stream], check=True, capture_output=True)
        streams.append(stream)
    found = alarms(spotter, streams, folder)
    delays = collections.defaultdict(list)
    for name, stream in zip(names, streams):
        truth = json.loads((RENDERED / f'{name}.json').read_text())
        began = next(one['start'] for one in truth['people'][0]['segments'] if one['label'] == 'fall')
        after = [seconds - began for _, seconds in found.get(stream.name, []) if seconds > began]
        delays[name.split('-')[0]].append(min(after, default=None))
        if not after or min(after) > WITHIN:
            print(f'missed: {name}', flush=True)
    print('\n| fall | clips | told within 15 s | median |\n|---|---:|---:|---:|')
    for kind, values in [*delays.items(), ('all', sum(delays.values(), []))]:
        told = [value for value in values if value is not None and value <= WITHIN]
        print(f'| {kind} | {len(values)} | {len(told)} | {statistics.median(told) if told else 0:.1f} s |')


def measure_floor_work(spotter, hours, seed, folder):
    print('\n| on the floor | hours | streams with an alarm | falls in 100 h | still in 100 h |\n|---|---:|---:|---:|---:|')
    count = max(1, round(hours * 3600 / SECONDS / len(KINDS)))
    for kind, motions in KINDS.items():
        streams = []
        for number, motion in enumerate(motions):
            out = folder / motion
            clips = count // len(motions) + (number < count % len(motions))
            if not clips:
                continue
            subprocess.run([spotter, 'synthesize', '--motion', motion, '--clips', str(clips), '--seconds', str(SECONDS),
                            '--seed', str(seed), '-o', out], check=True, capture_output=True)
            streams += sorted(out.rglob('*.jsonl'))
        with tempfile.TemporaryDirectory() as own:
            found = alarms(spotter, streams, pathlib.Path(own))
        causes = collections.Counter(cause for one in found.values() for cause, _ in one)
        time = len(streams) * SECONDS / 3600
        print(f'| {kind} | {time:.1f} | {len(found)} of {len(streams)} | {100 * causes["fall"] / time:.1f} '
              f'| {100 * causes["still"] / time:.1f} |', flush=True)
        for stream in streams:
            stream.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('spotter', type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument('names', nargs='*', metavar='NAME')
    parser.add_argument('--hours', type=float, default=20)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        names = arguments.names or sorted(path.stem for path in RENDERED.glob('*.mp4') if '.part' not in path.name)
        if names:
            measure_falls(arguments.spotter, names, pathlib.Path(folder))
        if arguments.hours:
            measure_floor_work(arguments.spotter, arguments.hours, arguments.seed, pathlib.Path(folder))


if __name__ == '__main__':
    main()
