"""A pose is a dictionary of numbers a person can author: where pelvis and feet are, how the arms are held.

Lengths are metres for a leg of 0.764 m, angles are degrees; x is the person's left, -y the way the person
faces, z up.
"""

# pelvis_x, _y, _z: offset of the pelvis from standing with straight legs.  pitch: bent forwards.
# spine: bending, spread over three bones.  head_pitch: against the upright, not against the spine.
CENTRAL = dict(
    pelvis_x=0, pelvis_y=0, pelvis_z=-0.012, pelvis_pitch=2, pelvis_yaw=0, pelvis_roll=0,
    spine=0, spine_twist=0, head_pitch=3,
)

# Each of these exists for the left and the right side.  foot_x, _y, _z: the ball of the foot; x counts
# outwards.  arm_out, arm_forward: how far the upper arm is lifted.  arm_twist: turns the plane the elbow
# bends in.  hand_planted: 0 = the hand goes where the arm's angles take it, 1 = it is held at hand_x, _y, _z.
# hand_turn: how far the thumb turns outwards; it points forwards when the arm hangs.  grip: 0 = stretched fingers,
# 1 = a fist.
SIDED = dict(
    foot_x=0.11, foot_y=0.0, foot_z=0, heel_lift=0, toe_out=8, knee_out=0.15,
    arm_out=9, arm_forward=3, arm_twist=-20, elbow=14,
    hand_x=0.2, hand_y=-0.5, hand_z=0.03, hand_planted=0, hand_turn=0, grip=0,
)

SIDES = ('left', 'right')
TURNED_BY_MIRROR = ('pelvis_x', 'pelvis_yaw', 'pelvis_roll', 'spine_twist')


def pose(**changes):
    """Standing, with changes: `arm_out=90` lifts both arms, `left_arm_out=90` the left one."""
    result = dict(CENTRAL)
    for side in SIDES:
        for key, value in SIDED.items():
            result[f'{side}_{key}'] = value
    for key, value in changes.items():
        names = [f'{side}_{key}' for side in SIDES] if key in SIDED else [key]
        for name in names:
            if name not in result:
                raise KeyError(f'a pose has no {name}')
            result[name] = value
    return result


def mirror(original):
    """The same pose with left and right exchanged."""
    result = dict(original)
    for key in SIDED:
        result[f'left_{key}'] = original[f'right_{key}']
        result[f'right_{key}'] = original[f'left_{key}']
    for key in TURNED_BY_MIRROR:
        result[key] = -original[key]
    return result


def scaled(original, factor):
    """The same pose for a person whose legs are `factor` times as long.

    hand_z stays: how high a planted wrist is comes from the hand's thickness, not from the leg.
    """
    lengths = {'pelvis_x', 'pelvis_y', 'pelvis_z'}
    for side in SIDES:
        lengths |= {f'{side}_{key}' for key in ('foot_x', 'foot_y', 'foot_z', 'hand_x', 'hand_y')}
    return {key: value * factor if key in lengths else value
            for key, value in original.items()}


def mixed(first, second, share):
    """Between two poses: `share` 0 is the first, 1 the second, with a soft start and end."""
    weight = share * share * (3 - 2 * share)
    return {key: first[key] * (1 - weight) + second[key] * weight for key in first}
