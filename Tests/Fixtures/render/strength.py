"""Exercises with weights, and calf raises: key poses written by hand.  See exercises.py for their form."""
from pose import pose


def biceps_curl(in_turn=False):
    """Both arms together, or the left arm alone; a timeline mirrors every second repetition."""
    down = dict(arm_out=9, arm_forward=2, arm_twist=-4, elbow=12, hand_turn=10)
    half = dict(arm_out=9, arm_forward=4, arm_twist=-2, elbow=80, hand_turn=65)
    up = dict(arm_out=10, arm_forward=14, arm_twist=-4, elbow=138, hand_turn=75)
    standing = dict(foot_x=.13, grip=1, spine=-1)
    if in_turn:
        half, up = ({**down, **{f'left_{key}': value for key, value in arms.items()}} for arms in (half, up))
    low, middle = pose(**standing, **down), pose(**standing, **half)
    high = pose(**dict(standing, spine=-4), pelvis_y=-.008, **up)
    return [(0, low), (.05, low), (.24, middle), (.42, high), (.52, high), (.74, middle), (.95, low), (1, low)], 2.1


def shoulder_press():
    """Dumbbells from the shoulders to stretched arms overhead."""
    standing = dict(foot_x=.16, grip=1, arm_forward=24, arm_twist=70, hand_turn=-70)
    low = pose(**standing, arm_out=48, elbow=136)
    middle = pose(**standing, arm_out=96, elbow=84, spine=-2)
    high = pose(**dict(standing, arm_forward=8, arm_twist=84), arm_out=163, elbow=17, spine=-3, head_pitch=-2)
    return [(0, low), (.06, low), (.25, middle), (.44, high), (.54, high), (.76, middle), (.95, low), (1, low)], 2.3


def arm_raise(way='side'):
    """Dumbbells in nearly straight arms, to the `side` or to the `front`."""
    standing = dict(foot_x=.13, grip=1, elbow=15, hand_turn=0 if way == 'side' else -70)
    low = pose(**standing, arm_out=7, arm_forward=4, arm_twist=-20)
    if way == 'side':
        middle = pose(**standing, arm_out=48, arm_forward=8, arm_twist=-10)
        high = pose(**standing, arm_out=89, arm_forward=10, arm_twist=0, spine=-2)
    else:
        middle = pose(**standing, arm_out=5, arm_forward=48, arm_twist=-20)
        high = pose(**standing, arm_out=4, arm_forward=93, arm_twist=-20, spine=-4)
    return [(0, low), (.06, low), (.26, middle), (.44, high), (.52, high), (.75, middle), (.95, low), (1, low)], 2.2


def deadlift():
    """A bar from the shins to the hips; the arms only hang."""
    held = dict(foot_x=.14, toe_out=10, knee_out=.2, grip=1, elbow=6, arm_out=8, arm_twist=-40, hand_turn=-60)
    top = pose(**held, pelvis_z=-.015, arm_forward=17, head_pitch=2)
    knees = pose(**held, pelvis_z=-.12, pelvis_y=.23, pelvis_pitch=50, spine=6, arm_forward=62, head_pitch=28)
    bottom = pose(**held, pelvis_z=-.275, pelvis_y=.24, pelvis_pitch=60, spine=8, arm_forward=69, head_pitch=30)
    return [(0, top), (.06, top), (.30, knees), (.46, bottom), (.54, bottom), (.70, knees), (.93, top), (1, top)], 2.8


def row():
    """Bent over, a bar from hanging arms to the belly."""
    bent = dict(foot_x=.15, toe_out=10, knee_out=.2, pelvis_z=-.11, pelvis_y=.20, pelvis_pitch=58, spine=4,
                head_pitch=38, grip=1, hand_turn=-70)
    low = pose(**bent, arm_out=8, arm_forward=60, elbow=8, arm_twist=-8)
    lifted = pose(**bent, arm_out=13, arm_forward=40, elbow=42, arm_twist=-6)
    middle = pose(**bent, arm_out=17, arm_forward=16, elbow=72, arm_twist=-6)
    high = pose(**dict(bent, spine=1), arm_out=22, arm_forward=-36, elbow=102, arm_twist=0)
    return [(0, low), (.06, low), (.17, lifted), (.28, middle), (.42, high), (.50, high), (.68, middle), (.82, lifted),
            (.94, low), (1, low)], 2.0


def kettlebell_swing():
    """From between the legs to the height of the chest; begins and ends with the kettlebell hanging."""
    held = dict(foot_x=.24, toe_out=20, knee_out=.35, grip=1, elbow=8, arm_twist=-60, hand_turn=-40)
    hanging = pose(**held, pelvis_z=-.05, pelvis_y=.03, pelvis_pitch=12, arm_forward=18, arm_out=-13, head_pitch=6)
    back = pose(**held, pelvis_z=-.16, pelvis_y=.24, pelvis_pitch=56, spine=6, arm_forward=32, arm_out=-14,
                head_pitch=34)
    rising = pose(**held, pelvis_z=-.045, pelvis_y=.05, pelvis_pitch=14, arm_forward=42, arm_out=-14, head_pitch=6)
    top = pose(**held, pelvis_z=-.03, pelvis_y=-.01, pelvis_pitch=-2, spine=-3, arm_forward=88, arm_out=-16,
               head_pitch=0)
    return [(0, hanging), (.22, back), (.30, back), (.43, rising), (.60, top), (.66, top), (.84, rising),
            (1, hanging)], 1.7


def calf_raise(arms='hips'):
    """`arms` is 'hips', or 'hanging' with dumbbells."""
    held = dict(arm_out=38, arm_forward=-12, elbow=92, arm_twist=-62)
    if arms == 'hanging':
        held = dict(arm_out=10, arm_forward=2, elbow=12, grip=1)
    low = pose(foot_x=.10, pelvis_z=-.012, **held)
    middle = pose(foot_x=.10, pelvis_z=.020, pelvis_y=-.028, heel_lift=20, **held)
    high = pose(foot_x=.10, pelvis_z=.058, pelvis_y=-.060, heel_lift=42, **held)
    return [(0, low), (.08, low), (.24, middle), (.40, high), (.56, high), (.74, middle), (.92, low), (1, low)], 1.7


STRENGTH = dict(biceps_curl=biceps_curl, shoulder_press=shoulder_press, arm_raise=arm_raise, deadlift=deadlift,
                row=row, kettlebell_swing=kettlebell_swing, calf_raise=calf_raise)
