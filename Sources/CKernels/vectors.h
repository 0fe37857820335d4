// Vectors of LANES floats and what the kernels do with them. Included once by every level, which defines LANES.

#include "include/ckernels.h"

// A product that is added is one rounding wherever the level has fused instructions.
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
// builtins would add a fix-up for NaN; on arm64 it is the other way round.
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
