"""What people do: key poses of the exercises, written by hand, and the formulas of walking and standing.

An exercise returns its key poses, [(fraction of the repetition, pose), ...] from 0 to 1, and the seconds a
repetition takes.
"""
import numpy as np
from floor import FLOOR, HELD
from pose import SIDES, pose
from steps import STEPS
from strength import STRENGTH

WALKING_SPEED = 1.15            # metres a second
WALKING_CADENCE = 0.95          # double steps a second


def jumping_jack(reach=1.0):
    """`reach` below 1 spreads arms and legs less."""
    closed = pose(arm_out=8, elbow=10, foot_x=.085, pelvis_z=-.02)
    wind_up = pose(arm_out=12, elbow=14, foot_x=.085, pelvis_z=-.055, spine=3)
    flight = pose(arm_out=88, elbow=18, arm_twist=30, foot_x=.24, foot_z=.055, heel_lift=22, pelvis_z=.035)
    landing = pose(arm_out=150 * reach, elbow=20, arm_twist=80, foot_x=.40 * reach, foot_z=0, heel_lift=8,
                   pelvis_z=-.085, knee_out=.5)
    wide = pose(arm_out=168 * reach, elbow=22, arm_twist=88, foot_x=.41 * reach, pelvis_z=-.115, knee_out=.5)
    push_off = pose(arm_out=160 * reach, elbow=22, arm_twist=85, foot_x=.41 * reach, heel_lift=4,
                    pelvis_z=-.125, knee_out=.5)
    back = pose(arm_out=18, elbow=14, foot_x=.085, pelvis_z=-.045, heel_lift=6)
    keys = [(0, closed), (.07, wind_up), (.25, flight), (.42, landing), (.50, wide), (.57, push_off),
            (.75, flight), (.92, back), (1, closed)]
    return keys, 1.15


def squat(depth=1.0, arms='front'):
    """`arms` is 'front' for arms stretched forwards, 'chest' for hands held before the chest."""
    if arms == 'front':
        held = dict(arm_forward=88, arm_out=6, elbow=10, arm_twist=0)
        standing, half, low = dict(arm_forward=8), dict(held, arm_forward=92), dict(held, arm_forward=122)
    else:
        standing = half = low = dict(arm_forward=35, arm_out=25, elbow=130, arm_twist=-25)
    up = pose(foot_x=.19, toe_out=16, pelvis_z=-.03, **standing)
    middle = pose(foot_x=.19, toe_out=18, knee_out=.35, pelvis_z=-.22 * depth, pelvis_y=.14 * depth,
                  pelvis_pitch=24 * depth, spine=2, head_pitch=8, **half)
    bottom = pose(foot_x=.19, toe_out=18, knee_out=.5, pelvis_z=-.43 * depth, pelvis_y=.25 * depth,
                  pelvis_pitch=38 * depth, spine=4, head_pitch=10, **low)
    keys = [(0, up), (.06, up), (.27, middle), (.47, bottom), (.55, bottom), (.75, middle), (.95, up),
            (1, up)]
    return keys, 2.4


def lunge(depth=1.0, arms='hips'):
    """The left leg steps; a timeline mirrors every second repetition. `arms` is 'hips' or 'hanging'."""
    held = dict(arm_out=9, arm_forward=0, elbow=16)
    if arms == 'hips':
        held = dict(arm_out=38, arm_forward=-12, elbow=92, arm_twist=-62)
    up = pose(foot_x=.10, **held)
    step = pose(pelvis_z=-.03, pelvis_y=-.06,
                left_foot_x=.11, left_foot_y=-.30, left_foot_z=.12, left_heel_lift=10,
                right_foot_x=.10, right_heel_lift=4, **held)
    touch = pose(pelvis_z=-.11, pelvis_y=-.26,
                 left_foot_x=.12, left_foot_y=-.66, left_foot_z=0, left_heel_lift=-8,
                 right_foot_x=.10, right_heel_lift=30, **held)
    bottom = pose(pelvis_z=-.40 * depth, pelvis_y=-.36, pelvis_pitch=5,
                  left_foot_x=.12, left_foot_y=-.68, left_foot_z=0, left_knee_out=.1,
                  right_foot_x=.10, right_heel_lift=55, right_knee_out=.05, **held)
    back = pose(pelvis_z=-.05, pelvis_y=-.12,
                left_foot_x=.11, left_foot_y=-.32, left_foot_z=.10, left_heel_lift=12,
                right_foot_x=.10, right_heel_lift=8, **held)
    keys = [(0, up), (.05, up), (.17, step), (.27, touch), (.47, bottom), (.54, bottom), (.70, touch),
            (.82, back), (.95, up), (1, up)]
    return keys, 2.6


def burpee(overhead=True):
    """Down to a plank, up again and a jump; `overhead` throws the arms up in the jump."""
    down = _burpee_on_the_floor()
    up = _burpee_jump(overhead)
    standing = _burpee_pose(foot_x=.12)
    keys = [(0, standing), (.09, down['half']), (.19, down['crouch']), (.27, down['kick']),
            (.345, down['plank']), (.46, down['low_plank']), (.50, down['plank']), (.56, down['kick']),
            (.635, down['crouch']), (.71, up['rise']), (.765, up['take_off']), (.82, up['top']),
            (.865, up['landing']), (.915, up['absorb']), (1, standing)]
    return keys, 3.4


def _burpee_pose(**changes):
    """The place of the hands on the floor is in every pose, so that planting them never drags them along."""
    return pose(hand_x=.20, hand_y=-.47, hand_z=.035, **changes)


def _burpee_on_the_floor():
    return dict(
        half=_burpee_pose(
            pelvis_z=-.26, pelvis_y=.12, pelvis_pitch=38, spine=10, head_pitch=25,
            foot_x=.13, knee_out=.35, arm_forward=45, elbow=15),
        crouch=_burpee_pose(
            pelvis_z=-.50, pelvis_y=.10, pelvis_pitch=66, spine=34, head_pitch=55,
            foot_x=.13, foot_y=-.02, heel_lift=28, knee_out=.45, arm_forward=60, hand_planted=1),
        kick=_burpee_pose(
            pelvis_z=-.40, pelvis_y=.05, pelvis_pitch=76, spine=8, head_pitch=62,
            foot_x=.12, foot_y=.42, foot_z=.10, heel_lift=60, arm_forward=80, hand_planted=1),
        plank=_burpee_pose(
            pelvis_z=-.452, pelvis_y=.005, pelvis_pitch=77, spine=-2, head_pitch=58,
            foot_x=.10, foot_y=.86, heel_lift=72, arm_forward=90, hand_planted=1),
        low_plank=_burpee_pose(
            pelvis_z=-.472, pelvis_y=.0, pelvis_pitch=78, spine=-4, head_pitch=55,
            foot_x=.10, foot_y=.86, heel_lift=72, arm_forward=90, hand_planted=1),
    )


def _burpee_jump(overhead):
    arms = dict(arm_out=15, arm_forward=20)
    arms_rising, arms_falling = dict(arms, arm_out=15), dict(arms, arm_out=12)
    if overhead:
        arms = dict(arm_out=162, elbow=14, arm_twist=85)
        arms_rising, arms_falling = dict(arms, arm_out=130), dict(arms, arm_out=140)
    return dict(
        rise=_burpee_pose(
            pelvis_z=-.20, pelvis_y=.06, pelvis_pitch=24, spine=8, head_pitch=12,
            foot_x=.12, heel_lift=12, arm_out=15, arm_forward=40, elbow=25),
        take_off=_burpee_pose(foot_x=.12, pelvis_z=.04, heel_lift=35, head_pitch=-2, **arms_rising),
        top=_burpee_pose(foot_x=.12, pelvis_z=.23, foot_z=.20, heel_lift=38, head_pitch=-4, **arms),
        landing=_burpee_pose(foot_x=.13, pelvis_z=-.02, heel_lift=20, **arms_falling),
        absorb=_burpee_pose(
            pelvis_z=-.17, pelvis_y=.06, pelvis_pitch=18, spine=5,
            foot_x=.13, knee_out=.3, arm_out=40, elbow=20),
    )


def walk(time):
    """Walking on the spot; the clip moves the person at WALKING_SPEED."""
    phase = (time * WALKING_CADENCE) % 1.0
    step = WALKING_SPEED / WALKING_CADENCE / 2
    result = pose()
    for side, shift in zip(SIDES, (0.0, 0.5)):
        own_phase = (phase + shift) % 1.0
        foot_y, foot_z, heel_lift = _walking_foot(own_phase, step)
        swing = np.cos(2 * np.pi * own_phase)
        result[f'{side}_foot_x'] = .075
        result[f'{side}_foot_y'] = foot_y - .02
        result[f'{side}_foot_z'] = foot_z
        result[f'{side}_heel_lift'] = heel_lift
        result[f'{side}_arm_forward'] = -4 - 22 * swing
        result[f'{side}_elbow'] = 16 - 8 * swing
        result[f'{side}_arm_out'] = 8
    result['pelvis_z'] = -.035 + .018 * np.cos(4 * np.pi * phase + np.pi * 1.2)
    result['pelvis_x'] = .015 * np.sin(2 * np.pi * phase + .5)
    result['pelvis_yaw'] = -5 * np.cos(2 * np.pi * phase)
    result['spine_twist'] = 9 * np.cos(2 * np.pi * phase)
    return result


def _walking_foot(phase, step):
    """foot_y, foot_z and heel_lift: 60 % of a step on the floor, where the foot moves back under the body."""
    if phase < 0.6:
        heel_lift = 0
        if phase < .12:
            heel_lift = -14 * (1 - phase / .12)
        elif phase > .38:
            heel_lift = 38 * ((phase - .38) / .22) ** 1.5
        return -step * 0.6 + (phase / 0.6) * step * 1.2, 0.0, heel_lift
    swing = (phase - .6) / .4
    eased = swing * swing * (3 - 2 * swing)
    foot_z = 0.07 * np.sin(np.pi * swing)
    return step * 0.6 - eased * step * 1.2, foot_z, 38 * (1 - swing) - 14 * swing


def idle(time):
    """Standing as people stand: breathing, swaying, looking around a little."""
    return pose(
        pelvis_z=-.014 + .002 * np.sin(1.6 * time), pelvis_x=.012 * np.sin(.9 * time),
        pelvis_roll=.8 * np.sin(.9 * time), head_pitch=4 + 4 * np.sin(.7 * time + 1),
        spine_twist=4 * np.sin(.6 * time), arm_out=9 + 2 * np.sin(1.1 * time),
        elbow=16 + 4 * np.sin(.8 * time))


EXERCISES = dict(jumping_jack=jumping_jack, squat=squat, lunge=lunge, burpee=burpee, **STRENGTH, **STEPS, **FLOOR)
# What goes on without repetitions.
PASTIMES = dict(idle=idle, walk=walk, **HELD)
