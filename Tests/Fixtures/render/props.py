"""What people hold or step onto: plain meshes in Blender that follow the hands."""
import bpy
import numpy as np
from mathutils import Matrix
from materials import plain
from rotations import frame, unit
from skeleton import AUTHORED_LEG, SIDES
from steps import BOX_HEIGHT, BOX_Y

BOX_SIZE = .60, .38             # width and depth in metres


def grips(skeleton, rotations, positions):
    """For each hand: the middle of the fist, the way from little finger to index finger, and the way of the forearm."""
    result = []
    for _, ending, sign in SIDES:
        hand = skeleton.index[f'hand_{ending}']
        fingers = skeleton.between(f'hand_{ending}', f'middle_01_{ending}')
        knuckles = unit(skeleton.between(f'pinky_01_{ending}', f'index_01_{ending}'))
        palm = sign * np.cross(unit(fingers), knuckles)
        turn = rotations[hand]
        middle = positions[hand] + turn @ (fingers * .95 + palm * .028)
        forearm = unit(positions[hand] - positions[skeleton.index[f'lowerarm_{ending}']])
        result.append((middle, turn @ knuckles, forearm))
    return result


class Props:
    """The things of one person, by their names in a role."""

    def __init__(self, names, human, place):
        self.skeleton = human.skeleton
        self.held = []
        for name in names:
            if name == 'box':
                _box(place, human.skeleton.leg_length / AUTHORED_LEG)
            elif name == 'dumbbells':
                self.held += [(_dumbbell(), lambda hands, number=number: _in_hand(*hands[number])) for number in (0, 1)]
            else:
                build = dict(barbell=_barbell, kettlebell=_kettlebell)[name]
                self.held.append((build(), _between_hands))

    def move(self, rotations, positions):
        """Puts everything where the hands are."""
        if not self.held:
            return
        hands = grips(self.skeleton, rotations, positions)
        for parts, follow in self.held:
            place, axes = follow(hands)
            matrix = Matrix(np.vstack([np.column_stack([axes, place]), [0, 0, 0, 1]]).tolist())
            for thing, own in parts:
                thing.matrix_world = matrix @ own


def _in_hand(middle, knuckles, forearm):
    return middle, frame(knuckles, forearm)


def _between_hands(hands):
    (left, _, forearm), (right, _, other) = hands
    return (left + right) / 2, frame(left - right, forearm + other)


def _dumbbell():
    steel, dark = plain('handle', (.5, .5, .52), .3), plain('weight', (.05, .05, .06), .5)
    return [_rod(.014, .14, 0, steel), _rod(.052, .07, -.095, dark), _rod(.052, .07, .095, dark)]


def _barbell():
    steel, plate = plain('bar', (.55, .55, .57), .3), plain('plate', (.05, .05, .06), .5)
    return [_rod(.014, 1.5, 0, steel), *(_rod(.165, .05, side * .58, plate) for side in (-1, 1))]


def _kettlebell():
    """Its handle is across, its ball hangs on along the forearms."""
    iron = plain('iron', (.06, .06, .07), .5)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=.10, location=(0, .155, 0), segments=24, ring_count=16)
    ball = _finished(iron)
    legs = []
    for side in (-1, 1):
        bpy.ops.mesh.primitive_cylinder_add(
            radius=.015, depth=.11, location=(side * .055, .045, 0), rotation=(np.pi / 2, 0, 0))
        legs.append(_finished(iron))
    return [_rod(.015, .13, 0, iron), ball, *legs]


def _rod(radius, length, middle, material):
    """A cylinder along x."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=radius, depth=length, location=(middle, 0, 0), rotation=(0, np.pi / 2, 0))
    return _finished(material)


def _box(place, scale):
    """In front of the person's feet, as in steps.py."""
    x, y, heading = place
    turn = np.radians(heading)
    forward = BOX_Y * scale - .02
    height = BOX_HEIGHT * scale
    location = x - forward * np.sin(turn), y + forward * np.cos(turn), height / 2
    bpy.ops.mesh.primitive_cube_add(size=1, location=location, rotation=(0, 0, turn))
    thing, _ = _finished(plain('box', (.48, .33, .18), .8), smooth=False)
    thing.scale = *BOX_SIZE, height


def _finished(material, smooth=True):
    """The object just added, with its material, and its own place within what it is a part of."""
    thing = bpy.context.object
    thing.data.materials.append(material)
    for polygon in thing.data.polygons:
        polygon.use_smooth = smooth
    bpy.context.view_layer.update()
    return thing, thing.matrix_world.copy()
