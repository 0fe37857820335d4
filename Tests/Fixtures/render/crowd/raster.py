"""Pictures drawn by raster.c, which is compiled at first use."""
import ctypes
import subprocess
from pathlib import Path
import numpy as np

FOLDER = Path(__file__).resolve().parent
LIBRARY = FOLDER.parent / 'work' / 'raster.so'
FINER = 2                       # pixels drawn for each pixel of the clip, in both directions


class _Picture(ctypes.Structure):
    _fields_ = [('width', ctypes.c_int32), ('height', ctypes.c_int32), ('inverse_depth', ctypes.c_void_p),
                ('colour', ctypes.c_void_p), ('owner', ctypes.c_void_p)]


def _library():
    source = FOLDER / 'raster.c'
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < source.stat().st_mtime:
        LIBRARY.parent.mkdir(exist_ok=True)
        # Without fused operations and with one order of sums, every machine draws the same picture.
        subprocess.run(['cc', '-O3', '-ffp-contract=off', '-shared', '-fPIC', '-o', LIBRARY, source, '-lm'], check=True)
    library = ctypes.CDLL(str(LIBRARY))
    library.draw.restype = ctypes.c_int64
    return library


def _address(array):
    return None if array is None else ctypes.c_void_p(array.ctypes.data)


class Picture:
    """Colour, depth and owner of every pixel, at FINER times the size of the clip."""
    library = None

    def __init__(self, width, height):
        Picture.library = Picture.library or _library()
        shape = height * FINER, width * FINER
        self.inverse_depth = np.zeros(shape, np.float32)
        self.colour = np.zeros((*shape, 3), np.uint8)
        self.owner = np.zeros(shape, np.uint8)
        self.stamps = np.zeros(shape, np.uint32)
        self.stamp = 0
        self.lights = np.zeros(shape, np.uint8)
        self.raw = _Picture(shape[1], shape[0], self.inverse_depth.ctypes.data, self.colour.ctypes.data,
                            self.owner.ctypes.data)

    def copy_from(self, other, rows=slice(None)):
        """Takes over every pixel, or some rows, of a picture of the same size."""
        for own, theirs in ((self.inverse_depth, other.inverse_depth), (self.colour, other.colour),
                            (self.owner, other.owner)):
            np.copyto(own[rows], theirs[rows])

    def draw(self, places, colours, triangles, owner, stencil=None, counted=False):
        """Draws a mesh: x, y and depth of its corners, their colours 0..255. Returns the pixels it covers."""
        places = np.ascontiguousarray(places * [FINER, FINER, 1], np.float32)
        colours = np.ascontiguousarray(colours, np.float32)
        self.stamp += 1
        return self.library.draw(
            ctypes.byref(self.raw), _address(places), _address(colours), _address(triangles), len(triangles),
            ctypes.c_uint8(owner), _address(stencil), _address(self.stamps if counted else None),
            ctypes.c_uint32(self.stamp))

    def cast_shadow(self, places, triangles, bit, floor):
        """Remembers where a mesh that was laid flat on the floor shades it; `darken` applies that."""
        places = np.ascontiguousarray(places * [FINER, FINER, 1], np.float32)
        self.library.cast_shadow(ctypes.byref(self.raw), _address(self.lights), _address(places), _address(triangles),
                                 len(triangles), ctypes.c_uint8(bit), ctypes.c_uint8(floor))

    def darken(self, each):
        """Darkens what was shaded by `each` for every light that is missing there."""
        self.library.darken(ctypes.byref(self.raw), _address(self.lights), ctypes.c_float(each))
        self.lights.fill(0)

    def develop(self, noise):
        """The picture at the clip's size, and the number of fine pixels of each owner."""
        height, width = self.owner.shape
        result = np.empty((height // FINER, width // FINER, 3), np.uint8)
        seen = np.zeros(256, np.int64)
        noise = np.ascontiguousarray(noise, np.int8)
        self.library.develop(ctypes.byref(self.raw), _address(noise), _address(result), _address(seen))
        return result, seen

    def surface(self, x, y):
        """The distance of what is seen at a pixel of the clip along the camera's axis; infinite for nothing."""
        inverse = self.inverse_depth[int(y * FINER), int(x * FINER)]
        return 1 / inverse if inverse > 0 else np.inf
