#!/usr/bin/env python3
"""Measures how people are found and kept apart in rendered crowds, beside OC-SORT on the same poses. Prints Markdown.

    Models/figures/tracking.py SPOTTER [CLIPS] [--keep FOLDER]

CLIPS is a folder with crowd_*.mp4 and .json (Tests/Fixtures/render/out, made by render.sh --crowds). Spotter finds the
poses; --keep names a folder that keeps them. Mirror and screen are declared as masks, as an operator would. OC-SORT
gets the boxes around the same poses, and the mean confidence of their joints.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path
import numpy as np
from ocsort import OCSort

ROOT = Path(__file__).resolve().parent.parent.parent
PAPER_FRAMES = 30
MEMORY_SECONDS = 10


def find_poses(spotter, clip, folder, declared):
    """Spotter's own tracks of a clip; with mirror and screen declared as an operator would."""
    name = f'{clip.stem}.declared' if declared else clip.stem
    stream = folder / f'{name}.poses.jsonl'
    if not stream.is_file():
        part = folder / f'{name}.part'
        settings = crowd_settings(folder / f'{name}.toml', clip, declared)
        command = [spotter, 'poses', clip, '-o', part, '--config', settings, '--camera', 'camera1']
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        part.rename(stream)
    return stream


def crowd_settings(path, clip, declared):
    """The shipped settings with room for everybody, and the masks of a clip."""
    settings = (ROOT / 'config.toml').read_text().splitlines(True)
    lines = ['maximum_people = 16\n' if line.startswith('maximum_people') else line for line in settings]
    truth = json.loads(clip.with_suffix('.json').read_text())
    for panel in truth.get('panels', []) if declared else []:
        if panel['kind'] in ('mirror', 'screen'):
            corners = [[min(max(x / truth['width'], 0), 1), min(max(y / truth['height'], 0), 1)]
                       for x, y in panel['corners']]
            mirror = 'true' if panel['kind'] == 'mirror' else 'false'
            lines.append(f'\n[[mask]]\ncamera = "camera1"\nmirror = {mirror}\ncorners = {corners}\n')
    path.write_text(''.join(lines))
    return path


def tracked_again(stream, folder, memory_seconds):
    """The same poses with the numbers that OC-SORT gives them."""
    lines = stream.read_text().splitlines()
    header = json.loads(lines[0])
    size = np.array([header['width'], header['height']])
    frames = PAPER_FRAMES if memory_seconds is None else round(memory_seconds * header['rate_hz'])
    tracker = OCSort(frames)
    result = [lines[0]]
    for number, line in enumerate(lines[1:]):
        frame = json.loads(line)
        people = [person for person in frame['poses'] if len(known(person))]
        boxes = [np.concatenate([(known(person) * size).min(0), (known(person) * size).max(0)]) for person in people]
        scores = [np.mean([point[2] for point in person['keypoints']]) for person in people]
        tracks = tracker.follow(number, boxes, scores)
        poses = [dict(person, track=track) for person, track in zip(people, tracks) if track is not None]
        result.append(json.dumps(dict(t=frame['t'], poses=poses)))
    path = folder / f'{stream.name.removesuffix(".poses.jsonl")}.oc{frames}.poses.jsonl'
    path.write_text('\n'.join(result) + '\n')
    return path


def known(person):
    """The places of the joints that were seen."""
    return np.array([point[:2] for point in person['keypoints'] if point[2] > .1])


def with_noise(clip, folder):
    """A copy of a clip with noise as from a camera. Rendered pictures have none, so a hall where nothing moves is a still."""
    copy = folder / f'{clip.stem}_noise.mp4'
    if not copy.is_file():
        part = copy.with_suffix('.part.mp4')
        subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', clip, '-vf', 'noise=alls=8:allf=t', '-crf', '18', part], check=True)
        part.rename(copy)
        copy.with_suffix('.json').write_text(clip.with_suffix('.json').read_text())
    return copy


def evaluated(spotter, streams, truths):
    """What `spotter evaluate --tracking` says."""
    command = [spotter, 'evaluate', '--tracking', *streams, '--truth', *truths, '--json']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def number(value, digits=1):
    """A figure, or a dash."""
    return '–' if value is None else f'{value:.{digits}f}'


def row(name, figures):
    """One line of the table."""
    def percent(key):
        return '–' if figures.get(key) is None else f'{100 * figures[key]:.0f} %'

    cells = [name, number(figures.get('idf1'), 3), figures['switches'],
             number(figures.get('switches_per_ten_person_minutes')), number(figures.get('tracks_per_person'), 2),
             percent('missed'), percent('found_in_one_second'), percent('found_in_two_seconds'),
             number(figures.get('false_people_per_minute')), number(figures.get('false_seconds_per_minute'))]
    return f'| {" | ".join(map(str, cells))} |'


def followed(evaluation, people, seconds):
    """How many of a crowd are followed this long after they came into view, scaled to everybody."""
    stays = [stay for clip in evaluation['clips'] if clip['name'].startswith(f'crowd_{people}_')
             for stay in clip['counts']['stays'] if stay['end'] - stay['start'] >= seconds]
    found = [stay for stay in stays if stay.get('found', np.inf) - stay['start'] <= seconds + 1e-6]
    return people * len(found) / len(stays) if stays else None


def print_goals(ours, baseline, noisy):
    """The goals of tracking beside what was measured."""
    total, empty = ours['total'], [clip['figures'] for clip in ours['clips'] if clip['name'].startswith('crowd_0_')]
    ones = ' / '.join(number(followed(ours, people, 1)) for people in (4, 8))
    twos = ' / '.join(number(followed(ours, people, 2)) for people in (4, 8))
    print('| goal | wanted | measured |\n|---|---|---|')
    print(f'| followed of 4 / 8 in view: within a second | ≥ 3 / ≥ 6 | {ones} |')
    print(f'| … within two seconds | ≥ 3.9 / ≥ 7.8 | {twos} |')
    print(f'| false people a minute in an empty hall with mirror, poster and screen | ≤ 0.2 | '
          f'{number(empty[0].get("false_people_per_minute") if empty else None)} |')
    print(f'| … in the same hall with noise as from a camera | ≤ 0.2 | {number(noisy.get("false_people_per_minute"))} |')
    print(f'| IDF1 | ≥ 0.95 | {number(total.get("idf1"), 3)} |')
    print(f'| … of OC-SORT on the same poses | less | {number(baseline["total"].get("idf1"), 3)} |')
    print(f'| switches in ten minutes of a person | ≤ 1 | {number(total.get("switches_per_ten_person_minutes"))} |')
    print(f'| tracks of a person who stays | ≤ 1.1 | {number(total.get("tracks_per_person"), 2)} |')
    print(f'| share of exercise in the right session | ≥ 0.95 | {number(total.get("right_minutes"), 3)} |')
    print(f"| share of sessions that is another person's | ≤ 0.02 | {number(total.get('foreign_minutes'), 3)} |")
    print(f'| sessions of a person who exercises | ≤ 1.05 | {number(total.get("sessions_per_person"), 2)} |')


def main():
    """Measures every crowd in the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('spotter')
    parser.add_argument('clips', nargs='?', default=ROOT / 'Tests/Fixtures/render/out', type=Path)
    parser.add_argument('--keep', type=Path)
    arguments = parser.parse_args()
    clips = sorted(clip for clip in arguments.clips.glob('crowd_*.mp4')
                   if '.part' not in clip.name and clip.with_suffix('.json').is_file())
    if not clips:
        parser.error(f'no crowds in {arguments.clips}; make them with Tests/Fixtures/render/render.sh --crowds')
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        truths = [clip.with_suffix('.json') for clip in clips]
        plain = [find_poses(arguments.spotter, clip, folder, declared=False) for clip in clips]
        streams = [find_poses(arguments.spotter, clip, folder, declared=True) for clip in clips]
        results = [('Spotter', evaluated(arguments.spotter, streams, truths))]
        empty = [with_noise(clip, folder) for clip in clips if clip.stem.startswith('crowd_0_')]
        noisy = evaluated(arguments.spotter, [find_poses(arguments.spotter, clip, folder, declared=True) for clip in empty],
                          [clip.with_suffix('.json') for clip in empty])['total'] if empty else {}
        undeclared = ('Spotter, mirror and screen not declared', evaluated(arguments.spotter, plain, truths))
        for name, memory in (('OC-SORT, 30 frames', None), (f'OC-SORT, {MEMORY_SECONDS} s', MEMORY_SECONDS)):
            again = [tracked_again(stream, folder, memory) for stream in streams]
            results.append((name, evaluated(arguments.spotter, again, truths)))
    print('| tracker | IDF1 | switches | in 10 min of a person | tracks each | missed | in 1 s | in 2 s '
          '| false people /min | false s/min |\n|---|---|---|---|---|---|---|---|---|---|')
    for name, result in (results[0], undeclared, *results[1:]):
        print(row(name, result['total']))
    for clip in results[0][1]['clips']:
        print(row(f'Spotter, {clip["name"]}', clip['figures']))
    print()
    best = max((result for _, result in results[1:]), key=lambda one: one['total'].get('idf1') or 0)
    print_goals(results[0][1], best, noisy)


main()
