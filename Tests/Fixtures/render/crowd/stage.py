"""The hall with its people as pictures, and what each pixel belongs to."""
import numpy as np
import surfaces
from body import LAMPS, lit
from raster import FINER, Picture
from rotations import unit
from truth import Camera

NOTHING, FLOOR, THINGS, PANELS, PEOPLE = 0, 1, 2, 10, 100
SHADOW = .24                    # what one missing lamp takes away
MIRROR_TINT = np.array([.86, .90, .88])
SCREEN_RATE = 15
NOISE = 1.5


class CrowdCamera(Camera):
    """A pinhole that projects many points at once."""

    def project_all(self, points):
        """x, y in pixels and depth in metres of each point."""
        right, up, forward = self.axes @ (points - self.location).T
        safe = np.where(np.abs(forward) < 1e-6, 1e-6, forward)
        x, y = self.width / 2 + self.focal * right / safe, self.height / 2 - self.focal * up / safe
        return np.stack([x, y, forward], 1)

    def half_width(self, y):
        """Half the width of what is in the picture on the floor at this y."""
        forward = self.axes[2] @ (np.array([0, y, 0]) - self.location)
        return float(forward * self.width / 2 / self.focal)

    def rays(self, pixels, columns):
        """The ways of these fine pixels, given by their flat numbers."""
        x = (pixels % columns + .5) / FINER - self.width / 2
        y = self.height / 2 - (pixels // columns + .5) / FINER
        return np.stack([x, y, np.full(len(x), self.focal)], 1) @ self.axes


class Stage:
    """Draws what stands still once, then everybody in every picture."""

    def __init__(self, hall, camera, bodies, random):
        self.hall, self.camera, self.bodies = hall, camera, bodies
        self.static = Picture(camera.width, camera.height)
        self.picture = Picture(camera.width, camera.height)
        self.noise = np.clip(np.round(random.normal(0, NOISE, (camera.height + 64, camera.width + 64))), -6, 6)
        self.random = random
        self._draw_hall()
        self.panels = [_hung(panel, self, number) for number, panel in enumerate(hall.panels)]

    def _draw_hall(self):
        random = np.random.default_rng(5)
        self.meshes = [(surfaces.floor(self.hall, random), FLOOR)]
        self.meshes += [(mesh, THINGS) for mesh in surfaces.walls(self.hall, random)]
        boxes = [mesh for box in self.hall.boxes for mesh in surfaces.box_faces(box, random)]
        self.meshes += [(mesh, THINGS) for mesh in boxes]
        for (points, colours, corners), owner in self.meshes:
            self.static.draw(self.camera.project_all(points), colours, corners, owner)
        for points, _, corners in boxes:
            self._shade(self.static, points, corners)
        self.static.darken(SHADOW)

    def _shade(self, picture, points, corners, lamps=LAMPS):
        for bit, (direction, _) in enumerate(lamps):
            flat = points - direction * (points[:, 2:] / direction[2])
            picture.cast_shadow(self.camera.project_all(flat), corners, 1 << bit, FLOOR)

    def take(self, moments, time):
        """The picture as bytes; for each person the share of the body that is in it and can be seen."""
        picture = self.picture
        picture.copy_from(self.static)
        posed = [body.posed(moment.rotations, moment.positions) for body, moment in zip(self.bodies, moments)]
        meshes = [(points, lit(body.colours, normals), body.triangles)
                  for body, (points, normals) in zip(self.bodies, posed)]
        # The stronger lamp's shadow is enough for people.
        for points, _, corners in meshes:
            self._shade(picture, points, corners, LAMPS[:1])
        picture.darken(SHADOW)
        for panel in self.panels:
            panel.show(picture, meshes, time)
        places = [self.camera.project_all(points) for points, _, _ in meshes]
        covered = [picture.draw(place, colours, corners, PEOPLE + number, counted=True)
                   for number, (place, (_, colours, corners)) in enumerate(zip(places, meshes))]
        shift = self.random.integers(0, 64, 2)
        grain = self.noise[shift[0]:shift[0] + self.camera.height, shift[1]:shift[1] + self.camera.width]
        image, seen = picture.develop(grain)
        shares = [_visible(seen[PEOPLE + number], count, self._inside(place))
                  for number, (count, place) in enumerate(zip(covered, places))]
        return image, shares

    def _inside(self, places):
        x, y, depth = places.T
        return np.mean((depth > 0) & (x >= 0) & (x < self.camera.width) & (y >= 0) & (y < self.camera.height))

    def is_occluded(self, position, radius):
        """Whether something stands between the camera and what is around this point."""
        x, y, depth = self.camera.project(position)
        return bool(self.camera.sees(x, y) and depth > 0 and self.picture.surface(x, y) < depth - radius)


def _visible(seen, covered, inside):
    return round(float(seen / covered * inside), 3) if covered else 0.0


def _hung(panel, stage, number):
    owner = PANELS + number
    a, b, _, d = panel.corners()
    points, corners = surfaces.grid(a, b - a, d - a, .2)
    grey = np.full((len(points), 3), 90.0)
    stage.static.draw(stage.camera.project_all(points), grey, np.ascontiguousarray(corners, np.int32), owner)
    pixels = np.flatnonzero(stage.static.owner.ravel() == owner)
    return (Mirror if panel.kind == 'mirror' else Pictured)(panel, stage, pixels)


class Mirror:
    """A mirror that shows the hall and the people before it."""

    def __init__(self, panel, stage, pixels):
        self.panel, self.camera, self.pixels = panel, stage.camera, pixels
        self.static = Picture(stage.camera.width, stage.camera.height)
        self.picture = Picture(stage.camera.width, stage.camera.height)
        self.stencil = np.zeros(self.static.owner.shape, np.uint8)
        self.stencil.ravel()[pixels] = 1
        rows = np.flatnonzero(self.stencil.any(1))
        self.rows = slice(rows[0], rows[-1] + 1) if len(rows) else slice(0)
        for (points, colours, corners), owner in stage.meshes:
            self._draw(self.static, points, colours, corners, owner)

    def _draw(self, picture, points, colours, corners, owner):
        corners = corners[self.panel.before(points)[corners].all(1)]
        places = self.camera.project_all(self.panel.reflected(points))
        picture.draw(places, colours, np.ascontiguousarray(corners), owner, self.stencil)

    def show(self, picture, meshes, _time):
        """Puts what the mirror shows into the picture."""
        if not len(self.pixels):
            return
        self.picture.copy_from(self.static, self.rows)
        for points, colours, corners in meshes:
            self._draw(self.picture, points, colours, corners, PEOPLE)
        shown = self.picture.colour.reshape(-1, 3)[self.pixels] * MIRROR_TINT
        picture.colour.reshape(-1, 3)[self.pixels] = shown.astype(np.uint8)


class Pictured:
    """A poster, or a screen that repeats its pictures."""

    def __init__(self, panel, stage, pixels):
        self.pixels = pixels
        self.images = panel.images
        ways = stage.camera.rays(pixels, stage.static.owner.shape[1])
        a, b, _, d = panel.corners()
        normal = unit(panel.normal)
        reach = ((a - stage.camera.location) @ normal) / (ways @ normal)
        points = stage.camera.location + ways * reach[:, None] - a
        across, down = b - a, d - a
        height, width = self.images[0].shape[:2]
        self.column = np.clip(points @ across / (across @ across) * width, 0, width - 1).astype(int)
        self.row = np.clip(points @ down / (down @ down) * height, 0, height - 1).astype(int)

    def show(self, picture, _meshes, time):
        """Puts the poster, or the screen's picture of this moment, into the picture."""
        image = self.images[int(time * SCREEN_RATE) % len(self.images)]
        picture.colour.reshape(-1, 3)[self.pixels] = image[self.row, self.column]
