"""The Blender scene: renderer, lights, camera, the people in their room, and what the camera sees of them."""
import math
import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from figure import Figure
from landmarks import body_radius
from props import Props
from room import build_room

# Brightness of the surroundings, watts of ceiling and window, watts of the lamp at the left.
LIGHTS = dict(bright=(.38, 45, 95), dim=(.14, 12, 30), side=(.18, 8, 150))

SAMPLES = 2
SHADOW_MAP = '512'


class Scene:
    """Built once for a clip; then move the people and take a picture, again and again."""

    def __init__(self, clip, camera, performers):
        self.scene = bpy.context.scene
        self.camera = camera
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)
        _set_up_renderer(self.scene, *clip.size)
        build_room(clip.room)
        _add_lights(self.scene, *LIGHTS[clip.light])
        self.camera_object = _add_camera(self.scene, clip.camera)
        self.figures = [Figure(f'person {number}', performer.human, performer.look)
                        for number, performer in enumerate(performers)]
        self.props = [Props(performer.role.things, performer.human, performer.role.place) for performer in performers]

    def move(self, moments):
        """Puts everyone where they are at this moment."""
        for figure, moment in zip(self.figures, moments):
            figure.move(moment.rotations, moment.positions)
        for props, moment in zip(self.props, moments):
            props.move(moment.rotations, moment.positions)
        bpy.context.view_layer.update()
        self.evaluated = bpy.context.evaluated_depsgraph_get()

    def take_picture(self, path):
        """Renders to a PNG file."""
        self.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)

    def is_occluded(self, landmark, position):
        """Whether something stands between the camera and the body around this landmark."""
        eye = Vector(self.camera.location)
        way = Vector(position) - eye
        hit, place, *_ = self.scene.ray_cast(self.evaluated, eye, way.normalized(), distance=way.length)
        return bool(hit and way.length - (place - eye).length > body_radius(landmark))

    def check_camera(self, position):
        """Fails when Blender's camera and ours do not put a point on the same pixel."""
        seen = world_to_camera_view(self.scene, self.camera_object, Vector(position))
        theirs = seen.x * self.camera.width, (1 - seen.y) * self.camera.height
        ours = self.camera.project(position)[:2]
        if math.dist(theirs, ours) > .05:
            raise RuntimeError(f'Blender projects a point to {theirs}, truth.py to {ours}; they must agree')


def _set_up_renderer(scene, width, height):
    scene.render.engine = 'BLENDER_EEVEE'
    scene.render.resolution_x = width
    scene.render.resolution_y = height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = 'PNG'
    scene.render.image_settings.compression = 15
    scene.render.threads_mode = 'FIXED'
    scene.render.threads = 2
    scene.view_settings.view_transform = 'Standard'
    scene.view_settings.exposure = .0
    scene.eevee.taa_render_samples = SAMPLES
    scene.eevee.use_gtao = False
    scene.eevee.use_soft_shadows = False
    scene.eevee.shadow_cube_size = SHADOW_MAP
    # Without a graphics card the reflection probe of every picture costs a second at its usual size of 512.
    scene.eevee.gi_cubemap_resolution = '64'
    scene.eevee.gi_visibility_resolution = '8'
    scene.eevee.gi_diffuse_bounces = 0


def _add_lights(scene, surroundings, ceiling, lamp):
    world = bpy.data.worlds.new('surroundings')
    world.use_nodes = True
    background = world.node_tree.nodes['Background']
    background.inputs['Color'].default_value = (1, .98, .95, 1)
    background.inputs['Strength'].default_value = surroundings
    scene.world = world
    # One shadow is enough to stand on the floor, and each takes its time in every picture.
    _add_light((0, -1.5, 3.2), (0, 0, .8), 2.5, ceiling * 1.5, (1, 1, 1), shadow=True)
    _add_light((-2.8, -2.2, 2.4), (0, 0, 1), 1.2, lamp, (1, .95, .88))
    _add_light((2.6, .8, 2.6), (0, 0, 1), 1.0, ceiling * .6, (.85, .92, 1))


def _add_light(location, target, size, watts, colour, shadow=False):
    light = bpy.data.lights.new('light', 'AREA')
    light.size = size
    light.energy = watts
    light.color = colour
    light.use_shadow = shadow
    _add_pointing(light, location, target)


def _add_camera(scene, viewpoint):
    camera = bpy.data.cameras.new('camera')
    camera.sensor_fit = 'VERTICAL'
    camera.angle = math.radians(viewpoint.angle)
    scene.camera = _add_pointing(camera, viewpoint.location, viewpoint.target)
    return scene.camera


def _add_pointing(data, location, target):
    """An object with this data that looks from a place at another."""
    thing = bpy.data.objects.new(data.name, data)
    thing.location = location
    thing.rotation_euler = (Vector(target) - Vector(location)).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.collection.objects.link(thing)
    return thing
