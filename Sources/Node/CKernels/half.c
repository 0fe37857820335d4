// Eight lanes of 16-bit floats, for the dense engine: FEAT_FP16 on arm64.
//
// The plain twin is the same source on x86-64: F16C widens every operand, and the result is rounded to 16 bits again. It shows
// there what an arm64 processor computes.

#if defined(__aarch64__) || defined(__x86_64__)

#include "levels.h"

#define LEVEL CK_LEVEL_HALF
#define LANES 8
#define HALF_ELEMENTS 1
#define HALF_WEIGHTS 0
#define INPUT_BLOCK 32
#define ONE_TILE_A_CALL 1
#define FOR_EACH_TILE(T) T(1, 1) T(2, 1) T(4, 1) T(8, 1) T(1, 2) T(2, 2) T(4, 2) T(8, 2)
#define TALLEST_TILES {8, 8, 0}

#if defined(__aarch64__)
#pragma clang attribute push(__attribute__((target("fullfp16"))), apply_to = function)
#else
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#endif

#include "vectors.h"

#include "convolve.h"
#include "depthwise.h"
#include "elementwise.h"

const ck_kernels ck_half_kernels = {
    .level = LEVEL,
    .lanes = LANES,
    .element_bytes = sizeof(element),
    .half_weights = true,
    .convolve = convolve,
    .depthwise = depthwise,
    .split_row = split_row,
    .clear_pixels = clear_pixels,
    .double_and_add = double_and_add,
    .add = add,
    .widen_bytes = widen_bytes,
    .widen_halves = widen_halves,
    .narrow_floats = narrow_floats,
    .max_pool = max_pool,
};

#pragma clang attribute pop

#endif
