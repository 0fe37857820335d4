"""The bones: at rest, and posed from a pose's numbers with forward and two-bone inverse kinematics."""
from dataclasses import dataclass
import numpy as np
from pose import scaled
from rotations import about, about_x, about_y, about_z, frame, nearest_rotation, unit

# The key poses were written for a person with a leg of this length.
AUTHORED_LEG = 0.7643

# (name in a pose, ending of the bones, sign of x)
SIDES = (('left', 'l', 1), ('right', 'r', -1))
FINGERS = ('thumb', 'index', 'middle', 'ring', 'pinky')
# How far a fist bends the fingers' bones, against the hand, in degrees.
FIST = 60, 130, 170
FORWARD = np.array([0, -1., 0])
DOWN = np.array([0, 0, -1.])


@dataclass
class Skeleton:
    """A person's bones at rest; parents come before their children."""
    names: list
    parents: list
    heads: np.ndarray
    tails: np.ndarray

    def __post_init__(self):
        self.index = {name: i for i, name in enumerate(self.names)}

    def head(self, name):
        """Where a bone begins."""
        return self.heads[self.index[name]]

    def tail(self, name):
        """Where a bone ends."""
        return self.tails[self.index[name]]

    def between(self, first, second):
        """From the head of one bone to the head of another."""
        return self.head(second) - self.head(first)

    @property
    def leg_length(self):
        """From hip to ankle along the bones."""
        thigh, calf = self.between('thigh_l', 'calf_l'), self.between('calf_l', 'foot_l')
        return np.linalg.norm(thigh) + np.linalg.norm(calf)


class PosedSkeleton:
    """Rotations and head positions of all bones in the world."""

    def __init__(self, rest):
        self.rest = rest
        self.rotations = np.tile(np.eye(3), (len(rest.names), 1, 1))
        self.positions = rest.heads.copy()

    def position(self, name):
        """Where the bone begins, which its parent decides."""
        index = self.rest.index[name]
        parent = self.rest.parents[index]
        offset = self.rest.heads[index] - self.rest.heads[parent]
        return self.positions[parent] + self.rotations[parent] @ offset

    def set(self, name, rotation, position=None):
        """Turns a bone; parents must be set before their children."""
        index = self.rest.index[name]
        self.rotations[index] = rotation
        self.positions[index] = self.position(name) if position is None else position

    def moved(self, x, y, heading):
        """Rotations and positions with the whole person turned, then moved."""
        turn = about_z(heading)
        return turn @ self.rotations, self.positions @ turn.T + np.array([x, y, 0])


def solve(rest, pose, place=(0, 0, 0)):
    """World rotations and head positions of the bones; `place` is x, y and heading in degrees."""
    posed = PosedSkeleton(rest)
    pose = scaled(pose, rest.leg_length / AUTHORED_LEG)
    pelvis = _set_pelvis(posed, pose)
    chest = _set_spine(posed, pose, pelvis)
    for side, ending, sign in SIDES:
        own = {key[len(side) + 1:]: value for key, value in pose.items() if key.startswith(side + '_')}
        _set_leg(posed, own, pelvis, ending, sign)
        _set_arm(posed, own, chest, ending, sign)
    return posed.moved(*place)


def _set_pelvis(posed, pose):
    rest = posed.rest
    hips_at_rest = (rest.head('thigh_l') + rest.head('thigh_r')) / 2
    # With pelvis_z = 0 the legs are just straight.
    hips = hips_at_rest.copy()
    hips[1] = rest.head('foot_l')[1] - .01
    hips[2] = rest.head('foot_l')[2] + rest.leg_length * .998
    hips = hips + np.array([pose['pelvis_x'], pose['pelvis_y'], pose['pelvis_z']])
    rotation = about_z(pose['pelvis_yaw']) @ about_x(pose['pelvis_pitch']) @ about_y(pose['pelvis_roll'])
    posed.set('Root', np.eye(3), rest.head('Root'))
    posed.set('pelvis', rotation, hips + rotation @ (rest.head('pelvis') - hips_at_rest))
    return rotation


def _set_spine(posed, pose, pelvis):
    rotation = pelvis
    for bone, share in (('spine_01', .3), ('spine_02', .35), ('spine_03', .35)):
        rotation = rotation @ about_x(pose['spine'] * share) @ about_z(pose['spine_twist'] * share)
        posed.set(bone, rotation)
    head = about_z(pose['pelvis_yaw'] + pose['spine_twist'] * .4) @ about_x(pose['head_pitch'])
    posed.set('neck_01', nearest_rotation(rotation + head))
    posed.set('head', head)
    return rotation


def two_bones(start, target, first_length, second_length, pole):
    """The middle joint, the end, and the hinge's axis, of two bones that reach for a target.

    The joint bends towards `pole`. A target out of reach is approached as far as the bones go.
    """
    to_target = target - start
    distance = np.linalg.norm(to_target)
    way = to_target / max(distance, 1e-9)
    distance = min(distance, (first_length + second_length) * .9995)
    distance = max(distance, abs(first_length - second_length) * 1.01)
    aside = unit(pole - way * (pole @ way))
    cosine = (first_length ** 2 + distance ** 2 - second_length ** 2) / (2 * first_length * distance)
    height = first_length * np.sqrt(max(0, 1 - cosine * cosine))
    middle = start + way * first_length * cosine + aside * height
    return middle, start + way * distance, np.cross(aside, way)


def _set_leg(posed, pose, pelvis, ending, sign):
    rest = posed.rest
    thigh, calf, foot, ball = (f'{bone}_{ending}' for bone in ('thigh', 'calf', 'foot', 'ball'))
    toes_out = about_z(pose['toe_out'] * sign)
    foot_rotation = toes_out @ about_x(pose['heel_lift'])
    ball_at_rest = rest.head(ball)
    ball_position = np.array([pose['foot_x'] * sign, ball_at_rest[1] - .03 + pose['foot_y'],
                              ball_at_rest[2] + pose['foot_z']])
    ankle = ball_position + foot_rotation @ rest.between(ball, foot)
    pole = pelvis @ FORWARD * .6 + toes_out @ FORWARD * .8
    if pose['heel_lift'] > 50:
        # On tiptoe, as in a plank, the knee points to the floor.
        pole = pole + DOWN * .7
    pole = pole + np.array([sign * pose['knee_out'], 0, 0])
    hip = posed.position(thigh)
    upper, lower = rest.between(thigh, calf), rest.between(calf, foot)
    knee, end, hinge = two_bones(hip, ankle, np.linalg.norm(upper), np.linalg.norm(lower), pole)
    hinge_at_rest = np.array([1.0, 0, 0])
    posed.set(thigh, frame(knee - hip, hinge) @ frame(upper, hinge_at_rest).T)
    posed.set(calf, frame(end - knee, hinge) @ frame(lower, hinge_at_rest).T)
    posed.set(foot, foot_rotation)
    posed.set(ball, toes_out @ about_x(_toe_pitch(pose)))


def _toe_pitch(pose):
    """Toes stay flat on the floor while the heel lifts up to 50 degrees, and follow the foot in the air."""
    lift = pose['heel_lift']
    if lift <= 0:
        return lift
    on_floor = np.clip(1 - pose['foot_z'] / .03, 0, 1)
    return max(lift * (1 - on_floor), lift - 50)


def _set_arm(posed, pose, chest, ending, sign):
    rest = posed.rest
    clavicle, upper_arm, lower_arm, hand = (
        f'{bone}_{ending}' for bone in ('clavicle', 'upperarm', 'lowerarm', 'hand'))
    shrug = max(0, pose['arm_out'] - 50) * .22 + max(0, pose['arm_forward'] - 60) * .05
    posed.set(clavicle, chest @ about_y(-sign * shrug))
    shoulder = posed.position(upper_arm)
    upper, lower = rest.between(upper_arm, lower_arm), rest.between(lower_arm, hand)
    lengths = np.linalg.norm(upper), np.linalg.norm(lower)
    wrist, pole = _wrist_target(pose, chest, shoulder, lengths, sign)
    elbow, wrist, hinge = two_bones(shoulder, wrist, *lengths, pole)
    # The arm at rest is bent a little: the elbow points away from the side it bends to.
    pole_at_rest = -(lower - unit(upper) * (lower @ unit(upper)))
    hinge_at_rest = np.cross(pole_at_rest, unit(rest.between(upper_arm, hand)))
    forearm_rotation = frame(wrist - elbow, hinge) @ frame(lower, hinge_at_rest).T
    posed.set(upper_arm, frame(elbow - shoulder, hinge) @ frame(upper, hinge_at_rest).T)
    # Half of the turn is the forearm's.
    half_turn = about(lower, -sign * pose['hand_turn'] / 2)
    posed.set(lower_arm, forearm_rotation @ half_turn)
    _set_hand(posed, pose, forearm_rotation @ half_turn @ half_turn, ending, sign)


def _wrist_target(pose, chest, shoulder, lengths, sign):
    """Where the wrist shall be and where the elbow shall point to."""
    lifted = chest @ about_x(-pose['arm_forward']) @ about_y(-sign * pose['arm_out'])
    along = lifted @ DOWN
    bend = about(along, -sign * pose['arm_twist']) @ (lifted @ FORWARD)
    angle = np.radians(pose['elbow'])
    wrist = shoulder + along * lengths[0] + (np.cos(angle) * along + np.sin(angle) * bend) * lengths[1]
    pole = -bend
    planted = pose['hand_planted']
    if planted > 0:
        floor = np.array([sign * pose['hand_x'], pose['hand_y'], pose['hand_z']])
        wrist = wrist * (1 - planted) + floor * planted
        pole = unit(pole * (1 - planted) + np.array([sign * .55, .8, .1]) * planted)
    return wrist, pole


def _set_hand(posed, pose, forearm_rotation, ending, sign):
    rest, planted = posed.rest, pose['hand_planted']
    hand = f'hand_{ending}'
    fingers_way = rest.between(hand, f'middle_01_{ending}')
    knuckles_way = rest.between(f'pinky_01_{ending}', f'index_01_{ending}')
    rotation = thumb_rotation = forearm_rotation
    if planted > 0:
        flat = frame(np.array([-sign * .12, -1, -.12]), np.array([-sign, 0, 0.]))
        flat = flat @ frame(fingers_way, knuckles_way).T
        rotation = nearest_rotation(forearm_rotation * (1 - planted) + flat * planted)
        # A planted hand spreads the thumb sideways; it would go through the floor.
        thumb_rotation = rotation @ about(unit(fingers_way), -sign * 55 * planted)
    posed.set(hand, rotation)
    for finger in FINGERS:
        for joint, bend in zip((1, 2, 3), FIST):
            curl = about(-sign * knuckles_way, bend * pose['grip'])
            posed.set(f'{finger}_0{joint}_{ending}', thumb_rotation if finger == 'thumb' else rotation @ curl)
