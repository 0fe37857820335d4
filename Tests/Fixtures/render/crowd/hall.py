"""The hall: floor, walls, pillars, racks, benches, and panels that hold a mirror, a poster or a screen."""
from dataclasses import dataclass, field
import numpy as np
from rotations import about_z

HALF_WIDTH, DEPTH, HEIGHT = 10.0, 22.0, 4.6
PANEL_THICKNESS = .12


@dataclass
class Box:
    """A box that stands on the floor or hangs over it; `middle` and `size` in metres, `heading` in degrees."""
    middle: tuple
    size: tuple
    colour: tuple
    heading: float = 0
    blocks: bool = True         # whether people walk around it


@dataclass
class Panel:
    """A flat mirror, poster or screen: its middle, the way it faces in degrees (0 to the camera), its size."""
    kind: str
    middle: tuple
    heading: float
    size: tuple

    @property
    def normal(self):
        """The way it faces."""
        return about_z(self.heading) @ np.array([0, -1.0, 0])

    def corners(self):
        """Top left, top right, bottom right, bottom left, as seen from in front."""
        across = about_z(self.heading) @ np.array([1.0, 0, 0]) * self.size[0] / 2
        up = np.array([0, 0, self.size[1] / 2])
        middle = np.array(self.middle)
        return np.array([middle - across + up, middle + across + up, middle + across - up, middle - across - up])

    def reflected(self, points):
        """Points behind the mirror as they are before it."""
        away = (points - np.array(self.middle)) @ self.normal
        return points - 2 * away[..., None] * self.normal

    def before(self, points):
        """Which points a mirror can show."""
        return (points - np.array(self.middle)) @ self.normal > 0


@dataclass
class Hall:
    """Everything in it that does not move."""
    boxes: list = field(default_factory=list)
    panels: list = field(default_factory=list)
    hiding_places: list = field(default_factory=list)
    seats: list = field(default_factory=list)
    floor: tuple = (.16, .16, .17)
    wall: tuple = (.50, .48, .45)

    def blocked(self, points, room=.45):
        """Whether somebody at one of these x, y would be inside of something, with this much room around it."""
        points = np.reshape(points, (-1, 2))
        for box in self.boxes:
            if not box.blocks:
                continue
            away = np.abs((points - box.middle[:2]) @ about_z(-box.heading)[:2, :2].T)
            if (away < np.array(box.size[:2]) / 2 + room).all(1).any():
                return True
        return bool(((np.abs(points[:, 0]) > HALF_WIDTH + 4) | (points[:, 1] > DEPTH - .6)).any())

    def hides(self, point, camera):
        """Whether something high stands between a camera and somebody at x, y."""
        high = Hall(boxes=[box for box in self.boxes if box.middle[2] + box.size[2] / 2 > 1])
        return high.blocked(np.linspace(.3, 1, 60)[:, None] * (np.array(point) - camera[:2]) + camera[:2], .3)


def furnished(random, camera, decorated):
    """A hall from a seed. `decorated` says whether there are a mirror, a poster and a screen for certain."""
    hall = Hall(floor=tuple(random.uniform(.10, .34) * np.array([1, .98, .95])),
                wall=tuple(random.uniform(.35, .65) * np.array([1, .97, random.uniform(.85, 1)])))
    left = random.random() < .5
    if decorated or random.random() < .8:
        _add_mirror(hall, random, -1 if left else 1)
    if decorated or random.random() < .8:
        _add_poster_wall(hall, random, 1 if left else -1)
    _add_hiding_places(hall, random, camera)
    _add_benches(hall, random)
    _add_clutter(hall, random)
    return hall


def _paint(random, darkest, lightest):
    """A colour between these lightnesses; most things in a gym are grey, some are not."""
    grey = random.uniform(darkest, lightest)
    return tuple(np.clip(grey + (random.uniform(darkest, lightest, 3) - grey) * random.choice([.08, .2, .8]), 0, 1))


def _add_mirror(hall, random, side):
    middle = np.array([side * random.uniform(4.2, 5.2), random.uniform(9.5, 12), 1.2])
    # It faces the camera nearly, so that it shows the people between them.
    heading = np.degrees(np.arctan2(-middle[0], middle[1])) * random.uniform(.3, .9)
    _add_wall(hall, middle, heading, (3.6, 2.5), (.30, .28, .27))
    face = middle + about_z(heading) @ np.array([0, -PANEL_THICKNESS / 2 - .01, 0])
    hall.panels.append(Panel('mirror', tuple(face), heading, (3.2, 2.1)))


def _add_poster_wall(hall, random, side):
    middle = np.array([side * random.uniform(4.6, 6), random.uniform(9, 13), 1.4])
    heading = np.degrees(np.arctan2(-middle[0], middle[1])) * random.uniform(.2, 1)
    _add_wall(hall, middle, heading, (3.4, 2.8), _paint(random, .25, .6))
    for kind, across, size in (('poster', -.85, (1.15, 1.8)), ('screen', .75, (1.5, .95))):
        shift = about_z(heading) @ np.array([across, -PANEL_THICKNESS / 2 - .01, .15])
        hall.panels.append(Panel(kind, tuple(middle + shift), heading, size))


def _add_wall(hall, middle, heading, size, colour):
    hall.boxes.append(Box((middle[0], middle[1], size[1] / 2), (size[0], PANEL_THICKNESS, size[1]), colour, heading))


def _add_hiding_places(hall, random, camera):
    """Pillars and store racks, high and wide enough for somebody behind them to be out of sight."""
    for index in range(3):
        for _ in range(100):
            place = np.array([random.uniform(-.45, .45) * (index + 8), random.uniform(8, 13.5)])
            far_apart = all(np.linalg.norm(place - other) > 2.6 for other in hall.hiding_places)
            if far_apart and not hall.blocked(place, 1.6):
                break
        else:
            continue
        if index == 0:
            colour = tuple(random.uniform(.4, .7) * np.ones(3))
            hall.boxes.append(Box((*place, HEIGHT / 2), (.95, .6, HEIGHT), colour))
            depth = .6
        else:
            depth = .5
            _add_rack(hall, random, place)
        away = place - camera[:2]
        hall.hiding_places.append(place + away / np.linalg.norm(away) * (depth / 2 + .62))


def _add_rack(hall, random, place):
    """A closed cupboard with weights on shelves before it."""
    frame = _paint(random, .05, .3)
    width, height = random.uniform(1.3, 1.9), random.uniform(2.05, 2.3)
    hall.boxes.append(Box((*place, height / 2), (width, .4, height), frame))
    for shelf in (.35, .8, 1.25, 1.7):
        hall.boxes.append(Box((place[0], place[1] - .25, shelf), (width, .14, .03), (.5, .5, .52), blocks=False))
        for x in np.arange(-width / 2 + .15, width / 2 - .1, .24):
            size = random.uniform(.09, .17)
            middle = (place[0] + x, place[1] - .26, shelf + .015 + size / 2)
            hall.boxes.append(Box(middle, (size, .13, size), _paint(random, .03, .5), blocks=False))


def _add_benches(hall, random):
    for _ in range(2):
        for _ in range(60):
            place = np.array([random.uniform(-4, 4), random.uniform(7.5, 13)])
            if not hall.blocked(place, 1.3):
                break
        else:
            continue
        heading = random.uniform(-50, 50)
        red = _paint(random, .04, .4)
        hall.boxes.append(Box((*place, .42), (1.1, .36, .08), red, heading))
        hall.boxes.append(Box((*place, .19), (.9, .12, .38), (.3, .3, .32), heading))
        # Who sits has the bench behind the heels.
        front = about_z(heading)[:2, :2] @ np.array([0, -.36])
        hall.seats.append((*(place + front), heading))


def _add_clutter(hall, random):
    """Machines, boxes and mats along the sides and at the back."""
    for _ in range(14):
        side = random.choice([-1, 1])
        place = np.array([side * random.uniform(5.5, 9.5), random.uniform(11, DEPTH - 1)])
        if random.random() < .35:
            place = np.array([random.uniform(-9, 9), DEPTH - random.uniform(.7, 1.6)])
        if hall.blocked(place, .9):
            continue
        size = np.array([random.uniform(.3, 1.2), random.uniform(.3, .9), random.uniform(.3, 1.7)])
        hall.boxes.append(Box((*place, size[2] / 2), tuple(size), _paint(random, .03, .5),
                              random.uniform(-40, 40)))
        if size[2] < .8:
            post = (*place, random.uniform(.8, 1.6) / 2)
            hall.boxes.append(Box(post, (.07, .07, post[2] * 2), (.4, .4, .42), blocks=False))
    for _ in range(5):
        place = (random.uniform(-4.5, 4.5), random.uniform(6.5, 14), .008)
        hall.boxes.append(Box(place, (random.uniform(.7, 1), random.uniform(1.6, 2.2), .016),
                              _paint(random, .04, .4), random.uniform(-60, 60), blocks=False))
