#!/usr/bin/env python3
"""Renders one person who exercises, as cameras at several heights, sides and distances see them; ../render.sh --mountings calls it.

    python3 crowd/mountings.py --list            # the names
    python3 crowd/mountings.py [NAME...]         # these, or all that are not there yet

Writes out/mountings/NAME.mp4 and .json, 640 x 480, 15 pictures a second. A name holds exercise, azimuth in degrees (0 faces
the camera, 90 shows the person's left side, 180 the back), the camera's height above the floor and its distance on the floor
in decimetres. The camera looks at the middle of the body. Models/figures/mountings.py recognises them.
"""
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER / 'crowd')]

from alone import ANGLE, SIZE, Take, command_line, render           # noqa: E402
import numpy as np                                                  # noqa: E402
from body import Body                                               # noqa: E402
from clips import Viewpoint                                         # noqa: E402
from human import Human                                             # noqa: E402
from looks import looks                                             # noqa: E402
from stage import CrowdCamera                                       # noqa: E402

SECONDS = 10
EXERCISES = 'squat', 'lunge', 'jumping_jack', 'burpee', 'push_up', 'sit_up'
AZIMUTHS = 0, 45, 90, 180
HEIGHTS = 5, 12, 22, 30
DISTANCE = 40
# At 1.2 m, turned by 45 degrees.
OTHER_DISTANCES = 20, 30, 60, 90, 120
MIDDLES = {'burpee': .75, 'push_up': .25, 'sit_up': .3}


def names():
    """All clips."""
    views = [(azimuth, height, DISTANCE) for height in HEIGHTS for azimuth in AZIMUTHS]
    views += [(45, 12, distance) for distance in OTHER_DISTANCES]
    return [f'{exercise}-{azimuth:03}-{height:02}-{distance:03}' for azimuth, height, distance in views
            for exercise in EXERCISES]


class Mounting(Take):
    """One clip. The person and their tempo follow from the exercise alone, so that only the view differs."""

    def __init__(self, name):
        self.name = name
        self.exercise, azimuth, height, distance = name.rsplit('-', 3)
        self.azimuth, self.distance = int(azimuth), int(distance) / 10
        self.random = np.random.default_rng(zlib.crc32(self.exercise.encode()))
        target = 0, self.distance, MIDDLES.get(self.exercise, .9)
        self.camera = CrowdCamera(Viewpoint((0, 0, int(height) / 10), target, ANGLE), SIZE)
        self.timeline = self._timeline()
        look = looks(self.random, 1)[0]
        self.human = Human(look.body, look.outfit)
        self.body = Body(self.human, look, int(self.random.integers(1000)))


if __name__ == '__main__':
    command_line('Renders one person as cameras at several places see them.', names(), 'mountings',
                 lambda name, out: render(Mounting(name), out, SECONDS))
