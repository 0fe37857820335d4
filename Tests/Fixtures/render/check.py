#!/usr/bin/env python3
"""Computes the truth of clips anew, without Blender, and compares it with ../clips/*.json.

    python3 check.py [CLIP...]         all clips when none is named

It needs numpy and the body data (./render.sh --body-data). All fields are compared but `occluded`, which
takes Blender's ray casts, and the rendering time.
"""
import json
import sys
from pathlib import Path
import body_data
from clips import CLIPS
from truth import Camera, Performer, clip_truth, picture_truth

COMMITTED = Path(__file__).parent.parent / 'clips'

# Coordinates are rounded, and skin weights are single precision: roundings may differ by a step.
TOLERANCE_STEPS = 2
TOLERANCE_CAMERA = 1e-9


def computed(name):
    """The truth of a clip, with nothing in `occluded`."""
    clip = CLIPS[name]
    camera = Camera(clip.camera, clip.size)
    performers = [Performer(role) for role in clip.roles]
    truth = clip_truth(name, clip, camera, performers)
    for number in range(truth['frames']):
        moments = [performer.at(number / truth['fps']) for performer in performers]
        truth['data'].append(picture_truth(
            number, clip.rate, moments, camera, lambda *_: None, clip.digits))
    return truth


def differing_fields(ours, theirs):
    """Names of fields that differ, landmarks and camera aside."""
    names = [key for key in ours if key not in ('data', 'camera') and ours[key] != theirs[key]]
    for key in ('frame', 't'):
        if [picture[key] for picture in ours['data']] != [picture[key] for picture in theirs['data']]:
            names.append(f'data.{key}')
    for key in ('label', 'rep', 'phase'):
        if _everyones(ours, key) != _everyones(theirs, key):
            names.append(f'data.people.{key}')
    for key in ('focal_px', 'cx', 'cy'):
        if abs(ours['camera'][key] - theirs['camera'][key]) > TOLERANCE_CAMERA:
            names.append(f'camera.{key}')
    return names


def largest_differences(ours, theirs):
    """Pixels, metres, and how many landmarks are inside the picture in one truth only."""
    pixels = metres = 0
    moved = 0
    for own, other in zip(_landmarks(ours), _landmarks(theirs)):
        pixels = max(pixels, abs(own[0] - other[0]), abs(own[1] - other[1]))
        metres = max(metres, abs(own[2] - other[2]))
        moved += own[3] != other[3]
    return pixels, metres, moved


def _everyones(truth, key):
    return [person[key] for picture in truth['data'] for person in picture['people']]


def _landmarks(truth):
    return [point for points in _everyones(truth, 'landmarks') for point in points]


def check(name):
    """Prints what was found; returns whether computed and committed truth agree."""
    ours = computed(name)
    theirs = json.loads((COMMITTED / f'{name}.json').read_text())
    fields = differing_fields(ours, theirs)
    pixels, metres, moved = largest_differences(ours, theirs)
    steps = max(pixels * 10 ** CLIPS[name].digits, metres * 100 ** CLIPS[name].digits)
    near = steps <= TOLERANCE_STEPS + 1e-4
    same = near and not fields and moved == 0
    print(f'{name}: {"same" if same else "DIFFERENT"}; {ours["frames"]} pictures, '
          f'{len(_landmarks(ours))} landmarks, at most {pixels:.2f} px and {metres:.4f} m apart', flush=True)
    if fields:
        print(f'  different fields: {", ".join(fields)}')
    if moved:
        print(f'  {moved} landmarks are inside the picture in one of them only')
    return same


def main():
    """Checks the named clips; the exit code is 1 when one differs."""
    names = sys.argv[1:] or [name for name in CLIPS if (COMMITTED / f'{name}.json').is_file()]
    for name in names:
        if name not in CLIPS:
            sys.exit(f'check.py: there is no clip named {name}; python3 clips.py prints the names')
        if not (COMMITTED / f'{name}.json').is_file():
            sys.exit(f'check.py: {name} is not in ../clips, so there is nothing to compare it with')
    if not body_data.is_here():
        sys.exit('check.py: the body data is not here; run ./render.sh --body-data first')
    results = [check(name) for name in names]
    sys.exit(0 if all(results) else 1)


if __name__ == '__main__':
    main()
