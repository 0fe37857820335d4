"""The rooms: floor, walls and furniture of a gym and of a living room."""
import math
import bpy
import numpy as np
from materials import boards, bricks, plain, speckled

HALF_WIDTH = 3.5
BACK_WALL = 2.6                 # y of its face
HEIGHT = 3.0


def build_room(kind):
    """A gym or a home."""
    build = dict(gym=_gym, home=_home)[kind]
    build()


def _gym():
    _shell(floor=speckled('floor', (.10, .10, .11), (.22, .22, .23), 90, roughness=.8),
           wall=bricks('wall', (.55, .50, .45), (.48, .42, .37), (.62, .60, .57)),
           side=plain('side', (.60, .62, .62), .9))
    mat = speckled('mat', (.05, .14, .30), (.07, .18, .36), 40, roughness=.8)
    _box('mat', (0, -.1, .008), (2.2, 2.6, .016), mat)
    steel = plain('steel', (.5, .5, .52), .3)
    _dumbbell_rack(plain('dark', (.05, .05, .06), .5), steel)
    _box('mirror', (1.7, BACK_WALL - .01, 1.35), (1.6, .03, 1.7), plain('mirror', (.45, .52, .56), .15, .6))
    _box('bench', (2.5, 1.4, .42), (.4, 1.1, .1), plain('red', (.45, .05, .05), .6))
    _box('bench foot', (2.5, 1.4, .2), (.1, .8, .4), steel)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=.32, location=(-1.2, 2.1, .32))
    _smooth(_finished(plain('ball', (.12, .35, .42), .4)))


def _dumbbell_rack(dark, steel):
    y = BACK_WALL - .35
    for z in (.35, .75):
        _box('shelf', (-2.3, y, z), (1.6, .45, .04), dark)
        for i in range(5):
            x = -2.95 + i * .32
            radius = .05 + .012 * i
            for dy in (-.12, .12):
                _cylinder((x, y + dy, z + .03 + radius), radius, .10, dark, lying=True)
            _cylinder((x, y, z + .03 + radius), .015, .26, steel, lying=True)
    for x in (-3.05, -1.55):
        _box('leg', (x, y, .45), (.05, .4, .9), dark)


def _home():
    _shell(floor=boards('floor', (.42, .26, .14), (.33, .20, .10)),
           wall=speckled('wall', (.62, .66, .66), (.56, .60, .61), 3, roughness=.9),
           side=plain('side', (.70, .68, .62), .9))
    rug = speckled('rug', (.40, .36, .30), (.50, .46, .40), 60, roughness=.95)
    _box('rug', (0, -.1, .006), (2.3, 2.6, .012), rug)
    sofa = plain('sofa', (.18, .22, .28), .9)
    _box('sofa', (-2.2, BACK_WALL - .5, .25), (1.7, .8, .5), sofa)
    _box('sofa back', (-2.2, BACK_WALL - .2, .6), (1.7, .25, .6), sofa)
    _book_shelf()
    picture = speckled('picture', (.30, .38, .30), (.7, .6, .4), 3, roughness=.5)
    _box('picture', (.2, BACK_WALL - .01, 1.7), (1.0, .03, .7), picture)
    _cylinder((1.45, BACK_WALL - .4, .2), .16, .4, plain('pot', (.6, .35, .25), .7))
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=.33, location=(1.45, BACK_WALL - .4, .75))
    _finished(speckled('leaves', (.07, .22, .06), (.12, .32, .10), 14, roughness=.7))


def _book_shelf():
    _box('shelf', (2.4, BACK_WALL - .2, 1.0), (1.0, .35, 2.0), plain('shelf', (.5, .42, .32), .6))
    for row in range(4):
        for column in range(6):
            colour = tuple(np.random.default_rng(row * 10 + column).random(3) * .5 + .05)
            place = (2.02 + column * .14, BACK_WALL - .38, .35 + row * .45)
            _box('book', place, (.09, .05, .3), plain('book', colour, .7))


def _shell(floor, wall, side):
    width = 4 * HALF_WIDTH
    _box('floor', (0, -2, -.05), (width, 12, .1), floor)
    _box('back wall', (0, BACK_WALL + .1, HEIGHT / 2), (width, .2, HEIGHT), wall)
    for direction in (-1, 1):
        _box('side wall', (direction * (HALF_WIDTH + .4), -1, HEIGHT / 2), (.2, 9, HEIGHT), side)
    _box('skirting', (0, BACK_WALL - .02, .06), (width, .04, .12), plain('skirting', (.8, .8, .78), .5))


def _box(name, location, size, material):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location)
    thing = _finished(material)
    thing.name = name
    thing.scale = size


def _cylinder(location, radius, length, material, lying=False):
    rotation = (math.pi / 2, 0, 0) if lying else (0, 0, 0)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=radius, depth=length, location=location, rotation=rotation, vertices=24)
    _smooth(_finished(material))


def _finished(material):
    """The object just added, with its material."""
    thing = bpy.context.object
    thing.data.materials.append(material)
    return thing


def _smooth(thing):
    for polygon in thing.data.polygons:
        polygon.use_smooth = True
