"""Blender materials. Colours are linear RGB; all of them are procedural, so no picture file is needed."""
import math
import bpy


def plain(name, colour, roughness=.6, specular=.3):
    """One colour."""
    return _shaded(name, colour, roughness, specular)[0]


def speckled(name, colour, second_colour, grain, roughness=.6, specular=.3, bump=0):
    """Noise between two colours; a higher `grain` is finer. `bump` lets the noise also shape the surface."""
    material, nodes, links, shader = _shaded(name, colour, roughness, specular)
    place = nodes.new('ShaderNodeTexCoord')
    noise = nodes.new('ShaderNodeTexNoise')
    noise.inputs['Scale'].default_value = grain
    noise.inputs['Detail'].default_value = 3
    links.new(place.outputs['Object'], noise.inputs['Vector'])
    mix = nodes.new('ShaderNodeMixRGB')
    mix.inputs['Color1'].default_value = (*colour, 1)
    mix.inputs['Color2'].default_value = (*second_colour, 1)
    links.new(noise.outputs['Fac'], mix.inputs['Fac'])
    links.new(mix.outputs['Color'], shader.inputs['Base Color'])
    if bump:
        relief = nodes.new('ShaderNodeBump')
        relief.inputs['Strength'].default_value = bump
        relief.inputs['Distance'].default_value = .01
        links.new(noise.outputs['Fac'], relief.inputs['Height'])
        links.new(relief.outputs['Normal'], shader.inputs['Normal'])
    return material


def painted(name, layer, roughness, specular):
    """The colours painted on the mesh's vertices."""
    material, nodes, links, shader = _shaded(name, (1, 1, 1), roughness, specular)
    paint = nodes.new('ShaderNodeVertexColor')
    paint.layer_name = layer
    links.new(paint.outputs['Color'], shader.inputs['Base Color'])
    return material


def bricks(name, colour, second_colour, mortar):
    """A wall that faces the camera."""
    material, nodes, links, shader = _shaded(name, colour, .85)
    texture = _brick_texture(nodes, colour, second_colour, mortar, width=.24, height=.08, gap=.006)
    # Bricks are laid in the texture's x and y; the wall stands, so x and z of the room go there.
    place = nodes.new('ShaderNodeNewGeometry')
    upright = nodes.new('ShaderNodeMapping')
    upright.inputs['Rotation'].default_value = (math.radians(90), 0, 0)
    links.new(place.outputs['Position'], upright.inputs['Vector'])
    links.new(upright.outputs['Vector'], texture.inputs['Vector'])
    links.new(texture.outputs['Color'], shader.inputs['Base Color'])
    return material


def boards(name, colour, second_colour):
    """A wooden floor."""
    material, nodes, links, shader = _shaded(name, colour, .45)
    gap_colour = tuple(channel * .3 for channel in colour)
    texture = _brick_texture(nodes, colour, second_colour, gap_colour, width=1.4, height=.14, gap=.003)
    place = nodes.new('ShaderNodeNewGeometry')
    links.new(place.outputs['Position'], texture.inputs['Vector'])
    links.new(texture.outputs['Color'], shader.inputs['Base Color'])
    return material


def _brick_texture(nodes, colour, second_colour, gap_colour, width, height, gap):
    texture = nodes.new('ShaderNodeTexBrick')
    texture.offset = .5
    texture.inputs['Scale'].default_value = 1.0
    texture.inputs['Brick Width'].default_value = width
    texture.inputs['Row Height'].default_value = height
    texture.inputs['Mortar Size'].default_value = gap
    texture.inputs['Color1'].default_value = (*colour, 1)
    texture.inputs['Color2'].default_value = (*second_colour, 1)
    texture.inputs['Mortar'].default_value = (*gap_colour, 1)
    return texture


def _shaded(name, colour, roughness, specular=None):
    """A new material with its nodes, its links and its shader."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = (*colour, 1)
    shader.inputs['Roughness'].default_value = roughness
    if specular is not None:
        shader.inputs['Specular'].default_value = specular
    return material, nodes, links, shader
