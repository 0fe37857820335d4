"""A person: the base mesh in a chosen shape, dressed, with bones, skinning and landmarks. Without Blender.

Axes are Blender's: x is the person's left, -y the way the person faces, z up, metres.
"""
import numpy as np
import body_data
from body_data import BODY_VERTICES
from clothes import Tailor
from landmarks import landmark_vertices

# The names the body data gives to its shapes.
ANCESTRIES = ('caucasian', 'african', 'asian')
MUSCLES = ('minmuscle', 'averagemuscle', 'maxmuscle')
WEIGHTS = ('minweight', 'averageweight', 'maxweight')
HEIGHTS = ('minheight', None, 'maxheight')
PROPORTIONS = ('uncommonproportions', None, 'idealproportions')


def stops(slider, names):
    """A slider of 0..1 over three shapes as (name, weight) pairs; a shape without a name is the base mesh."""
    weights = max(0, 1 - 2 * slider), 1 - abs(2 * slider - 1), max(0, 2 * slider - 1)
    return [(name, weight) for name, weight in zip(names, weights) if name is not None]


def shape_targets(male, muscle, weight, ancestry, height, proportions):
    """The targets of a young adult with these sliders, as (name, weight) pairs."""
    for gender, gender_weight in (('male', male), ('female', 1 - male)):
        for name, share in zip(ANCESTRIES, ancestry):
            yield f'macrodetails/{name}-{gender}-young', gender_weight * share
        builds = [(f'{gender}-young-{muscles}-{weights}', gender_weight * muscles_share * weights_share)
                  for muscles, muscles_share in stops(muscle, MUSCLES)
                  for weights, weights_share in stops(weight, WEIGHTS)]
        for build, share in builds:
            yield f'macrodetails/universal-{build}', share
            for name, part in stops(height, HEIGHTS):
                yield f'macrodetails/height/{build}-{name}', share * part
            for name, part in stops(proportions, PROPORTIONS):
                yield f'macrodetails/proportions/{build}-{name}', share * part
        if gender == 'female':
            for build, share in builds:
                name = f'breast/{build}-averagecup-averagefirmness'
                # The data has no such target for the build that equals the base mesh.
                if body_data.has_target(name):
                    yield name, share


class Human:
    """`body` holds the sliders of `shape_targets`, `outfit` the lengths of the clothes (see clips.py)."""

    def __init__(self, body, outfit):
        vertices, self.faces = body_data.base_mesh()
        for name, weight in shape_targets(**body):
            body_data.add_target(vertices, name, weight)
        # From the data's decimetres with y up to metres with z up, standing on the floor.
        vertices = np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], 1) / 10.0
        vertices[:, 2] -= vertices[:BODY_VERTICES, 2].min()
        self.vertices = vertices
        self.groups = body_data.vertex_groups()
        self.skeleton = body_data.rest_skeleton(vertices, self.groups)
        self.weights = body_data.skin_weights(self.skeleton, len(vertices))
        self.parts = Tailor(self, outfit).parts()
        self.landmark_vertices = landmark_vertices(self)

    def centre(self, group):
        """The middle of a group of vertices, at rest."""
        return self.vertices[self.groups[group]].mean(0)

    def pull(self, *bones):
        """How much these bones together move every vertex."""
        return sum(self.weights[:, self.skeleton.index[bone]] for bone in bones)

    def skin(self, vertices, weights, rotations, positions):
        """Linear blend skinning of vertices with these weights."""
        shifts = positions - np.einsum('bij,bj->bi', rotations, self.skeleton.heads)
        bones = np.concatenate([rotations, shifts[:, :, None]], 2).reshape(len(rotations), 12)
        blended = (weights @ bones.astype(np.float32)).reshape(-1, 3, 4)
        return np.einsum('vij,vj->vi', blended[:, :, :3], vertices) + blended[:, :, 3]

    def landmarks(self, rotations, positions):
        """The world position of every landmark, by name."""
        return {name: self.skin(self.vertices[chosen], self.weights[chosen], rotations, positions).mean(0)
                for name, chosen in self.landmark_vertices.items()}
