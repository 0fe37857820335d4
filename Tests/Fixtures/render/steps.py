"""High knees and step-ups: key poses written by hand.  See exercises.py for their form.

The left leg begins; a timeline mirrors every second repetition.
"""
from pose import pose

# What is stepped onto: how far in front of the feet its middle is, its height, in the lengths of a pose.
BOX_Y, BOX_HEIGHT = -.46, .30


def high_knees():
    """A run on the spot; one knee is one repetition."""
    def step(lift, hop, swing, heel, other_heel):
        """`lift`: of the left knee, 0..1; `swing`: of the right arm forwards, 0..1."""
        return pose(
            foot_x=.085, toe_out=4, grip=.6, pelvis_pitch=3 - 5 * lift, pelvis_z=-.035 + hop, head_pitch=2, spine=3,
            left_foot_z=.40 * lift, left_foot_y=-.28 * lift, left_heel_lift=heel, right_heel_lift=other_heel,
            right_foot_z=max(0, hop - .01), arm_out=12, arm_twist=-14,
            right_arm_forward=-8 + 62 * swing, right_elbow=84 + 10 * swing,
            left_arm_forward=-8 - 30 * swing, left_elbow=84 - 6 * swing, spine_twist=-7 * swing)
    both, lifting, top = step(0, 0, 0, 10, 10), step(.45, .01, .55, 34, 12), step(1, .03, 1, 24, 16)
    return [(0, both), (.22, lifting), (.48, top), (.54, top), (.80, lifting), (1, both)], .56


def step_up():
    """Onto a box, left foot first, and down again, right foot first."""
    held = dict(foot_x=.10, toe_out=5, arm_out=11, knee_out=.1)
    on_box = dict(foot_y=BOX_Y, foot_z=BOX_HEIGHT)
    left_on, right_on = ({f'{side}_{key}': value for key, value in on_box.items()} for side in ('left', 'right'))
    floor = pose(**held, elbow=20, arm_forward=2)
    lifted = pose(**held, pelvis_z=-.03, pelvis_y=-.02, pelvis_pitch=6, left_foot_y=BOX_Y * .55,
                  left_foot_z=BOX_HEIGHT + .10, left_heel_lift=14, elbow=35, right_arm_forward=28, left_arm_forward=-16)
    planted = pose(**held, **left_on, pelvis_z=-.02, pelvis_y=-.16, pelvis_pitch=18, spine=6, head_pitch=12,
                   right_heel_lift=22, elbow=40, right_arm_forward=34, left_arm_forward=-18)
    pushing = pose(**held, **left_on, pelvis_z=.13, pelvis_y=-.33, pelvis_pitch=17, spine=4, head_pitch=8,
                   right_foot_y=-.10, right_foot_z=.09, right_heel_lift=48, elbow=40, arm_forward=8)
    rising = pose(**held, **left_on, pelvis_z=BOX_HEIGHT - .05, pelvis_y=BOX_Y + .04, pelvis_pitch=8,
                  right_foot_y=BOX_Y * .66, right_foot_z=BOX_HEIGHT + .09, right_heel_lift=26, elbow=30,
                  right_arm_forward=-10, left_arm_forward=24)
    top = pose(**held, **left_on, **right_on, pelvis_z=BOX_HEIGHT - .015, pelvis_y=BOX_Y, elbow=20, arm_forward=2)
    keys = [(0, floor), (.05, floor), (.15, lifted), (.23, planted), (.34, pushing), (.42, rising), (.49, top),
            (.58, top), (.66, rising), (.75, pushing), (.84, planted), (.92, lifted), (1, floor)]
    return keys, 2.6


STEPS = dict(high_knees=high_knees, step_up=step_up)
