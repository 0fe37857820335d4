"""Renders one clip inside Blender; render.sh calls it.

    blender --background --python-exit-code 1 --python clip.py -- CLIP [FIRST LAST]

Writes work/pictures/CLIP/0000.png and so on, and work/CLIP.json. With FIRST and LAST only the pictures from
FIRST up to, not including, LAST are rendered (`0 0` for none); the .json is about the whole clip anyway.
"""
import json
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

# Blender does not look for modules beside the script, hence the line above.
from clips import ANGLE_CLIPS, CLIPS                                # noqa: E402
from scene import Scene                                             # noqa: E402
from truth import Camera, Performer, clip_truth, picture_truth      # noqa: E402

WORK = FOLDER / 'work'
PROGRESS_EVERY = 30


def render(name, first=0, last=None):
    """Renders the pictures, or some of them, and writes the truth about all."""
    clip = (CLIPS | ANGLE_CLIPS)[name]
    camera = Camera(clip.camera, clip.size)
    performers = [Performer(role) for role in clip.roles]
    scene = Scene(clip, camera, performers)
    truth = clip_truth(name, clip, camera, performers)
    count = truth['frames']
    last = count if last is None else last
    pictures = WORK / 'pictures' / name
    pictures.mkdir(parents=True, exist_ok=True)
    seconds = 0
    for number in range(count):
        moments = [performer.at(number / truth['fps']) for performer in performers]
        scene.move(moments)
        if number == 0:
            scene.check_camera(moments[0].landmarks['left_knee'])
        truth['data'].append(picture_truth(
            number, clip.rate, moments, camera, scene.is_occluded, clip.digits))
        if first <= number < last:
            start = time.monotonic()
            scene.take_picture(pictures / f'{number:04d}.png')
            seconds += time.monotonic() - start
        if number % PROGRESS_EVERY == 0:
            print(f'render: {name}, picture {number} of {count}', flush=True)
    truth['render_seconds_per_frame'] = round(seconds / max(1, last - first), 3)
    (WORK / f'{name}.json').write_text(json.dumps(truth, separators=(',', ':')))


def main():
    """Reads what follows `--`, which Blender leaves to its script."""
    name, *span = sys.argv[sys.argv.index('--') + 1:]
    render(name, *map(int, span))


main()
