"""Exercises on the floor: key poses written by hand.  See exercises.py for their form.

They begin and end on the floor, face down with the head towards the front, or on the back with the feet there.
"""
import numpy as np
from pose import pose

# On the back: how the trunk lies, and arms beside it.
LYING = dict(pelvis_z=-.725, pelvis_y=0, pelvis_pitch=-92, spine=2, head_pitch=-84)
BESIDE = dict(arm_out=17, arm_forward=-9, elbow=8, arm_twist=-20, hand_turn=-70)

# From the hip to the ankle of a nearly straight leg; the toes' place face down; by how many degrees a foot in the air
# points.
LEG, TOES_Y, POINTED = .757, .92, 25


def _prone(degrees, **changes):
    """Face down on the toes, with straight legs that slope by so many degrees, and the trunk with them."""
    slope = np.radians(degrees)
    return pose(**{**dict(pelvis_y=TOES_Y - .19 - LEG * np.cos(slope), pelvis_z=LEG * np.sin(slope) - .71,
                          pelvis_pitch=90 - degrees, foot_x=.10, foot_y=TOES_Y, foot_z=.012, heel_lift=72), **changes})


def _on_hands(degrees, **changes):
    """The same on the hands."""
    return _prone(degrees, **{**dict(hand_x=.20, hand_y=-.47, hand_z=.035, arm_forward=90, hand_planted=1), **changes})


def plank(time, on='hands'):
    """Held on the `hands` or the `elbows`: breathing, shaking a little."""
    shaking = .004 * np.sin(5.1 * time) * np.sin(1.3 * time + .5) + .003 * np.sin(1.7 * time)
    looking = 3 * np.sin(.6 * time)
    if on == 'hands':
        return _on_hands(20 + 60 * shaking, spine=3, head_pitch=60 + looking)
    return _prone(8 + 60 * shaking, spine=2, head_pitch=66 + looking, arm_forward=83, arm_out=4, elbow=92,
                  arm_twist=-12, grip=.7)


def mountain_climber():
    """The left knee to the chest and back, one repetition; a timeline mirrors every second one."""
    def on_toes(z, foot_y, foot_z, heel_lift):
        return _on_hands(20, spine=6, head_pitch=54, left_foot_y=foot_y, left_foot_z=foot_z, left_heel_lift=heel_lift,
                         pelvis_z=z)
    stretched, drawn, near = on_toes(-.45, TOES_Y, .012, 72), on_toes(-.405, .55, .17, 78), on_toes(-.42, .16, .08, 66)
    return [(0, stretched), (.24, drawn), (.46, near), (.54, near), (.76, drawn), (1, stretched)], .7


def glute_bridge():
    """On the back with bent knees, feet and shoulders stay on the floor."""
    def bridge(lift):
        """`lift`: degrees by which the trunk slopes."""
        slope = np.radians(lift)
        trunk = dict(LYING, pelvis_z=LYING['pelvis_z'] + .47 * np.sin(slope), pelvis_y=.47 * (1 - np.cos(slope)),
                     pelvis_pitch=LYING['pelvis_pitch'] - lift)
        arms = dict(BESIDE, arm_forward=BESIDE['arm_forward'] - lift)
        return pose(**trunk, **arms, foot_x=.13, foot_y=-.46, toe_out=6, knee_out=.1)
    low, middle, high = bridge(0), bridge(14), bridge(29)
    return [(0, low), (.08, low), (.25, middle), (.42, high), (.54, high), (.74, middle), (.92, low), (1, low)], 2.2


def leg_raise():
    """On the back, straight legs up and down together."""
    def raised(degrees):
        """The balls of the feet go round the hips; the knees stay a little bent."""
        angle, foot = np.radians(degrees), np.radians(POINTED - 90 - degrees)
        return pose(**LYING, **BESIDE, foot_x=.06, toe_out=3, knee_out=.05, heel_lift=POINTED - 90 - degrees,
                    foot_y=.13 - LEG * np.cos(angle) - .106 * np.cos(foot) + .056 * np.sin(foot),
                    foot_z=.114 + LEG * np.sin(angle) - .106 * np.sin(foot) - .056 * np.cos(foot))
    way = [(share, raised(84 * share * share * (3 - 2 * share))) for share in np.linspace(0, 1, 7)]
    up = [(.06 + .38 * share, one) for share, one in way]
    down = [(.94 - .40 * share, one) for share, one in reversed(way)]
    return [(0, raised(0)), *up, *down, (1, raised(0))], 2.8


FLOOR = dict(mountain_climber=mountain_climber, glute_bridge=glute_bridge, leg_raise=leg_raise)
HELD = dict(plank=plank)
