// Four lanes, on every x86-64 (SSE2) or arm64 (NEON) processor.

#include "levels.h"

#define LEVEL CK_LEVEL_PORTABLE
#define LANES 4
#define TABLE ck_portable_kernels

#define FOR_EACH_SPARSE_TILE(T) T(1) T(2) T(3) T(4) T(5) T(6) T(7) T(8)
#define SPARSE_TALLEST 8
#define SPARSE_TAPS_AT_ONCE 0

#if defined(__aarch64__)
// 32 registers. Half floats are widened with one instruction.
#define HALF_WEIGHTS 1
#define FOR_EACH_TILE(T) T(1, 1) T(2, 1) T(4, 1) T(8, 1) T(1, 2) T(2, 2) T(4, 2) T(8, 2)
#define TALLEST_TILES {8, 8, 0}
#define PICTURE_OUTPUTS 6
#define PICTURE_COLUMNS 4
#else
// 16 registers. Widening half floats would need a library call per lane.
#define HALF_WEIGHTS 0
#define FOR_EACH_TILE(T) T(1, 1) T(2, 1) T(4, 1) T(8, 1) T(1, 2) T(2, 2) T(4, 2) T(1, 3) T(2, 3) T(4, 3)
#define TALLEST_TILES {8, 4, 4}
#define WEIGHTS_IN_MEMORY 1
#define PICTURE_OUTPUTS 2
#define PICTURE_COLUMNS 4
#endif

#include "kernels.h"
