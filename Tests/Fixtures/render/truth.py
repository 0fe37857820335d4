"""What is true in a clip: everyone's landmarks, labels and repetitions in every picture. Without Blender."""
import math
from dataclasses import dataclass
import numpy as np
from clips import LOOKS
from human import Human
from landmarks import ORDER
from motion import Timeline
from rotations import unit
from skeleton import solve

UNITS = ('pixels, origin top left; z = metres from the camera along its axis; '
         'occluded by ray cast against all meshes')


class Camera:
    """A pinhole: where it stands, its axes as rows, and its focal length in pixels."""

    def __init__(self, viewpoint, size):
        self.viewpoint = viewpoint
        self.width, self.height = size
        self.location = np.array(viewpoint.location, float)
        forward = unit(np.array(viewpoint.target, float) - self.location)
        right = unit(np.cross(forward, [0, 0, 1]))
        self.axes = np.stack([right, np.cross(right, forward), forward])
        self.focal = self.height / 2 / math.tan(math.radians(viewpoint.angle) / 2)

    def project(self, point):
        """x and y in pixels from the top left, and the distance along the camera's axis in metres."""
        right, up, forward = self.axes @ (np.asarray(point) - self.location)
        return (float(self.width / 2 + self.focal * right / forward),
                float(self.height / 2 - self.focal * up / forward), float(forward))

    def sees(self, x, y):
        """Whether a pixel is inside the picture."""
        return 0 <= x < self.width and 0 <= y < self.height

    def description(self):
        """The field `camera` of a truth."""
        return dict(location=self.location.tolist(), rows_right_up_forward=self.axes.tolist(),
                    focal_px=self.focal, cx=self.width / 2, cy=self.height / 2)


@dataclass
class Moment:
    """One person in one picture."""
    time: float
    label: str
    repetition: dict
    rotations: np.ndarray
    positions: np.ndarray
    landmarks: dict


class Performer:
    """A person who plays a role."""

    def __init__(self, role):
        self.role = role
        self.look = LOOKS[role.look]
        self.timeline = Timeline(role.timeline)
        self.human = Human(self.look.body, self.look.outfit)

    def at(self, time):
        """The person at this second of the clip."""
        # Who has finished before the others keeps the last pose.
        pose, label, repetition = self.timeline.at(min(time, self.timeline.duration - 1e-6))
        place = self.role.place(time) if callable(self.role.place) else self.role.place
        rotations, positions = solve(self.human.skeleton, pose, place)
        landmarks = self.human.landmarks(rotations, positions)
        return Moment(time, label, repetition, rotations, positions, landmarks)

    def description(self):
        """An entry of the field `people` of a truth."""
        segments = [dict(start=round(segment.start, 4), end=round(segment.end, 4), label=segment.label)
                    for segment in self.timeline.segments]
        return dict(look=self.role.look, repetitions=self.timeline.repetitions, segments=segments)


def picture_count(performers, rate):
    """Until the last of them has finished."""
    return int(round(max(performer.timeline.duration for performer in performers) * rate))


def clip_truth(name, clip, camera, performers):
    """The document beside a clip, still without its pictures: `data` is empty."""
    return dict(
        clip=name, width=camera.width, height=camera.height, fps=clip.rate,
        frames=picture_count(performers, clip.rate),
        landmark_order=ORDER, view=clip.view, room=clip.room, light=clip.light, camera=camera.description(),
        people=[performer.description() for performer in performers], units=UNITS, data=[])


def picture_truth(number, rate, moments, camera, is_occluded, digits=2):
    """One entry of `data`; `is_occluded(landmark's name, its position)` tells what the camera cannot see.

    Pixels have so many `digits`, metres twice as many.
    """
    return dict(frame=number, t=round(number / rate, 5),
                people=[_person_truth(moment, camera, is_occluded, digits) for moment in moments])


def _person_truth(moment, camera, is_occluded, digits):
    points = []
    for name in ORDER:
        position = moment.landmarks[name]
        x, y, distance = camera.project(position)
        points.append([round(x, digits), round(y, digits), round(distance, 2 * digits), int(camera.sees(x, y)),
                       is_occluded(name, position)])
    repetition = moment.repetition
    phase = None
    if repetition:
        phase = round((moment.time - repetition['start']) / (repetition['end'] - repetition['start']), 4)
    return dict(label=moment.label, rep=repetition['rep'] if repetition else 0, phase=phase, landmarks=points)
