#!/usr/bin/env python3
"""Renders people who fall and then lie still; ../render.sh --falls calls it.

    python3 crowd/falls.py --list            # the names
    python3 crowd/falls.py [NAME...]         # these, or all that are not there yet

Writes out/falls/NAME.mp4 and .json, 640 x 480, 10 pictures a second. A name holds the fall, the azimuth of the body before it
in degrees (0 faces the camera) and a number. Everything follows from the name.

topple     the body tips over its feet, stiff
collapse   the knees give way, then the body tips over
slip       the body tips backwards, the quickest

The first two go forwards, backwards or to a side. Lying, the body breathes. Models/figures/falls.py measures how soon a node tells
of them.
"""
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER / 'crowd')]

import numpy as np                                                  # noqa: E402
from alone import AloneTimeline, Take, command_line, render                       # noqa: E402
from pose import mixed, pose                                        # noqa: E402
from rotations import about                                         # noqa: E402
from skeleton import solve                                          # noqa: E402
from truth import Moment                                            # noqa: E402

RATE = 10
BEFORE, AFTER = 5.0, 17.0       # seconds of standing and of lying
FALLS = dict(topple=(.8, 1.3), collapse=(.9, 1.5), slip=(.6, .9))       # seconds from standing to the floor
AZIMUTHS = range(0, 360, 30)
EACH = dict(topple=3, collapse=3, slip=3)
JOINT_HEIGHT = .075             # of the lowest joint of a lying body, metres
LYING_DEGREES = 90


def names():
    """All clips."""
    return [f'{fall}-{azimuth:03}-{number}' for fall in FALLS for azimuth in AZIMUTHS for number in range(EACH[fall])]


def eased(share):
    return share * share * (3 - 2 * share)


class Fall(Take):
    """One clip: who falls, where to, and the camera."""

    def __init__(self, name):
        super().__init__(name)
        random = self.random
        self.began = BEFORE + random.uniform(-.5, .5)
        self.seconds = random.uniform(*FALLS[self.exercise])
        # 0 is forwards, 90 to the own left side.
        way = 180 if self.exercise == 'slip' else random.choice([0, 90, 180, 270])
        turned = math.radians(way + random.uniform(-20, 20) - self.azimuth)
        self.axis = np.array([math.cos(turned), math.sin(turned), 0])
        self.sprawled = (self._on_side if way in (90, 270) else self._flat)(random)
        self.buckled = pose(pelvis_z=-.33, pelvis_y=.1, pelvis_pitch=22, spine=18, head_pitch=35, knee_out=.2,
                            arm_out=20, arm_forward=20, elbow=40)

    def _heights(self):
        return 110, 250

    def _timeline(self):
        return AloneTimeline([('idle', BEFORE + AFTER + 2)])

    @staticmethod
    def _flat(random):
        """On the belly or the back: arms and legs spread sideways, each in its own way."""
        limbs = {f'{side}_{key}': random.uniform(*span) for side in ('left', 'right') for key, span in dict(
            arm_out=(8, 120), arm_forward=(-4, 4), elbow=(5, 95), foot_x=(.08, .35), knee_out=(.6, 1.5)).items()}
        return pose(pelvis_z=-random.uniform(.02, .18), pelvis_pitch=random.uniform(-3, 3), heel_lift=40,
                    arm_twist=random.choice([-90, 90]), head_pitch=random.uniform(-8, 8), **limbs)

    @staticmethod
    def _on_side(random):
        """On a side: arms before the body, legs more or less drawn up."""
        limbs = {f'{side}_{key}': random.uniform(*span) for side in ('left', 'right') for key, span in dict(
            arm_forward=(0, 100), elbow=(5, 110), foot_y=(-.1, .25)).items()}
        return pose(pelvis_z=-random.uniform(.02, .35), pelvis_y=random.uniform(0, .15), pelvis_pitch=random.uniform(0, 30),
                    spine=random.uniform(0, 25), arm_out=3, arm_twist=0, foot_x=.07, knee_out=0, heel_lift=20,
                    head_pitch=random.uniform(5, 35), **limbs)

    def segments(self, seconds):
        end = round(self.began + self.seconds, 3)
        return [dict(start=0, end=round(self.began, 3), label='idle'),
                dict(start=round(self.began, 3), end=end, label='fall'),
                dict(start=end, end=seconds, label='lie')]

    def place(self, time):
        return 0, self.distance, -self.azimuth

    def at(self, time):
        posed, _, _ = self.timeline.at(time)
        share = min(max((time - self.began) / self.seconds, 0), 1)
        label = 'idle' if share == 0 else 'lie' if share == 1 else 'fall'
        if self.exercise == 'collapse':
            posed = mixed(posed, self.buckled, eased(min(share / .45, 1)))
        posed = mixed(posed, self.sprawled, eased(min(share / .8, 1) if self.exercise != 'collapse'
                                                  else max(share - .35, 0) / .65))
        if share == 1:
            posed['spine'] += .6 * math.sin(1.5 * time)
        rotations, positions = solve(self.human.skeleton, posed, self.place(time))
        if share:
            rotations, positions = self._tipped(share, rotations, positions)
        return Moment(time, label, None, rotations, positions, self.human.landmarks(rotations, positions))

    def _tipped(self, share, rotations, positions):
        """The whole body turned over its feet, no joint below the floor."""
        delay = .35 if self.exercise == 'collapse' else 0
        tipping = max(share - delay, 0) / (1 - delay)
        turn = about(self.axis, LYING_DEGREES * tipping ** 2.2)
        pivot = np.array([0, self.distance, 0])
        positions = (positions - pivot) @ turn.T + pivot
        lowest = positions[1:, 2].min()         # without the root, which is on the floor between the feet
        height = min(self._lowest_standing(), JOINT_HEIGHT) * (1 - tipping) + JOINT_HEIGHT * tipping
        return turn @ rotations, positions + np.array([0, 0, height - lowest])

    def _lowest_standing(self):
        _, positions = solve(self.human.skeleton, pose(), self.place(0))
        return positions[1:, 2].min()


if __name__ == '__main__':
    command_line('Renders people who fall and then lie still.', names(), 'falls',
                 lambda name, out: render(Fall(name), out, BEFORE + AFTER, RATE))
