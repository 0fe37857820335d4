// The table of kernels for a level, and whether this machine supports the level. The caller chooses the level, so tests can
// run every level that the machine supports.

#include "levels.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

int ck_panel_vectors(ck_level level, int vectors_left) {
#if defined(__x86_64__)
    const bool has_wide_panels = level != CK_LEVEL_HALF;
#else
    const bool has_wide_panels = false;
#endif
    // Three vectors per pixel need fewer loads than two. Two and two are better than three and one.
    if (has_wide_panels)
        return vectors_left == 4 ? 2 : vectors_left > 3 ? 3 : vectors_left;
    return vectors_left > 2 ? 2 : vectors_left;
}

bool ck_is_supported(ck_level level) {
    switch (level) {
    case CK_LEVEL_PORTABLE:
        return true;
#if defined(__x86_64__)
    case CK_LEVEL_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    case CK_LEVEL_AVX512:
        return ck_is_supported(CK_LEVEL_AVX2) && __builtin_cpu_supports("avx512f")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl");
    case CK_LEVEL_HALF:
        return ck_is_supported(CK_LEVEL_AVX2);
#elif defined(__aarch64__)
    case CK_LEVEL_HALF: {
        // HWCAP_FPHP and HWCAP_ASIMDHP: 16-bit floats, alone and in vectors.
        const unsigned long both = 1 << 9 | 1 << 10;
        return (getauxval(AT_HWCAP) & both) == both;
    }
#endif
    default:
        return false;
    }
}

const ck_kernels *ck_kernels_for(ck_level level) {
#if defined(__x86_64__) || defined(__aarch64__)
    if (level == CK_LEVEL_HALF && ck_is_supported(level)) return &ck_half_kernels;
#endif
#if defined(__x86_64__)
    if (ck_is_supported(level)) {
        if (level == CK_LEVEL_AVX512) return &ck_avx512_kernels;
        if (level == CK_LEVEL_AVX2) return &ck_avx2_kernels;
    }
#endif
    return &ck_portable_kernels;
}
