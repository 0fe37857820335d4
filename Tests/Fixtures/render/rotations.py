"""Small rotation matrices. Angles are in degrees; matrices act on column vectors."""
import numpy as np


def unit(vectors):
    """One vector, or rows of vectors, scaled to length 1."""
    vectors = np.asarray(vectors, float)
    return vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-12)


def about_x(degrees):
    """Turns y towards z."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def about_y(degrees):
    """Turns z towards x."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def about_z(degrees):
    """Turns x towards y."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def about(axis, degrees):
    """Turns about any axis (Rodrigues' formula)."""
    x, y, z = unit(axis)
    angle = np.radians(degrees)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def nearest_rotation(matrix):
    """What a sum of rotations means: the rotation closest to it."""
    left, _, right = np.linalg.svd(matrix)
    return left @ right


def frame(direction, normal):
    """A frame as columns: along `direction`, along what `normal` has beside it, and across both."""
    first = unit(direction)
    second = unit(normal - first * (normal @ first))
    return np.stack([first, second, np.cross(first, second)], 1)
