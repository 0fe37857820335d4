"""The hall as meshes of small squares with a colour at each corner."""
import numpy as np
from body import lit, srgb
from hall import DEPTH, HALF_WIDTH, HEIGHT
from rotations import about_z

NEAR = -3.0                     # the floor begins behind the camera


def grid(corner, across, along, step):
    """Points and triangles of a flat surface from one corner, with squares of about `step` metres."""
    corner, across, along = (np.array(vector, float) for vector in (corner, across, along))
    columns = max(1, int(np.ceil(np.linalg.norm(across) / step)))
    rows = max(1, int(np.ceil(np.linalg.norm(along) / step)))
    u, v = np.meshgrid(np.linspace(0, 1, columns + 1), np.linspace(0, 1, rows + 1))
    points = corner + u.ravel()[:, None] * across + v.ravel()[:, None] * along
    first = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    right, below, across_below = first + 1, first + columns + 1, first + columns + 2
    return points, np.concatenate([np.stack([first, right, below], 1), np.stack([right, across_below, below], 1)])


def _mesh(points, corners, colour, normal, random, grain):
    colours = np.array(colour) * (1 - grain + 2 * grain * random.random((len(points), 1)))
    return points, lit(colours, np.tile(normal, (len(points), 1))), np.ascontiguousarray(corners, np.int32)


def floor(hall, random):
    """The floor: rubber tiles with grains and seams."""
    points, corners = grid((-HALF_WIDTH - 4, NEAR, 0), (2 * HALF_WIDTH + 8, 0, 0), (0, DEPTH - NEAR, 0), .06)
    tile = (np.floor(points[:, 0]) * 7 + np.floor(points[:, 1]) * 13) % 5 / 5
    seam = (np.abs(points[:, 0] % 1 - .5) > .47) | (np.abs(points[:, 1] % 1 - .5) > .47)
    colours = np.array(hall.floor) * (.92 + .12 * tile - .2 * seam + .14 * random.random(len(points)))[:, None]
    return points, lit(colours, np.tile([0, 0, 1.0], (len(points), 1))), np.ascontiguousarray(corners, np.int32)


def walls(hall, random):
    """Back and sides, and the ceiling with its lamps."""
    width = 2 * HALF_WIDTH
    side = HALF_WIDTH + 4
    # The wall behind the camera is seen in the mirror.
    pieces = [((-side, NEAR, 0), (2 * side, 0, 0), (0, 0, HEIGHT), hall.wall, (0, 1, 0)),
              ((-side, DEPTH, 0), (2 * side, 0, 0), (0, 0, HEIGHT), hall.wall, (0, -1, 0)),
              ((-HALF_WIDTH, 14, 0), (0, DEPTH - 14, 0), (0, 0, HEIGHT), hall.wall, (1, 0, 0)),
              ((HALF_WIDTH, 14, 0), (0, DEPTH - 14, 0), (0, 0, HEIGHT), hall.wall, (-1, 0, 0)),
              ((-side, DEPTH - .02, 0), (2 * side, 0, 0), (0, 0, .9), np.array(hall.wall) * .55, (0, -1, 0))]
    for corner, across, along, colour, normal in pieces:
        points, corners = grid(corner, across, along, .12)
        yield _mesh(points, corners, colour, np.array(normal, float), random, .06)
    points, corners = grid((-side, NEAR, HEIGHT), (2 * side, 0, 0), (0, DEPTH - NEAR, 0), .12)
    lamp = (points[:, 1] % 4 < .5) & (np.abs((points[:, 0] + width) % 3 - 1.5) < .9)
    yield points, srgb(np.where(lamp[:, None], .95, .42) * np.ones((1, 3))), np.ascontiguousarray(corners, np.int32)


def box_faces(box, random):
    """The visible sides of a box, each a mesh."""
    turn = about_z(box.heading)
    half = np.array(box.size) / 2
    for axis in range(3):
        for sign in (-1, 1):
            if axis == 2 and sign < 0:
                continue
            first, second = (np.eye(3)[(axis + i) % 3] for i in (1, 2))
            normal = np.eye(3)[axis] * sign
            corner = normal * half - first * half - second * half
            points, corners = grid(corner, first * 2 * half, second * 2 * half, .12)
            yield _mesh(points @ turn.T + np.array(box.middle), corners, box.colour, turn @ normal, random, .08)
