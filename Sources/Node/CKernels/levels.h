// The tables that dispatch.c chooses from.

#include "include/ckernels.h"

extern const ck_kernels ck_portable_kernels;
#if defined(__x86_64__) || defined(__aarch64__)
extern const ck_kernels ck_half_kernels;
#endif
#if defined(__x86_64__)
extern const ck_kernels ck_avx2_kernels, ck_avx512_kernels;
#endif
