// Vectors of LANES floats and their basic operations. Included once per level, which defines LANES.

#include "include/ckernels.h"

// A multiplication and an addition may be fused, with one rounding, where the level has such instructions.
#pragma clang fp contract(fast)

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
#define NO_UNROLL _Pragma("clang loop unroll(disable)")

typedef float vector __attribute__((ext_vector_type(LANES)));
typedef float unaligned_vector __attribute__((ext_vector_type(LANES), aligned(4)));

INLINE vector load(const float *p) { return *(const vector *)p; }
INLINE vector load_unaligned(const float *p) { return *(const unaligned_vector *)p; }
INLINE void store(float *p, vector v) { *(vector *)p = v; }
INLINE void store_unaligned(float *p, vector v) { *(unaligned_vector *)p = v; }

// Each of these is one instruction. On x86 the comparison is exactly what minps computes, while the elementwise
// builtins would add code for NaN. On arm64 it is the other way round.
INLINE vector lesser(vector a, vector b) {
#if defined(__aarch64__)
    return __builtin_elementwise_min(a, b);
#else
    return a < b ? a : b;
#endif
}

INLINE vector greater(vector a, vector b) {
#if defined(__aarch64__)
    return __builtin_elementwise_max(a, b);
#else
    return a > b ? a : b;
#endif
}

INLINE vector clamp(vector v, vector low, vector high) { return lesser(greater(v, low), high); }
