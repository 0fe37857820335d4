"""Trainers: for each foot a closed tube from heel to toe around its measured sections, with a flat sole."""
import numpy as np
from body_data import BODY_VERTICES

CORNERS = 16                    # of a section
SECTIONS = 15                   # from heel to toe
EASE = .006
SOLE = .012


def shoes(human):
    """Vertices, skin weights and faces of both shoes."""
    vertices, weights, faces = [], [], []
    for letter, sign in (('l', 1), ('r', -1)):
        first = sum(len(shoe) for shoe in vertices)
        shoe = _shoe(human, letter, sign)
        vertices.append(shoe)
        weights.append(_weights(human, shoe, letter))
        faces += [[corner + first for corner in face] for face in _tube_faces()]
    return np.concatenate(vertices), np.concatenate(weights), faces


def _shoe(human, letter, sign):
    ankle_height = human.skeleton.head(f'foot_{letter}')[2]
    foot = human.pull('foot_l', 'foot_r', 'ball_l', 'ball_r')[:BODY_VERTICES] > .3
    body = human.vertices[:BODY_VERTICES]
    points = body[foot & (body[:, 0] * sign > 0) & (body[:, 2] < ankle_height + .03)]
    heel, toe = points[:, 1].max() + EASE, points[:, 1].min() - EASE * 1.5
    places = np.linspace(0, 1, SECTIONS)
    rows = []
    for place, (left, right, height) in zip(places, _measured(points, places, heel, toe)):
        top = min(height + EASE, ankle_height + .035)
        rows.append(_section(place, left, right, top, heel - place * (heel - toe)))
    return np.concatenate(rows)


def _measured(points, places, heel, toe):
    """Left, right and top of the foot at these places, smoothed so that toes and ankle bones disappear."""
    length = heel - toe
    sections = []
    for place in places:
        y = heel - np.clip(place, .045, .955) * length
        near = points[np.abs(points[:, 1] - y) < length * .05]
        sections.append((near[:, 0].min(), near[:, 0].max(), near[:, 2].max()))
    sections = np.array(sections)
    for column in range(3):
        padded = np.pad(sections[:, column], 1, 'edge')
        sections[:, column] = np.convolve(padded, [.25, .5, .25], 'valid')
    return sections


def _section(place, left, right, top, y):
    """A ring of corners: rounded above, flat below, narrower towards heel and toe."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    cosine, sine = np.cos(angle), np.sin(angle)
    narrowing = 1
    if abs(place - .5) > .40:
        narrowing = np.sqrt(np.clip(1 - ((abs(place - .5) - .40) / .10) ** 2, .08, 1))
    if place > .5:
        top = top * narrowing
    half_width = ((right - left) / 2 + EASE) * narrowing
    x = (left + right) / 2 + half_width * np.sign(cosine) * np.abs(cosine) ** .7
    middle = top * .35
    upper = middle + (top * .65) * np.abs(sine) ** .8
    lower = middle - (middle + SOLE * .8) * np.abs(sine) ** .45
    return np.stack([x, np.full(CORNERS, y), np.where(sine > 0, upper, lower)], 1)


def _tube_faces():
    """Quadrilaterals between neighbouring sections, and a lid at each end."""
    faces = []
    for row in range(SECTIONS - 1):
        here, there = row * CORNERS, (row + 1) * CORNERS
        for corner in range(CORNERS):
            following = (corner + 1) % CORNERS
            faces.append([here + corner, here + following, there + following, there + corner])
    last = (SECTIONS - 1) * CORNERS
    return faces + [list(range(CORNERS)), [last + corner for corner in range(CORNERS)][::-1]]


def _weights(human, shoe, letter):
    """The toe part bends with the ball of the foot, the rest goes with the foot."""
    skeleton = human.skeleton
    ball, foot = skeleton.index[f'ball_{letter}'], skeleton.index[f'foot_{letter}']
    weights = np.zeros((len(shoe), len(skeleton.names)), np.float32)
    toe_share = np.clip((skeleton.heads[ball][1] + .012 - shoe[:, 1]) / .03, 0, 1)
    weights[:, ball] = toe_share
    weights[:, foot] = 1 - toe_share
    return weights
