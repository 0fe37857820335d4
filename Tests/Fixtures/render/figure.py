"""A person in Blender: one mesh for each part, coloured once and moved for every picture."""
import bpy
import numpy as np
from materials import painted, plain, speckled
from paint import eye_colours, skin_colours

PAINT = 'Col'


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
