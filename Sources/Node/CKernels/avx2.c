// Eight lanes: AVX2, FMA and F16C.

#if defined(__x86_64__)

#include "levels.h"

#define LEVEL CK_LEVEL_AVX2
#define LANES 8
#define HALF_WEIGHTS 1
#define WIDEN_PANELS 1
#define TABLE ck_avx2_kernels
#define FOR_EACH_TILE(T) T(1, 1) T(2, 1) T(4, 1) T(8, 1) T(1, 2) T(2, 2) T(4, 2) T(6, 2) T(1, 3) T(2, 3) T(4, 3)
#define TALLEST_TILES {8, 6, 4}

#define FOR_EACH_SPARSE_TILE(T) T(1) T(2) T(3) T(4) T(5) T(6) T(7) T(8)
#define SPARSE_TALLEST 8
#define SPARSE_TAPS_AT_ONCE 0
#define PICTURE_OUTPUTS 4
#define PICTURE_COLUMNS 2

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#include "kernels.h"
#pragma clang attribute pop

#endif
