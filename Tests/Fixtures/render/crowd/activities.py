"""What people in a crowd do besides the exercises of the clips: push-ups, sitting, getting down and up."""
import numpy as np
from exercises import EXERCISES, PASTIMES, burpee
from motion import BLEND_SECONDS, Segment, Timeline, interpolate
from pose import mixed, pose

DOWN_SECONDS, UP_SECONDS = 1.7, 1.6
SITTING_BLEND_SECONDS = .55


def _on_hands(**changes):
    return pose(hand_x=.20, hand_y=-.47, hand_z=.035, foot_x=.10, foot_y=.86, heel_lift=72, arm_forward=90,
                hand_planted=1, **changes)


def push_up(depth=1.0):
    """Starts and ends in the plank."""
    plank = _on_hands(pelvis_z=-.452, pelvis_y=.005, pelvis_pitch=77, spine=-2, head_pitch=58)
    low = _on_hands(pelvis_z=-.452 - .15 * depth, pelvis_y=.0, pelvis_pitch=77 + 8 * depth, spine=-3, head_pitch=62)
    return [(0, plank), (.42, low), (.52, low), (.92, plank), (1, plank)], 2.0


def _burpee_part(first, last):
    """The key poses of a burpee between two fractions of it, from 0 to 1."""
    keys = [(fraction, key_pose) for fraction, key_pose in burpee()[0] if first <= fraction <= last]
    return [((fraction - first) / (last - first), key_pose) for fraction, key_pose in keys]


def get_down():
    """From standing to the plank, as a burpee begins."""
    return _burpee_part(0, .345), DOWN_SECONDS


def get_up():
    """From the plank to standing: the way down, backwards."""
    return [(1 - fraction, key_pose) for fraction, key_pose in get_down()[0]][::-1], UP_SECONDS


def sit(time):
    """Sitting on a bench whose middle is 0.36 m behind the heels."""
    return pose(pelvis_z=-.385, pelvis_y=.36, pelvis_pitch=4 + 3 * np.sin(.5 * time), spine=10 + 4 * np.sin(.37 * time),
                head_pitch=8 + 5 * np.sin(.6 * time), foot_x=.15, arm_forward=42, arm_out=8, elbow=48, arm_twist=-10)


TRANSITIONS = dict(get_down=get_down, get_up=get_up)
STILL = dict(PASTIMES, sit=sit)
MOVES = dict(EXERCISES, push_up=push_up)


class CrowdTimeline(Timeline):
    """Like Timeline, with the activities of this file, and with soft changes between standing, walking and sitting."""

    # Exercises that are key poses beside those of the clips.
    own_moves = dict(push_up=push_up)

    def __init__(self, activities):
        self.segments = []
        self.repetitions = []
        self.duration = 0.0
        for name, amount in activities:
            if name in STILL:
                self._append(name, amount, STILL[name])
            elif name in TRANSITIONS:
                self._append_transition(*TRANSITIONS[name]())
            else:
                self._append_moves(name, amount)

    def _append_transition(self, keys, seconds):
        times = [self.duration + fraction * seconds for fraction, _ in keys]
        values = {key: [key_pose[key] for _, key_pose in keys] for key in keys[0][1]}
        self._append('idle', seconds, lambda at: {
            key: interpolate(times, column, at) for key, column in values.items()})
        self.segments[-1].exact = True

    def _append_moves(self, name, tempos):
        if name not in self.own_moves:
            return self._append_exercise(name, tempos)
        keys, period = self.own_moves[name]()
        for index, tempo in enumerate(tempos):
            seconds = period * tempo
            times = [self.duration + fraction * seconds for fraction, _ in keys]
            values = {key: [key_pose[key] for _, key_pose in keys] for key in keys[0][1]}
            self._note_repetition(name, index + 1, self.duration, seconds)
            self.segments.append(Segment(
                self.duration, self.duration + seconds, name,
                lambda at, times=times, values=values: {
                    key: interpolate(times, column, at) for key, column in values.items()}))
            self.duration += seconds
        return None

    def at(self, time):
        """The pose, the label, and the repetition (None outside of an exercise)."""
        time = min(time, self.duration - 1e-6)
        index = next((i for i, one in enumerate(self.segments) if one.start <= time < one.end), len(self.segments) - 1)
        segment = self.segments[index]
        pose_now = segment.pose_at(time)
        for other, edge in ((index - 1, segment.start), (index + 1, segment.end)):
            if 0 <= other < len(self.segments):
                pose_now = self._softened(pose_now, segment, self.segments[other], time, edge)
        repetition = next((one for one in self.repetitions if one['start'] <= time < one['end']), None)
        return pose_now, segment.label, repetition

    @staticmethod
    def _softened(pose_now, own, other, time, edge):
        """An exercise is never changed; what is beside it gives way, and two pastimes meet half way."""
        seconds = SITTING_BLEND_SECONDS if 'sit' in (own.label, other.label) else BLEND_SECONDS
        distance = abs(time - edge)
        if _is_exact(own) or distance >= seconds:
            return pose_now
        if _is_exact(other):
            border = other.start if other.start == edge else other.end - 1e-6
            return mixed(pose_now, other.pose_at(border), 1 - distance / seconds)
        return mixed(pose_now, other.pose_at(time), .5 * (1 - distance / seconds))


def _is_exact(segment):
    return segment.label not in STILL or getattr(segment, 'exact', False)
