// Sixteen lanes: AVX-512 F, BW, DQ and VL.

#if defined(__x86_64__)

#include "levels.h"

#define LEVEL CK_LEVEL_AVX512
#define LANES 16
#define HALF_WEIGHTS 1
#define WIDEN_PANELS 1
#define TABLE ck_avx512_kernels
#define FOR_EACH_TILE(T) \
    T(1, 1) T(2, 1) T(4, 1) T(8, 1) T(16, 1) T(1, 2) T(2, 2) T(4, 2) T(8, 2) T(12, 2) T(1, 3) T(2, 3) T(4, 3) T(8, 3)
#define TALLEST_TILES {16, 12, 8}

#define FOR_EACH_SPARSE_TILE(T) T(1) T(2) T(3) T(4) T(5) T(6) T(7) T(8)
#define SPARSE_TALLEST 8
#define SPARSE_TAPS_AT_ONCE 1
#define PICTURE_OUTPUTS 3
#define PICTURE_COLUMNS 7

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), apply_to = function)
#include "kernels.h"
#pragma clang attribute pop

#endif
