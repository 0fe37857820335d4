#!/usr/bin/env python3
"""Measures what a node stores of people whom two cameras see at once.

usage: views.py SPOTTER NAME...

NAME are crowds in Tests/Fixtures/render/out, rendered twice: NAME.mp4 with NAME.json beside it, and the same people
from another side as turned_NAME.mp4 (`render.sh --views`). A node plays both as two cameras, once without and once with
`overlaps`, and its database is compared with the truth.

sets      of all sets of the truth of which the exercise can be seen in one of the views
once      share of them that is stored once: a stored set of the same exercise overlaps with it
twice     share that is stored more than once
sessions  stored sessions for each true one; a true session ends after 30 s without exercise
"""
import argparse
import json
import pathlib
import sqlite3
import subprocess
import tempfile

RENDERED = pathlib.Path(__file__).resolve().parents[2] / 'Tests/Fixtures/render/out'
IDLE_SECONDS = 30
WINDOW_MS = 2000
COUNTED = ('squat', 'lunge', 'push_up', 'sit_up', 'jumping_jack', 'burpee')
VISIBLE = .4                    # of the body, during a set, on average
PAUSE = 3                       # seconds between repetitions that are one set


def truth(clip, other):
    """(person, exercise, start, end) of each set that one of the views shows, from both truths."""
    documents = [json.loads((RENDERED / f'{name}.json').read_text()) for name in (clip, other)]
    sets = []
    for person in documents[0]['people']:
        mine = []
        for one in person['segments']:
            if one['label'] not in COUNTED:
                continue
            if mine and mine[-1][1] == one['label'] and one['start'] - mine[-1][3] < PAUSE:
                mine[-1][3] = one['end']
            else:
                mine.append([person['id'], one['label'], one['start'], one['end']])
        sets += mine

    def shown(one):
        return max(sum(shares) / len(shares) for shares in (
            [entry['people'][one[0]]['visible'] for entry in document['data'] if one[2] <= entry['t'] <= one[3]] or [0]
            for document in documents))
    return [one for one in sets if shown(one) >= VISIBLE]


def sessions_of(sets):
    """How many sessions these sets of one person are."""
    ends = [one[3] for one in sets]
    return 1 + sum(later[2] - end > IDLE_SECONDS for later, end in zip(sets[1:], ends)) if sets else 0


def play(spotter, streams, overlaps, folder):
    """What a node stores of both streams: sets as (exercise, start, end, session)."""
    database = folder / f'{overlaps}.db'
    cameras = ''.join(
        f'[[camera]]\nid = "c{number}"\nsource = "{stream}"\n'
        + ('overlaps = ["c1"]\n' if overlaps and number == 0 else '') for number, stream in enumerate(streams))
    configuration = folder / 'config.toml'
    configuration.write_text(cameras + f'[recognition]\nsubjects = "everyone"\n[mqtt]\nenabled = false\n'
                             f'[history]\npath = "{database}"\n')
    subprocess.run([spotter, 'run', '--config', configuration, '--realtime', '--quiet'], check=True)
    rows = sqlite3.connect(database).execute(
        'SELECT s.label, s.start_ms, s.end_ms, s.session FROM session_set s ORDER BY s.start_ms').fetchall()
    # The cameras begin within a moment of each other. The first prediction is that of the first two seconds.
    first = sqlite3.connect(database).execute('SELECT min(end_ms) FROM prediction').fetchone()[0] - WINDOW_MS
    return [(label, (start - first) / 1000, (end - first) / 1000, session) for label, start, end, session in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('spotter', type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument('names', nargs='+', metavar='NAME')
    arguments = parser.parse_args()
    print('| crowd | sets | once | twice | sessions | with `overlaps`: once | twice | sessions |\n'
          '|---|---:|---:|---:|---:|---:|---:|---:|')
    sums = [0] * 8
    for name in arguments.names:
        other = f'turned_{name}'
        sets = truth(name, other)
        true_sessions = sum(sessions_of([one for one in sets if one[0] == person]) for person in {s[0] for s in sets})
        figures = [len(sets)]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            streams = [folder / f'{clip}.poses.jsonl' for clip in (name, other)]
            for clip, stream in zip((name, other), streams):
                subprocess.run([arguments.spotter, 'poses', RENDERED / f'{clip}.mp4', '--output', stream], check=True,
                               capture_output=True)
            for overlaps in (False, True):
                stored = play(arguments.spotter, streams, overlaps, folder)
                times = [sum(row[0] == one[1] and min(row[2], one[3]) - max(row[1], one[2]) > (one[3] - one[2]) / 3
                             for row in stored) for one in sets]
                # Two who do the same at the same time are found by each other's sets.
                same = [sum(b[1] == one[1] and min(b[3], one[3]) - max(b[2], one[2]) > (one[3] - one[2]) / 3
                            for b in sets) for one in sets]
                figures += [sum(0 < t <= s for t, s in zip(times, same)), sum(t > s for t, s in zip(times, same)),
                            len({row[3] for row in stored})]
        figures.append(true_sessions)
        sums = [a + b for a, b in zip(sums, figures)]
        print(line(name, figures), flush=True)
    print(line('all', sums))


def line(name, figures):
    sets, *rest, sessions = figures
    shares = [f'{value / sessions:.2f}' if index % 3 == 2 else f'{value / sets:.0%}'
              for index, value in enumerate(rest)]
    return f'| {name} | {sets} | ' + ' | '.join(shares) + ' |'


if __name__ == '__main__':
    main()
