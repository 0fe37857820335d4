"""The clips and the people in them.  `python3 clips.py` prints the names.

To make a clip of your own, add an entry to CLIPS and run `./render.sh NAME`.
"""
from dataclasses import dataclass, field
from typing import Callable, Union

RATE = 30                       # pictures a second


@dataclass
class Look:
    """`body`: sliders of 0..1 (human.py); `outfit`: lengths of clothes (clothes.py); colours: linear RGB."""
    body: dict
    outfit: dict
    skin: tuple
    hair: tuple
    shirt: tuple
    trousers: tuple
    shoes: tuple
    socks: tuple = (.7, .7, .7)
    beard: float = 0


@dataclass
class Role:
    """Who does what, and where: x, y and heading in degrees (0 faces the camera), or a function of time.

    `things`: what is held or stepped onto (props.py): dumbbells, barbell, kettlebell, box.
    """
    look: str
    timeline: list
    place: Union[tuple, Callable] = (0, 0, 0)
    things: tuple = ()


@dataclass
class Viewpoint:
    """Where the camera stands, what it looks at, and its vertical angle of view in degrees."""
    location: tuple
    target: tuple
    angle: float


@dataclass
class Clip:
    """`room`: gym or home; `light`: bright, dim or side (scene.py); `view`: a word for the reader.

    `digits`: of the pixels in the truth; `encoding`: options of the video's encoder.
    """
    room: str
    view: str
    roles: list = field(default_factory=list)
    light: str = 'bright'
    size: tuple = (480, 640)
    camera: Viewpoint = field(default_factory=lambda: Viewpoint((0, -3.7, 1.15), (0, 0, .95), 42))
    rate: int = RATE
    digits: int = 2
    encoding: str = '-preset slow -crf 23'


LOOKS = dict(
    anna=Look(
        body=dict(male=0.0, muscle=.55, weight=.45, ancestry=(.8, .05, .15), height=.5, proportions=.75),
        outfit=dict(sleeve=.42, leg=1.85, hair=.02),
        skin=(.62, .40, .30), hair=(.10, .05, .025),
        shirt=(.35, .04, .12), trousers=(.03, .035, .05), shoes=(.75, .75, .77)),
    ben=Look(
        body=dict(male=1.0, muscle=.68, weight=.5, ancestry=(.15, .75, .1), height=.55, proportions=.75),
        outfit=dict(sleeve=.55, leg=.78, hair=.014),
        skin=(.20, .10, .06), hair=(.015, .012, .01), beard=.5,
        shirt=(.62, .60, .52), trousers=(.05, .08, .16), shoes=(.5, .07, .05), socks=(.75, .75, .75)),
    carl=Look(
        body=dict(male=1.0, muscle=.5, weight=.68, ancestry=(.5, .0, .5), height=.45, proportions=.5),
        outfit=dict(sleeve=.6, leg=.85, hair=.014),
        skin=(.58, .37, .26), hair=(.05, .035, .03),
        shirt=(.06, .22, .16), trousers=(.16, .16, .17), shoes=(.06, .06, .06), socks=(.1, .1, .1)),
)


def exercise(name, tempos, pause):
    """One exercise between two pauses."""
    return [('idle', pause), (name, tempos), ('idle', pause)]


def anna_at_home(timeline):
    """Seen from the front."""
    return Clip('home', 'front', [Role('anna', timeline, (0, .25, 0))])


def in_the_gym(look, timeline, heading=45, x=0):
    """Seen at an angle; `x` keeps arms and legs inside the picture."""
    return Clip('gym', str(heading), [Role(look, timeline, (x, .25, heading))])


def walk_across(time):
    """From left to right across the picture, at the speed of exercises.walk."""
    return (-1.5 + 1.15 * time, .2, 90)


EVERYTHING = [
    ('idle', 1.0), ('jumping_jack', [1, .95, .9, 1, .95]),
    ('idle', 1.2), ('squat', [.95, .9, 1]),
    ('idle', 1.2), ('lunge', [.9, .95, .9]),
    ('idle', 1.2), ('burpee', [.95, 1]),
    ('idle', 1.0),
]

CLIPS = dict(
    jumping_jack_front=anna_at_home([('idle', .4), ('jumping_jack', [1, .9]), ('idle', .3)]),
    jumping_jack_45=in_the_gym('ben', exercise('jumping_jack', [1, .95, .9, 1, .92], pause=.6)),
    squat_front=anna_at_home(exercise('squat', [.95, .8], pause=.3)),
    squat_45=in_the_gym('ben', exercise('squat', [.95, .85, 1, .9], pause=.6), x=-.15),
    lunge_front=anna_at_home(exercise('lunge', [.9, .9], pause=.3)),
    lunge_45=in_the_gym('carl', exercise('lunge', [.9, .9, 1, .95], pause=.6), x=-.25),
    burpee_front=anna_at_home(exercise('burpee', [1, .9], pause=.3)),
    burpee_45=in_the_gym('carl', exercise('burpee', [.95, 1, .9], pause=.6), x=-.05),
    walk_stand=Clip(
        'gym', 'side', [Role('carl', [('walk', 2.6)], walk_across)],
        size=(640, 480), camera=Viewpoint((0, -3.9, 1.2), (0, 0, .9), 40)),
    stand_45=in_the_gym('carl', [('idle', 2.0)], heading=30),
    demo=Clip(
        'gym', '20', [Role('carl', EVERYTHING, (0, .2, 20))],
        size=(640, 480), camera=Viewpoint((0, -4.3, 1.25), (0, 0, 1.0), 36)),
    two_people=Clip(
        'home', 'front', [
            Role('anna', exercise('squat', [.95, .9, 1], pause=.5), (-.75, .3, 10)),
            Role('ben', [('idle', .3), ('jumping_jack', [1, 1, .9, .95, 1]), ('idle', .8)], (.75, .1, -15)),
        ],
        light='side', size=(640, 480), camera=Viewpoint((0, -4.6, 1.25), (0, 0, 1.0), 36)),
)


# The clips of further exercises are small: all together they take less than three megabytes.
SMALL = dict(rate=12, digits=1, encoding='-preset veryslow -crf 30')
NEAR = Viewpoint((0, -3.7, 1.15), (0, 0, 1.0), 36)
ON_A_BOX = Viewpoint((0, -3.9, 1.2), (0, 0, 1.1), 40)
ON_THE_FLOOR = Viewpoint((0, -3.6, 1.0), (0, 0, .45), 28)


def small(room, look, heading, name, tempos, options=None, things=(), x=0):
    """One exercise, standing; `x` keeps arms and legs inside the picture."""
    timeline = [('ready', .3), (name, tempos, options or {}), ('ready', .3)]
    return Clip(room, str(heading) if heading else 'front', [Role(look, timeline, (x, .25, heading), things)],
                size=(360, 480), camera=ON_A_BOX if 'box' in things else NEAR, **SMALL)


def on_the_floor(room, look, heading, name, tempos, options=None, x=0):
    """The same on the floor, from the side (90) or at an angle."""
    return Clip(room, str(heading), [Role(look, [(name, tempos, options or {})], (x, 0, heading))],
                size=(480, 360), camera=ON_THE_FLOOR, **SMALL)


CLIPS |= dict(
    biceps_curl_front=small('home', 'anna', 0, 'biceps_curl', [1, .95, .9], things=('dumbbells',)),
    biceps_curl_45=small('gym', 'ben', 45, 'biceps_curl', [.9, .85, .9, .85], dict(in_turn=True), ('dumbbells',)),
    shoulder_press_front=small('home', 'anna', 0, 'shoulder_press', [1, .9, .95], things=('dumbbells',)),
    shoulder_press_45=small('gym', 'carl', 45, 'shoulder_press', [.9, .95, 1], things=('dumbbells',)),
    arm_raise_front=small('home', 'anna', 0, 'arm_raise', [1, .9, .95], things=('dumbbells',)),
    arm_raise_45=small('gym', 'ben', 45, 'arm_raise', [.9, 1, .9], dict(way='front'), ('dumbbells',)),
    deadlift_front=small('home', 'anna', 0, 'deadlift', [.95, .9], things=('barbell',)),
    deadlift_60=small('gym', 'ben', 60, 'deadlift', [.95, .9, .9], things=('barbell',), x=-.1),
    row_front=small('home', 'carl', 0, 'row', [1, .9, .9], things=('barbell',)),
    row_60=small('gym', 'anna', 60, 'row', [.9, .95, .9, .9], things=('barbell',), x=-.1),
    kettlebell_swing_front=small('home', 'anna', 0, 'kettlebell_swing', [1, .95, .95, 1], things=('kettlebell',)),
    kettlebell_swing_60=small('gym', 'carl', 60, 'kettlebell_swing', [1, .95, .9, .95], things=('kettlebell',), x=-.1),
    calf_raise_front=small('home', 'anna', 0, 'calf_raise', [1, .9, .95, .9]),
    calf_raise_45=small('gym', 'ben', 45, 'calf_raise', [.95, .9, .9, 1], dict(arms='hanging'), ('dumbbells',)),
    high_knees_front=small('home', 'anna', 0, 'high_knees', [1, .95, 1, .9, .95, 1, .95, .95, 1, 1]),
    high_knees_45=small('gym', 'carl', 45, 'high_knees', [1.05, 1, 1, .95, 1, 1, 1, .95, 1, 1.05]),
    step_up_45=small('home', 'anna', 45, 'step_up', [.95, .9, 1], things=('box',), x=-.15),
    step_up_75=small('gym', 'ben', 75, 'step_up', [.95, .95, .9], things=('box',), x=-.25),
    plank_side=on_the_floor('home', 'anna', 90, 'plank', 6, dict(on='elbows'), x=.1),
    plank_45=on_the_floor('gym', 'ben', 45, 'plank', 6, x=.1),
    mountain_climber_side=on_the_floor('home', 'anna', 90, 'mountain_climber', [1, .95, .9, .9, .95, 1, .9, .9], x=.1),
    mountain_climber_45=on_the_floor('gym', 'ben', 45, 'mountain_climber', [1, 1, .95, .9, 1, .9, .95, 1], x=.1),
    glute_bridge_side=on_the_floor('home', 'anna', 90, 'glute_bridge', [1, .95, .9]),
    glute_bridge_45=on_the_floor('gym', 'carl', 45, 'glute_bridge', [.95, 1, .9]),
    leg_raise_side=on_the_floor('home', 'anna', 90, 'leg_raise', [.95, .9]),
    leg_raise_60=on_the_floor('gym', 'carl', 60, 'leg_raise', [.9, .95, .9]),
)


def angle_clips():
    """Squats, lunges and jumping jacks of three people at three depths, from the views in which their angles are judged.

    Models/figures/angles.py compares the angles with the truth. The clips are not committed.
    """
    clips = {}
    for look, depth, arms in (('anna', 1, 'front'), ('ben', .75, 'chest'), ('carl', .9, 'chest')):
        for view, heading, x in (('front', 0, 0), ('45', 45, -.2), ('side', 90, -.25)):
            for name, options in (('squat', dict(depth=depth, arms=arms)), ('lunge', dict(depth=depth))):
                clips[f'angles_{name}_{look}_{view}'] = (name, options, look, view, heading, x)
        clips[f'angles_jumping_jack_{look}_front'] = ('jumping_jack', dict(reach=depth), look, 'front', 0, 0)
    return {
        clip: Clip('gym', view, [Role(look, [('idle', .4), (name, [.85, .8], options), ('idle', .3)],
                                      (x, .25, heading))], size=(480, 640), rate=15)
        for clip, (name, options, look, view, heading, x) in clips.items()}


ANGLE_CLIPS = angle_clips()

if __name__ == '__main__':
    print('\n'.join([*CLIPS, *ANGLE_CLIPS]))
