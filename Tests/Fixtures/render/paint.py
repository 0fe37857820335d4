"""The colours of skin and eyes at each vertex. Without Blender."""
import numpy as np

EYE_WHITE, IRIS, PUPIL = (.75, .74, .72), (.12, .07, .04), (.01, .01, .01)


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
