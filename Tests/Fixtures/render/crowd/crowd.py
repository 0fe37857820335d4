#!/usr/bin/env python3
"""Renders a crowd in a hall from a seed, without Blender; ../render.sh --crowd calls it.

    python3 crowd/crowd.py SEED [--people 4] [--seconds 12] [--rate 12] [--name NAME] [--stations]

Writes out/NAME.mp4 and out/NAME.json. Everything follows from the seed, the number of people and the seconds.
"""
import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER / 'crowd')]

# The matrices are small: several threads would wait for each other.
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
os.environ.setdefault('OMP_NUM_THREADS', '1')

import numpy as np                                                  # noqa: E402
import pinups                                                       # noqa: E402
from body import Body                                               # noqa: E402
from clips import Viewpoint                                         # noqa: E402
from hall import furnished                                          # noqa: E402
from human import Human                                             # noqa: E402
from landmarks import ORDER, body_radius                            # noqa: E402
from looks import looks                                             # noqa: E402
from plans import Planner, timeline                                 # noqa: E402
from skeleton import solve                                          # noqa: E402
from stage import CrowdCamera, Stage                                # noqa: E402
from stations import StationPlanner                                 # noqa: E402
from truth import Moment, picture_truth                             # noqa: E402

SIZE = 1280, 960
MIDDLE = np.array([0, 7])       # of the people, on the floor
INSIDE_AT_START = .6
HIDING = .6
UNITS = ('pixels, origin top left; z = metres from the camera along its axis; occluded by the depth of the picture; '
         'visible = the share of the body that is in the picture and not hidden')


class Member:
    """One of the crowd: a body with a plan."""

    def __init__(self, number, look, plan):
        self.number, self.plan = number, plan
        self.timeline = timeline(plan)
        self.human = Human(look.body, look.outfit)
        self.body = Body(self.human, look, number)

    def at(self, time):
        """The person at this second of the clip."""
        pose, label, repetition = self.timeline.at(time)
        rotations, positions = solve(self.human.skeleton, pose, self.plan.place(time))
        return Moment(time, label, repetition, rotations, positions, self.human.landmarks(rotations, positions))

    def description(self, seconds):
        """An entry of the field `people` of a truth."""
        segments = [dict(start=round(one.start, 4), end=round(min(one.end, seconds), 4), label=one.label)
                    for one in self.timeline.segments if one.start < seconds]
        repetitions = [one for one in self.timeline.repetitions if one['end'] <= seconds]
        return dict(id=self.number, look=f'crowd {self.number}', repetitions=repetitions, segments=segments)


def viewpoint(random):
    """A camera under the ceiling that looks down the hall."""
    location = random.uniform(-.4, .4), 0, random.uniform(2.5, 3.1)
    return Viewpoint(location, (random.uniform(-.5, .5), 11, random.uniform(1.0, 1.4)), 50)


def turned(view, degrees):
    """The camera of a second view: as high and as far, this far around the people to the left."""
    angle = np.radians(degrees)
    around = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    def place(x, y, z):
        return (*(around @ (np.array([x, y]) - MIDDLE) + MIDDLE), z)
    return Viewpoint(place(*view.location), place(*view.target), view.angle)


def cast(random, hall, camera, count, seconds, stations):
    """Everybody, with bodies and plans."""
    planner = (StationPlanner if stations else Planner)(hall, camera, seconds, random)
    for number in range(count):
        planner.add(number < round(count * INSIDE_AT_START), random.random() < HIDING)
    return [Member(number, look, plan) for number, (look, plan) in enumerate(zip(looks(random, count), planner.plans))]


def staged(seed, count, seconds, stations=False, turn=0):
    """The stage and its members. The same people do the same whatever the view is."""
    random = np.random.default_rng([seed, count, 19])
    view = viewpoint(random)
    camera = CrowdCamera(view, SIZE)
    hall = furnished(random, camera.location, decorated=count == 0)
    members = cast(random, hall, camera, count, seconds, stations)
    for panel in hall.panels:
        if panel.kind != 'mirror':
            panel.images = pinups.images(panel.kind, random)
    shown = CrowdCamera(turned(view, turn), SIZE) if turn else camera
    return Stage(hall, shown, [member.body for member in members], random), members


def truth_of(name, stage, members, arguments):
    """The document beside the clip, still without its pictures."""
    camera = stage.camera
    panels = [dict(kind=panel.kind, corners=[[round(value, 1) for value in camera.project(corner)[:2]]
                                             for corner in panel.corners()]) for panel in stage.hall.panels]
    return dict(
        clip=name, width=camera.width, height=camera.height, fps=arguments.rate,
        frames=round(arguments.seconds * arguments.rate), landmark_order=ORDER, view='high', room='hall',
        light='bright', seed=arguments.seed, camera=camera.description(), panels=panels,
        people=[member.description(arguments.seconds) for member in members], units=UNITS, data=[])


def encoder(path, rate):
    """An ffmpeg that waits for raw pictures."""
    return subprocess.Popen(
        ['ffmpeg', '-y', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', f'{SIZE[0]}x{SIZE[1]}',
         '-framerate', str(rate), '-i', '-', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23',
         '-pix_fmt', 'yuv420p', '-movflags', '+faststart', str(path)], stdin=subprocess.PIPE)


def render(name, arguments):
    """Renders the pictures and writes the truth about them."""
    stage, members = staged(arguments.seed, arguments.people, arguments.seconds, arguments.stations, arguments.turn)
    truth = truth_of(name, stage, members, arguments)
    out = FOLDER / 'out'
    out.mkdir(exist_ok=True)
    ffmpeg = encoder(out / f'{name}.{os.getpid()}.part.mp4', arguments.rate)
    start = time.monotonic()
    for number in range(truth['frames']):
        moments = [member.at(number / arguments.rate) for member in members]
        image, shares = stage.take(moments, number / arguments.rate)
        ffmpeg.stdin.write(image.tobytes())
        entry = picture_truth(number, arguments.rate, moments, stage.camera,
                              lambda landmark, position: stage.is_occluded(position, body_radius(landmark)))
        for person, share in zip(entry['people'], shares):
            person.update(in_view=share > 0, visible=share)
        truth['data'].append(entry)
        if number % (5 * arguments.rate) == 0:
            print(f'render: {name}, picture {number} of {truth["frames"]}', flush=True)
    ffmpeg.stdin.close()
    if ffmpeg.wait():
        sys.exit('crowd.py: ffmpeg could not encode the pictures')
    truth['render_seconds_per_frame'] = round((time.monotonic() - start) / truth['frames'], 3)
    (out / f'{name}.json').write_text(json.dumps(truth, separators=(',', ':')))
    (out / f'{name}.{os.getpid()}.part.mp4').rename(out / f'{name}.mp4')
    print(f'render: out/{name}.mp4 and out/{name}.json are ready', flush=True)


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(prog='render.sh --crowd', description='Renders a crowd in a hall from a seed.')
    parser.add_argument('seed', type=int, help='any number; the same one gives the same clip')
    parser.add_argument('--people', type=int, default=4, help='how many; 0 shows the empty hall (4)')
    parser.add_argument('--seconds', type=float, default=12, help='how long (12)')
    parser.add_argument('--rate', type=int, default=12, help='pictures a second (12)')
    parser.add_argument('--name', help='of the files (crowd_PEOPLE_SEED or stations_PEOPLE_SEED)')
    parser.add_argument('--stations', action='store_true',
                        help='each person has a place, does several sets there, leaves the picture and comes back')
    parser.add_argument('--turn', type=float, default=0, metavar='DEGREES',
                        help='a second view of the same people, from so far to the left (0)')
    arguments = parser.parse_args()
    if not 0 <= arguments.people <= 16 or arguments.seconds <= 0 or not 1 <= arguments.rate <= 60:
        parser.error('people are 0 to 16, seconds more than 0, pictures a second 1 to 60')
    kind = 'stations' if arguments.stations else 'crowd'
    if arguments.turn:
        kind = f'turned_{kind}'
    render(arguments.name or f'{kind}_{arguments.people}_{arguments.seed}', arguments)


if __name__ == '__main__':
    main()
