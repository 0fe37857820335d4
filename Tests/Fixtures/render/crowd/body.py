"""A dressed person as one mesh with a colour at each vertex, and the light that falls on it."""
import numpy as np
from paint import eye_colours, skin_colours
from rotations import unit

# Light from the sky, from below, and of two lamps: where they shine from, and how strongly. Linear.
ABOVE, BELOW = .46, .20
LAMPS = ((unit([.35, -.55, .75]), .55), (unit([-.6, -.25, .6]), .28))
CLOTH_GRAIN, CREASE = .10, .14


def srgb(linear):
    """Linear light as the bytes of a picture, still as numbers with fractions."""
    linear = np.clip(linear, 0, 1)
    return 255 * np.where(linear <= .0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - .055)


def lit(colours, normals):
    """What a camera sees of matt surfaces with these colours and normals."""
    light = BELOW + (ABOVE - BELOW) * (normals[:, 2] * .5 + .5)
    for direction, strength in LAMPS:
        light = light + strength * np.clip(normals @ direction, 0, None)
    return srgb(colours * light[:, None])


def triangles(faces, first=0):
    """Faces of any number of corners as fans of triangles."""
    return [[face[0] + first, face[i] + first, face[i + 1] + first]
            for face in faces for i in range(1, len(face) - 1)]


class Body:
    """The meshes of a human, joined; `look` colours them."""

    def __init__(self, human, look, seed):
        self.human = human
        random = np.random.default_rng(seed)
        vertices, weights, colours, corners, normals = [], [], [], [], []
        first = 0
        for name, part in human.parts.items():
            own = np.array(triangles(part.faces, 0))
            vertices.append(part.vertices)
            weights.append(part.weights)
            colours.append(_colours(name, human, part.vertices, look, random))
            normals.append(_normals(part.vertices, own, name, random))
            corners.append(own + first)
            first += len(part.vertices)
        self.vertices = np.concatenate(vertices).astype(np.float32)
        self.normals = np.concatenate(normals).astype(np.float32)
        self.weights = np.concatenate(weights).astype(np.float32)
        self.colours = np.concatenate(colours)
        self.triangles = np.ascontiguousarray(np.concatenate(corners), np.int32)

    def posed(self, rotations, positions):
        """Where these bones take vertices and normals."""
        shifts = positions - np.einsum('bij,bj->bi', rotations, self.human.skeleton.heads)
        bones = np.concatenate([rotations, shifts[:, :, None]], 2).reshape(len(rotations), 12)
        blended = (self.weights @ bones.astype(np.float32)).reshape(-1, 3, 4)
        turned = np.matmul(blended[:, :, :3], self.vertices[:, :, None])[:, :, 0]
        normals = np.matmul(blended[:, :, :3], self.normals[:, :, None])[:, :, 0]
        return turned + blended[:, :, 3], unit(normals)


def _colours(name, human, vertices, look, random):
    if name == 'skin':
        return skin_colours(human, vertices, look)
    if name == 'eyes':
        return eye_colours(vertices)
    colour = np.array(dict(shirt=look.shirt, trousers=look.trousers, socks=look.socks, shoes=look.shoes,
                           hair=look.hair)[name])
    grain = 1 - CLOTH_GRAIN + 2 * CLOTH_GRAIN * random.random(len(vertices))
    if name == 'shoes':
        return np.where(vertices[:, 2:] < .012, np.array([.7, .7, .7]), colour)
    return colour * grain[:, None]


def _normals(vertices, corners, name, random):
    """Outward normals; cloth has a few creases in them."""
    a, b, c = (vertices[corners[:, i]] for i in range(3))
    own = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for i in range(3):
        np.add.at(normals, corners[:, i], own)
    normals = unit(normals)
    if name in ('shirt', 'trousers'):
        phase = random.random(3) * 6
        folds = np.sin(vertices @ np.array([[21, 34, 13], [33, 12, 25], [17, 26, 52]]) + phase)
        normals = unit(normals + CREASE * folds)
    return normals
