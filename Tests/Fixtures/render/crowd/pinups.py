"""What posters and screens show: a person before a plain ground."""
import numpy as np
from activities import CrowdTimeline
from body import Body, lit
from clips import Viewpoint
from human import Human
from looks import looks
from raster import Picture
from skeleton import solve
from stage import SCREEN_RATE, CrowdCamera

SIZES = dict(poster=(230, 360), screen=(300, 190))
SCREENED = dict(jumping_jack=1.15, squat=2.4)


def images(kind, random):
    """The pictures of a panel of this kind: one for a poster, one exercise for a screen."""
    width, height = SIZES[kind]
    look = looks(random, 1)[0]
    body = Body(Human(look.body, look.outfit), look, 3)
    camera = CrowdCamera(Viewpoint((0, -4.2, 1.2), (0, 0, 1.0), 33), (width, height))
    ground = np.linspace(random.uniform(60, 235, 3), random.uniform(30, 200, 3), height * 2)
    if kind == 'poster':
        name, times = random.choice(['squat', 'lunge', 'jumping_jack']), [random.uniform(.3, .6)]
    else:
        name = random.choice(list(SCREENED))
        times = np.arange(0, SCREENED[name], 1 / SCREEN_RATE)
    timeline = CrowdTimeline([(name, [1.0])])
    return [_image(body, timeline.at(time)[0], camera, ground) for time in times]


def _image(body, pose, camera, ground):
    picture = Picture(camera.width, camera.height)
    picture.colour[:] = ground[:, None, :]
    points, normals = body.posed(*solve(body.human.skeleton, pose, (0, 0, 15)))
    picture.draw(camera.project_all(points), lit(body.colours, normals), body.triangles, 1)
    return picture.develop(np.zeros((camera.height, camera.width)))[0]
