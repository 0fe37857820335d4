// All kernels of one level in single precision. The including file defines LEVEL, LANES, HALF_WEIGHTS, the tiles and the name
// of TABLE.

#include "vectors.h"

#include "convolve.h"
#include "depthwise.h"
#include "elementwise.h"
#include "planar_depthwise.h"
#include "planar_doubling.h"
#include "planar_picture.h"
#include "planar_sparse.h"
#include "saturate.h"
#include "warp.h"

const ck_kernels TABLE = {
    .level = LEVEL,
    .lanes = LANES,
    .element_bytes = sizeof(element),
    .half_weights = HALF_WEIGHTS,
    .convolve = convolve,
    .depthwise = depthwise,
    .split_row = split_row,
    .clear_pixels = clear_pixels,
    .double_and_add = double_and_add,
    .add = add,
    .warp = warp,
    .widen_bytes = widen_bytes,
    .widen_halves = widen_halves,
    .narrow_floats = narrow_floats,
    .max_pool = max_pool,
    .sparse = sparse,
    .planar_depthwise = planar_depthwise,
    .spread_depthwise = spread_depthwise,
    .convolve_picture = convolve_picture,
    .split_pixels = split_pixels,
    .planar_double_and_add = planar_double_and_add,
    .saturate = saturate,
};
