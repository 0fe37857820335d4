"""A person in Blender: one mesh for each part, coloured once and moved for every picture."""
import bpy
import numpy as np
from materials import painted, plain, speckled

PAINT = 'Col'
EYE_WHITE, IRIS, PUPIL = (.75, .74, .72), (.12, .07, .04), (.01, .01, .01)


class Figure:
    """The meshes of a human with a look."""

    def __init__(self, name, human, look):
        self.human = human
        self.objects = []
        materials = _materials(name, look)
        for part_name, part in human.parts.items():
            mesh = bpy.data.meshes.new(f'{name} {part_name}')
            mesh.from_pydata(part.vertices.tolist(), [], part.faces)
            mesh.materials.append(materials[part_name])
            for polygon in mesh.polygons:
                polygon.use_smooth = True
            if part_name == 'skin':
                _paint(mesh, skin_colours(human, part.vertices, look))
            elif part_name == 'eyes':
                _paint(mesh, eye_colours(part.vertices))
            thing = bpy.data.objects.new(f'{name} {part_name}', mesh)
            bpy.context.collection.objects.link(thing)
            _add_modifiers(thing, part_name)
            self.objects.append((thing, part))

    def move(self, rotations, positions):
        """Puts the meshes where these bones take them."""
        for thing, part in self.objects:
            moved = self.human.skin(part.vertices, part.weights, rotations, positions)
            thing.data.vertices.foreach_set('co', moved.astype(np.float32).ravel())
            thing.data.update()


def _materials(name, look):
    def cloth(part, colour, darker, grain, bump):
        second = tuple(np.array(colour) * darker)
        return speckled(f'{name} {part}', colour, second, grain, roughness=.9, specular=.1, bump=bump)

    hair_shade = tuple(np.array(look.hair) * .45)
    return dict(
        skin=painted(f'{name} skin', PAINT, .55, .35),
        shirt=cloth('shirt', look.shirt, .82, 25, .25),
        trousers=cloth('trousers', look.trousers, .8, 30, .2),
        socks=plain(f'{name} socks', look.socks, .9),
        shoes=plain(f'{name} shoes', look.shoes, .6),
        eyes=painted(f'{name} eyes', PAINT, .2, .5),
        hair=speckled(f'{name} hair', look.hair, hair_shade, 60, roughness=.65, bump=.6))


def _add_modifiers(thing, part):
    """Cloth is smoothed, then gets a thickness; hair the other way round, so that its rim becomes round."""
    if part in ('shirt', 'trousers', 'shoes'):
        _subdivide(thing)
    if part in ('shirt', 'trousers'):
        _thicken(thing, .005)
    if part == 'hair':
        _thicken(thing, .02)
        _subdivide(thing)


def _subdivide(thing):
    modifier = thing.modifiers.new('smooth', 'SUBSURF')
    modifier.levels = modifier.render_levels = 1


def _thicken(thing, thickness):
    modifier = thing.modifiers.new('thick', 'SOLIDIFY')
    modifier.thickness = thickness
    modifier.offset = -1


def _paint(mesh, colours):
    layer = mesh.color_attributes.new(PAINT, 'FLOAT_COLOR', 'POINT')
    layer.data.foreach_set('color', np.hstack([colours, np.ones((len(colours), 1))]).ravel())


def eye_colours(vertices):
    """White, with iris and pupil on the front of both eyes."""
    colours = np.tile(EYE_WHITE, (len(vertices), 1))
    sideways, height = np.abs(vertices[:, 0]), vertices[:, 2]
    middle_x = (sideways.max() + sideways.min()) / 2
    middle_z = (height.max() + height.min()) / 2
    radius = np.hypot(sideways - middle_x, height - middle_z)
    front = vertices[:, 1] < np.median(vertices[:, 1])
    colours[front & (radius < .0068)] = IRIS
    colours[front & (radius < .003)] = PUPIL
    return colours


def skin_colours(human, vertices, look):
    """Skin with brows, lips, cheeks, shaded eye sockets and, where the look has one, a beard."""
    skin, hair = np.array(look.skin), np.array(look.hair)
    colours = np.tile(skin, (len(vertices), 1))
    eye = human.centre('joint-l-eye')
    nose = human.vertices[human.landmark_vertices['nose'][0]]
    sideways, height = np.abs(vertices[:, 0]), vertices[:, 2]
    face = vertices[:, 1] < eye[1] + .05

    brow_height = eye[2] + .0215 + .004 * np.cos((sideways - .032) / .022 * 1.4)
    brow_thickness = .0055 - .04 * np.maximum(0, sideways - .035)
    brows = face & (sideways > .012) & (sideways < .055) & (np.abs(height - brow_height) < brow_thickness)
    colours[brows] = hair * .7 + skin * .12

    lip_thickness = .0105 * np.sqrt(np.clip(1 - (sideways / .026) ** 2, 0, 1))
    on_lips = (sideways < .024) & (np.abs(height - (nose[2] - .036)) < lip_thickness)
    lips = face & on_lips & (vertices[:, 1] < nose[1] + .05)
    colours[lips] = skin * np.array([.80, .52, .52])

    cheeks = np.exp(-(((sideways - .042) / .018) ** 2 + ((height - (nose[2] + .003)) / .02) ** 2)) * face
    colours *= 1 - cheeks[:, None] * np.array([.0, .14, .14])
    sockets = np.exp(-(((sideways - .03) / .02) ** 2 + ((height - eye[2]) / .012) ** 2)) * face
    colours *= 1 - .28 * sockets[:, None]
    if look.beard:
        beard = face & (height < nose[2] - .02) & (height > nose[2] - .11) & ~lips
        colours[beard] = colours[beard] * (1 - .45 * look.beard) + hair * .3 * look.beard
    return np.clip(colours, 0, 1)
