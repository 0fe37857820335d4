"""Which vertices mean which landmark. The 33 landmarks and their order are those of BlazePose."""
import numpy as np
from body_data import BODY_VERTICES

_HEAD = ['nose', 'left_eye_inner', 'left_eye', 'left_eye_outer', 'right_eye_inner', 'right_eye',
         'right_eye_outer', 'left_ear', 'right_ear', 'mouth_left', 'mouth_right']
_LIMBS = ['shoulder', 'elbow', 'wrist', 'pinky', 'index', 'thumb', 'hip', 'knee', 'ankle', 'heel',
          'foot_index']
ORDER = _HEAD + [f'{side}_{joint}' for joint in _LIMBS for side in ('left', 'right')]

# Joints inside the body are the middle of a cube of helper vertices that comes with the mesh.
JOINT_CUBES = dict(
    shoulder='shoulder', elbow='elbow', wrist='hand', hip='upper-leg', knee='knee', ankle='ankle',
    pinky='finger-5-1', index='finger-2-1', thumb='finger-1-3')

# A landmark inside the body counts as seen when what the ray meets is no farther from it than the body is
# thick there, in metres.
BODY_RADIUS = dict(hip=.17, shoulder=.12, knee=.10, elbow=.09)
OTHER_RADIUS = .055


def body_radius(landmark):
    """How much nearer to the camera than this landmark the body's own surface may be, in metres."""
    radii = [radius for ending, radius in BODY_RADIUS.items() if landmark.endswith(ending)]
    return radii[0] if radii else OTHER_RADIUS


def landmark_vertices(human):
    """Vertex numbers by landmark; a landmark is the mean of its vertices."""
    body = np.arange(BODY_VERTICES)
    head = body[human.pull('head')[body] > 0.5]
    result = {'nose': _nose(human, head)}
    for side, letter, sign in (('left', 'l', 1), ('right', 'r', -1)):
        result.update(_eye(human, side, letter, sign))
        result[f'{side}_ear'] = _ear(human, head, sign)
        result[f'mouth_{side}'] = _mouth_corner(human, head, sign)
        for joint, cube in JOINT_CUBES.items():
            result[f'{side}_{joint}'] = list(human.groups[f'joint-{letter}-{cube}'])
        foot = body[human.pull(f'foot_{letter}', f'ball_{letter}')[body] > 0.5]
        sole = foot[human.vertices[foot][:, 2] < 0.05]
        result[f'{side}_heel'] = [sole[human.vertices[sole][:, 1].argmax()]]
        result[f'{side}_foot_index'] = [sole[human.vertices[sole][:, 1].argmin()]]
    return result


def _nose(human, head):
    """The foremost point on the middle of the face below the eyes."""
    points = human.vertices[head]
    eye_height = human.centre('joint-l-eye')[2]
    below_eyes = (points[:, 2] < eye_height) & (points[:, 2] > eye_height - 0.07)
    middle = (np.abs(points[:, 0]) < 0.01) & below_eyes
    return [head[middle][points[middle][:, 1].argmin()]]


def _eye(human, side, letter, sign):
    ball = human.groups[f'helper-{letter}-eye']
    points = human.vertices[ball]
    outwards = points[:, 0] * sign
    return {f'{side}_eye': list(ball[points[:, 1] < np.quantile(points[:, 1], 0.3)]),
            f'{side}_eye_inner': [ball[outwards.argmin()]],
            f'{side}_eye_outer': [ball[outwards.argmax()]]}


def _ear(human, head, sign):
    """The point farthest to the side."""
    points = human.vertices[head]
    side = points[:, 0] * sign > 0
    return [head[side][(points[side][:, 0] * sign).argmax()]]


def _mouth_corner(human, head, sign):
    """The point of the face nearest to 25 mm beside the middle of the lips."""
    points = human.vertices[head]
    height = human.centre('joint-mouth')[2]
    lips = (np.abs(points[:, 0]) < .02) & (np.abs(points[:, 2] - height) < .02)
    corner = np.array([sign * 0.025, points[lips][:, 1].min() + 0.012, height])
    return [head[np.linalg.norm(points - corner, axis=1).argmin()]]
