"""Dresses a person: shirt and trousers are cut out of the mesh's helper for tight clothes, socks out of the
skin; hair is the scalp pushed outwards, and shoes are lofted around the feet."""
from dataclasses import dataclass
import numpy as np
from body_data import BODY_VERTICES
from rotations import unit
from shoes import shoes

# How far clothes stand off the body, metres; the second number is added where they hang loose.
SHIRT_EASE, SHIRT_LOOSE = 0.010, 0.010
TROUSERS_EASE, TROUSERS_LOOSE = 0.009, 0.008
SOCKS_EASE = 0.003
SHIRT_HEM_ABOVE_HIP = 0.02

# The hairline from the forehead over the ears to the nape: distance behind the eyes, height over them.
HAIRLINE_BEHIND_EYES = [-0.05, 0.02, 0.05, 0.075, 0.10, 0.13, 0.2]
HAIRLINE_OVER_EYES = np.array([0.066, 0.060, 0.035, -0.005, -0.03, -0.06, -0.07])


@dataclass
class Part:
    """A mesh of its own material, at rest."""
    vertices: np.ndarray
    weights: np.ndarray
    faces: list


class Tailor:
    """Cuts the clothes of an outfit.

    `sleeve` and `leg` are lengths: 0..1 ends on the upper arm or thigh, 1..2 on the forearm or calf. `hair`
    is its thickness in metres.
    """

    def __init__(self, human, outfit):
        self.human = human
        self.outfit = outfit
        self.height = human.vertices[:, 2]
        self.torso = human.pull(
            'pelvis', 'spine_01', 'spine_02', 'spine_03', 'clavicle_l', 'clavicle_r', 'Root')
        self.upper_arm = human.pull('upperarm_l', 'upperarm_r')
        self.forearm = human.pull('lowerarm_l', 'lowerarm_r')
        self.thigh = human.pull('thigh_l', 'thigh_r')
        self.calf = human.pull('calf_l', 'calf_r')
        self.arm = self.upper_arm + self.forearm > 0.5
        self.down_thigh = self._down_bone('thigh')
        self.hip_height = human.skeleton.head('thigh_l')[2]
        self.neck_height = human.skeleton.head('neck_01')[2]
        self.ankle_height = human.skeleton.head('foot_l')[2]
        self.skin_faces = human.faces['body']
        self.cloth_faces = human.faces['helper-tights']
        self.normals = self._normals(self.skin_faces + self.cloth_faces)

    def parts(self):
        """All meshes of the dressed person by name."""
        vertices = self.human.vertices
        eyes = self.human.faces['helper-l-eye'] + self.human.faces['helper-r-eye']
        return dict(
            skin=self._cut(self._bare_faces(), vertices),
            shirt=self._cut(_inside(self.cloth_faces, self._under_shirt(0)), self._shirt_vertices()),
            trousers=self._cut(_inside(self.cloth_faces, self._under_trousers(0)), self._trousers_vertices()),
            socks=self._cut(
                _inside(self.skin_faces, self._under_socks()), vertices + self.normals * SOCKS_EASE),
            shoes=Part(*shoes(self.human)),
            eyes=self._cut(eyes, vertices),
            hair=self._cut(_inside(self.skin_faces, self._under_hair()), self._hair_vertices()))

    def _cut(self, faces, vertices):
        """A part of these faces, with the vertices they use numbered anew."""
        used = np.unique(np.concatenate([np.array(face) for face in faces]))
        number = -np.ones(len(vertices), int)
        number[used] = np.arange(len(used))
        return Part(vertices[used].copy(), self.human.weights[used].copy(),
                    [[int(number[vertex]) for vertex in face] for face in faces])

    def _normals(self, faces):
        vertices = self.human.vertices
        normals = np.zeros_like(vertices)
        a, b, c, d = (vertices[[face[i % len(face)] for face in faces]] for i in range(4))
        sizes = [len(face) for face in faces]
        np.add.at(normals, np.concatenate(faces), np.repeat(np.cross(c - a, d - b), sizes, axis=0))
        return unit(normals)

    def _down_bone(self, bone):
        """How far down the bone of its side every vertex is, 0 at the bone's head and 1 at its tail."""
        vertices, skeleton = self.human.vertices, self.human.skeleton

        def along(name):
            way = skeleton.tail(name) - skeleton.head(name)
            return ((vertices - skeleton.head(name)) @ way) / (way @ way)

        return np.where(vertices[:, 0] > 0, along(f'{bone}_l'), along(f'{bone}_r'))

    def _under_shirt(self, margin):
        """Vertices a shirt covers; with a margin, those well inside it."""
        legs = self.thigh + self.calf > 0.5
        length = self.outfit['sleeve']
        if length <= 1:
            covered = self.torso + self.upper_arm > 0.5
            sleeve = (self._down_bone('upperarm') < length - margin * 3) & (self.forearm < 0.5)
        else:
            covered = self.torso + self.upper_arm + self.forearm > 0.5
            sleeve = self._down_bone('lowerarm') < (length - 1) - margin * 3
        # A crew neck: a plane through the root of the neck, lower in front.
        behind_neck = self.human.vertices[:, 1] - self.human.skeleton.head('neck_01')[1]
        neckline = self.height < self.neck_height + 0.006 + np.clip(behind_neck * 0.55, -0.05, 0.03)
        hem = self.height > self.hip_height + SHIRT_HEM_ABOVE_HIP + margin
        return covered & ~legs & hem & neckline & (~self.arm | sleeve)

    def _under_trousers(self, margin):
        length = self.outfit['leg']
        if length <= 1:
            leg = (self.down_thigh < length - margin * 3) & (self.calf < 0.5)
        else:
            leg = self._down_bone('calf') < (length - 1) - margin * 3
        covered = self.human.pull('pelvis', 'spine_01', 'Root') + self.thigh + self.calf > 0.5
        return covered & (self.height < self.hip_height + 0.11 - margin) & leg & ~self.arm

    def _under_socks(self):
        return (self.height < self.ankle_height + 0.10) & (self.height > self.ankle_height - 0.015)

    def _bare_faces(self):
        """Skin without what clothes and shoes hide, so that it never pokes through them."""
        shirt = self._under_shirt(0.02) & (self.height < self.neck_height - 0.07)
        hidden = shirt | self._under_trousers(0.02)
        shoes_hide = self.height < self.ankle_height + 0.004
        return [face for face in self.skin_faces if not hidden[face].all() and not shoes_hide[face].all()]

    def _shirt_vertices(self):
        """Tight at the chest, a little away from the waist."""
        hanging = np.clip((self.neck_height - 0.15 - self.height) / 0.35, 0, 1) * (self.torso > 0.5)
        tight = self.human.vertices + self.normals * SHIRT_EASE
        return tight + self.normals * (SHIRT_LOOSE * hanging)[:, None]

    def _trousers_vertices(self):
        hanging = np.clip(self.down_thigh / 0.7, 0, 1) * (self.thigh > 0.5)
        tight = self.human.vertices + self.normals * TROUSERS_EASE
        return tight + self.normals * (TROUSERS_LOOSE * hanging)[:, None]

    def _over_hairline(self):
        """Height over the hairline."""
        eye = self.human.centre('joint-l-eye')
        behind_eyes = self.human.vertices[:, 1] - eye[1]
        return self.height - np.interp(behind_eyes, HAIRLINE_BEHIND_EYES, eye[2] + HAIRLINE_OVER_EYES)

    def _under_hair(self):
        sideways = np.abs(self.human.vertices[:, 0])
        head = self.human.pull('head')
        widest = sideways[:BODY_VERTICES][head[:BODY_VERTICES] > .9].max()
        ear = (sideways > widest - 0.022) & (self.height < self.human.centre('joint-l-eye')[2] + 0.03)
        return (head > 0.5) & (self._over_hairline() > 0) & ~ear

    def _hair_vertices(self):
        """Thin at the hairline, and uneven; the seed makes it the same every time."""
        growth = np.clip(self._over_hairline() / 0.05, 0.15, 1)
        unevenness = 0.8 + 0.4 * np.random.default_rng(3).random(len(self.human.vertices))
        return self.human.vertices + self.normals * (self.outfit['hair'] * growth * unevenness)[:, None]


def _inside(faces, region):
    return [face for face in faces if region[face].all()]
