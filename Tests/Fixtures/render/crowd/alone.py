#!/usr/bin/env python3
"""Renders one person who exercises, from many sides; ../render.sh --alone calls it.

    python3 crowd/alone.py --list            # the names
    python3 crowd/alone.py [NAME...]         # these, or all that are not there yet

Writes out/alone/NAME.mp4 and .json, 640 x 480, 15 pictures a second. A name holds exercise, azimuth in degrees (0 faces
the camera, 90 shows the person's left side, 180 the back) and a number. Everything follows from the name.
The .json is as in the other clips. Models/figures/detector.py measures the errors of the pose detector on them.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER / 'crowd')]

# The matrices are small: several threads would wait for each other.
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
os.environ.setdefault('OMP_NUM_THREADS', '1')

import numpy as np                                                  # noqa: E402
from activities import CrowdTimeline, push_up                       # noqa: E402
from body import Body                                               # noqa: E402
from clips import Viewpoint                                         # noqa: E402
from exercises import WALKING_SPEED                                 # noqa: E402
from hall import furnished                                          # noqa: E402
from human import Human                                             # noqa: E402
from landmarks import ORDER, body_radius                            # noqa: E402
from looks import looks                                             # noqa: E402
from pose import pose                                               # noqa: E402
from skeleton import solve                                          # noqa: E402
from stage import CrowdCamera, Stage                                # noqa: E402
from truth import Moment, picture_truth                             # noqa: E402

SIZE = 640, 480
RATE = 15
SECONDS = 4.6
ANGLE = 45                      # vertical angle of view in degrees
BODY_HEIGHT = 1.7
AZIMUTHS = range(0, 360, 45)
ON_FLOOR = ('push_up', 'wide_push_up', 'sit_up', 'burpee')
# Exercise, azimuths, and how many clips of each.
CLIPS = (('push_up', AZIMUTHS, 2), ('burpee', AZIMUTHS, 2), ('sit_up', AZIMUTHS, 2), ('squat', AZIMUTHS, 1),
         ('lunge', AZIMUTHS, 1), ('jumping_jack', AZIMUTHS, 1), ('idle', (0, 90, 180, 315), 1),
         ('walk', (0, 90, 180, 315), 1), ('wide_push_up', (0, 20, 340, 180), 2), ('burpee', (15, 345), 2),
         ('push_up', (15, 345), 2), ('sit_up', (15, 165), 1))
UNITS = 'pixels, origin top left; z = metres from the camera along its axis; occluded by the depth of the picture'


def wide_push_up():
    """A push-up with the hands far apart."""
    keys, seconds = push_up()
    return [(fraction, dict(one, left_hand_x=.36, right_hand_x=.36)) for fraction, one in keys], seconds


def sit_up():
    """Starts and ends on the back, knees bent, forearms before the chest."""
    held = dict(arm_forward=70, arm_out=75, elbow=140, arm_twist=-80)
    legs = dict(foot_x=.12, foot_y=-.50, toe_out=5, knee_out=.1)
    lying = pose(pelvis_z=-.70, pelvis_y=0, pelvis_pitch=-84, spine=2, head_pitch=-70, **legs, **held)
    curled = pose(pelvis_z=-.70, pelvis_y=0, pelvis_pitch=-62, spine=30, head_pitch=-20, **legs, **held)
    up = pose(pelvis_z=-.70, pelvis_y=0, pelvis_pitch=-8, spine=28, head_pitch=22, **legs, **held)
    return [(0, lying), (.18, curled), (.42, up), (.5, up), (.8, curled), (1, lying)], 2.6


class AloneTimeline(CrowdTimeline):
    """With the exercises of this file."""

    own_moves = dict(CrowdTimeline.own_moves, wide_push_up=wide_push_up, sit_up=sit_up)


def names():
    """All clips."""
    return list(dict.fromkeys(f'{exercise}-{azimuth:03}-{number}' for exercise, azimuths, count in CLIPS
                              for azimuth in azimuths for number in range(count)))


class Take:
    """One clip: who, where, and the camera."""

    def __init__(self, name):
        self.name = name
        self.exercise, azimuth, _ = name.rsplit('-', 2)
        self.azimuth = int(azimuth)
        self.random = random = np.random.default_rng(zlib.crc32(name.encode()))
        on_floor = self.exercise in ON_FLOOR
        self.pixels = math.exp(random.uniform(*np.log(self._heights())))
        focal = SIZE[1] / 2 / math.tan(math.radians(ANGLE) / 2)
        self.distance = max(focal * BODY_HEIGHT / self.pixels, 4.5 if self.exercise == 'walk' else 1.6)
        height = random.uniform(.25, .9) if random.random() < (.5 if on_floor else .15) else random.uniform(.9, 2.4)
        middle = {'burpee': .75, 'push_up': .25, 'wide_push_up': .25, 'sit_up': .3}.get(self.exercise, .9)
        target = random.uniform(-.15, .15), self.distance, middle + random.uniform(-.1, .1)
        self.camera = CrowdCamera(Viewpoint((0, 0, height), target, ANGLE), SIZE)
        self.timeline = self._timeline()
        look = looks(random, 1)[0]
        self.human = Human(look.body, look.outfit)
        self.body = Body(self.human, look, int(random.integers(1000)))

    def _heights(self):
        """The least and the largest height of a standing person, in pixels."""
        if self.exercise not in ON_FLOOR:
            return 120, 400
        return 170, 340 if self.exercise == 'burpee' else 620

    def _timeline(self):
        if self.exercise in ('idle', 'walk'):
            return AloneTimeline([(self.exercise, SECONDS + 1)])
        tempo = self.random.uniform(.75, 1.25)
        return AloneTimeline([(self.exercise, [tempo] * 8)])

    def place(self, time):
        """x, y and heading."""
        heading = -self.azimuth
        if self.exercise != 'walk':
            return 0, self.distance, heading
        way = WALKING_SPEED * (time - SECONDS / 2)
        turned = math.radians(heading)
        return way * math.sin(turned), self.distance - way * math.cos(turned), heading

    def at(self, time):
        """The person at this second."""
        posed, label, repetition = self.timeline.at(time)
        rotations, positions = solve(self.human.skeleton, posed, self.place(time))
        return Moment(time, label, repetition, rotations, positions, self.human.landmarks(rotations, positions))

    def segments(self, seconds):
        """What the person does, with its time."""
        return [dict(start=0, end=seconds, label=self.exercise)]

    def stage(self):
        """The hall with nothing near or before the person, and no mirror."""
        hall = furnished(self.random, self.camera.location, decorated=False)
        hall.panels = []
        hall.boxes = [box for box in hall.boxes if box.middle[2] + box.size[2] / 2 < .03
                      or math.dist(box.middle[:2], (0, self.distance)) > 2.4 and box.middle[1] > self.distance]
        return Stage(hall, self.camera, [self.body], self.random)


def render(take, out, seconds=SECONDS, rate=RATE):
    """Renders a clip and writes the truth about it."""
    name = take.name
    stage = take.stage()
    frames = round(seconds * rate)
    truth = dict(
        clip=name, width=SIZE[0], height=SIZE[1], fps=rate, frames=frames, landmark_order=ORDER,
        view=f'{take.azimuth} degrees', azimuth=take.azimuth, room='hall', light='bright',
        camera=take.camera.description(),
        people=[dict(id=0, look=name, segments=take.segments(seconds),
                     repetitions=[one for one in take.timeline.repetitions if one['end'] <= seconds])],
        units=UNITS, data=[])
    part = out / f'{name}.part.mp4'
    ffmpeg = subprocess.Popen(
        ['ffmpeg', '-y', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', f'{SIZE[0]}x{SIZE[1]}',
         '-framerate', str(rate), '-i', '-', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23',
         '-pix_fmt', 'yuv420p', '-movflags', '+faststart', str(part)], stdin=subprocess.PIPE)
    for number in range(frames):
        moments = [take.at(number / rate)]
        image, _ = stage.take(moments, number / rate)
        ffmpeg.stdin.write(image.tobytes())
        truth['data'].append(picture_truth(
            number, rate, moments, take.camera,
            lambda landmark, position: stage.is_occluded(position, body_radius(landmark))))
    ffmpeg.stdin.close()
    if ffmpeg.wait():
        sys.exit('alone.py: ffmpeg could not encode the pictures')
    (out / f'{name}.json').write_text(json.dumps(truth, separators=(',', ':')))
    part.rename(out / f'{name}.mp4')


def command_line(description, names, folder, draw):
    """Reads the arguments, and draws the clips that they name, or all that are not there yet, into out/FOLDER."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument('names', nargs='*', metavar='NAME', help='of clips (all that are not there yet)')
    parser.add_argument('--list', action='store_true', help='only print the names')
    arguments = parser.parse_args()
    if arguments.list:
        print('\n'.join(names))
        return
    if unknown := set(arguments.names) - set(names):
        parser.error(f'there is no clip named {sorted(unknown)[0]}; see --list')
    out = FOLDER / 'out' / folder
    out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or [name for name in names if not (out / f'{name}.mp4').exists()]:
        draw(name, out)
        print(f'render: out/{folder}/{name}.mp4 is ready', flush=True)


if __name__ == '__main__':
    command_line('Renders one person who exercises, from many sides.', names(), 'alone',
                 lambda name, out: render(Take(name), out))
