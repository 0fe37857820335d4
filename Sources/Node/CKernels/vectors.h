// Vectors of LANES elements and their basic operations. Included once per level, which defines LANES. An element is a float
// unless the level defines HALF_ELEMENTS.

#include "include/ckernels.h"

// A multiplication and an addition may be fused, with one rounding, where the level has such instructions.
#pragma clang fp contract(fast)

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
#define NO_UNROLL _Pragma("clang loop unroll(disable)")

#if HALF_ELEMENTS
typedef _Float16 element;
#else
typedef float element;
#endif
typedef element vector __attribute__((ext_vector_type(LANES)));
typedef element unaligned_vector __attribute__((ext_vector_type(LANES), aligned(sizeof(element))));
// Both are the same type, or the conversion between them is one instruction for four lanes.
typedef float floats __attribute__((ext_vector_type(LANES)));

INLINE vector load(const element *p) { return *(const vector *)p; }
INLINE vector load_unaligned(const element *p) { return *(const unaligned_vector *)p; }
INLINE void store(element *p, vector v) { *(vector *)p = v; }
INLINE void store_unaligned(element *p, vector v) { *(unaligned_vector *)p = v; }
INLINE vector load_floats(const float *p) { return __builtin_convertvector(*(const floats *)p, vector); }

// Strides are given in bytes.
INLINE ptrdiff_t elements(ptrdiff_t bytes) { return bytes / (ptrdiff_t)sizeof(element); }

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

// `sum += a * b`. Where accumulators and factors need nearly all registers, the compiler would move accumulators around in every
// round. Here the assembly ties each to its register.
#if defined(__x86_64__) && !HALF_ELEMENTS && LANES == 4
// Without fused instructions the product must be what is added, because an instruction overwrites its first operand.
#define MULTIPLY_ADD(sum, a, b) \
    do { \
        const vector product = (a) * (b); \
        __asm__("addps %1, %0" : "+x"(sum) : "x"(product)); \
    } while (0)
#elif defined(__x86_64__) && !HALF_ELEMENTS
#define MULTIPLY_ADD(sum, a, b) \
    do { \
        sum += (a) * (b); \
        __asm__("" : "+v"(sum)); \
    } while (0)
#else
#define MULTIPLY_ADD(sum, a, b) (sum) += (a) * (b)
#endif
