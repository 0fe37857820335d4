"""From a list of activities to a pose at any time, with the label and the repetition that belong to it."""
from dataclasses import dataclass
from functools import partial
from typing import Callable
import numpy as np
from exercises import EXERCISES, PASTIMES
from pose import SIDES, mirror, mixed

BLEND_SECONDS = .22

# Exercises of which the left and the right side do every second repetition.
IN_TURN = ('lunge', 'high_knees', 'mountain_climber', 'step_up')

# Where in a repetition the extreme is: the plank of a burpee, the top of a swing, the middle of everything else.
EXTREMES = dict(burpee=.36, kettlebell_swing=.63)
EXTREME = .5


def interpolate(times, values, time):
    """Monotone cubic interpolation (PCHIP): smooth, and never beyond the key values."""
    times, values = np.asarray(times, float), np.asarray(values, float)
    widths = np.diff(times)
    slopes = np.diff(values) / widths
    tangents = np.zeros(len(times))
    for i in range(1, len(times) - 1):
        if slopes[i - 1] * slopes[i] > 0:
            before, after = 2 * widths[i] + widths[i - 1], widths[i] + 2 * widths[i - 1]
            tangents[i] = (before + after) / (before / slopes[i - 1] + after / slopes[i])
    i = np.clip(np.searchsorted(times, time, 'right') - 1, 0, len(widths) - 1)
    s = np.clip((time - times[i]) / widths[i], 0, 1)
    return ((1 + 2 * s) * (1 - s) ** 2 * values[i] + s * (1 - s) ** 2 * widths[i] * tangents[i]
            + s * s * (3 - 2 * s) * values[i + 1] + s * s * (s - 1) * widths[i] * tangents[i + 1])


def _first_pose(name, _tempos, options, _time):
    """How an exercise begins."""
    keys, _ = EXERCISES[name](**options)
    return keys[0][1]


@dataclass
class Segment:
    """A stretch of time with one label."""
    start: float
    end: float
    label: str
    pose_at: Callable


class Timeline:
    """Plays activities one after another.

    An activity is ('idle', seconds), ('walk', seconds) or (exercise, [tempo, ...]) with a repetition for
    every tempo: 0.9 takes 0.9 of the exercise's usual time. A third element holds the options of what is done.
    ('ready', seconds) is standing still as the exercise beside it begins, such as with a weight in the hands.
    """

    def __init__(self, activities):
        self.segments = []
        self.repetitions = []
        self.duration = 0.0
        for index, (name, amount, *options) in enumerate(activities):
            if name == 'ready':
                self._append('idle', amount, partial(_first_pose, *activities[index + 1 if index == 0 else index - 1]))
            elif name in PASTIMES:
                self._append(name, amount, partial(PASTIMES[name], **(options[0] if options else {})))
            else:
                self._append_exercise(name, amount, *options)

    def _append(self, label, seconds, pose_at):
        end = self.duration + seconds
        self.segments.append(Segment(self.duration, end, label, pose_at))
        self.duration = end

    def _append_exercise(self, name, tempos, options=None):
        options = options or {}
        keys, period = EXERCISES[name](**options)
        in_turn = name in IN_TURN or options.get('in_turn')
        times, poses = [], []
        start = self.duration
        time = start
        for index, tempo in enumerate(tempos):
            seconds = period * tempo
            mirrored = in_turn and index % 2 == 1
            for fraction, key_pose in keys:
                # A repetition begins with the pose the one before it ended with.
                if times and fraction == 0:
                    continue
                times.append(time + fraction * seconds)
                poses.append(mirror(key_pose) if mirrored else key_pose)
            self._note_repetition(name, index + 1, time, seconds)
            if in_turn:
                self.repetitions[-1]['side'] = SIDES[index % 2]
            time += seconds
        values = {key: [key_pose[key] for key_pose in poses] for key in poses[0]}
        self.segments.append(Segment(start, time, name, lambda at: {
            key: interpolate(times, column, at) for key, column in values.items()}))
        self.duration = time

    def _note_repetition(self, exercise, number, start, seconds):
        extreme = EXTREMES.get(exercise, EXTREME)
        self.repetitions.append(dict(
            exercise=exercise, rep=number, start=round(start, 4), end=round(start + seconds, 4),
            extreme=round(start + seconds * extreme, 4)))

    def at(self, time):
        """The pose, the label, and the repetition (None outside of an exercise)."""
        playing = [i for i, segment in enumerate(self.segments) if segment.start <= time < segment.end]
        index = playing[0] if playing else len(self.segments) - 1
        segment = self.segments[index]
        pose = segment.pose_at(time)
        if segment.label in PASTIMES:
            pose = self._blended(pose, index, time)
        repetition = next((one for one in self.repetitions if one['start'] <= time < one['end']), None)
        return pose, segment.label, repetition

    def _blended(self, pose, index, time):
        """Standing and walking give way to their neighbours; an exercise itself is never changed."""
        segment = self.segments[index]
        until_end, since_start = segment.end - time, time - segment.start
        if index + 1 < len(self.segments) and until_end < BLEND_SECONDS:
            following = self.segments[index + 1]
            pose = mixed(pose, following.pose_at(following.start), 1 - until_end / BLEND_SECONDS)
        if index > 0 and since_start < BLEND_SECONDS:
            preceding = self.segments[index - 1]
            pose = mixed(pose, preceding.pose_at(preceding.end - 1e-6), 1 - since_start / BLEND_SECONDS)
        return pose
