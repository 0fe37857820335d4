/// The hot loops of the pose networks: pure functions over pointers and sizes.
///
/// Nothing here allocates, keeps state or starts threads, and nothing checks its arguments: the planners in
/// `NeuralNet` prove sizes and alignment once, when a model is loaded.
///
/// The same sources are compiled once for each instruction set; `ck_kernels_for` hands out the table of one of them.
/// Floats are expected to be finite: the limits of an activation are single min and max instructions.
#ifndef CKERNELS_H
#define CKERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckernels_planar.h"

#pragma clang assume_nonnull begin

/// Instruction sets with kernels of their own.
typedef enum {
    /// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64; 4 lanes.
    CK_LEVEL_PORTABLE = 0,
    /// AVX2, FMA and F16C; 8 lanes.
    CK_LEVEL_AVX2 = 1,
    /// AVX-512 F, BW, DQ and VL; 16 lanes.
    CK_LEVEL_AVX512 = 2,
} ck_level;

/// A 1x1 convolution, or any convolution whose window is a few contiguous runs of floats.
///
///     output[row][pixel][channel] = clamp(bias[channel] + residual[row][pixel][channel]
///         + sum over segment, k of input[row][pixel][segment][k] * weights[segment][k][channel])
///
/// Pointers to weights, bias, residual and output are aligned to a vector, and so are their strides.
typedef struct {
    const float *input;
    /// Floats from a pixel's first input to the next pixel's, and to the next row's.
    ptrdiff_t input_pixel_stride, input_row_stride;
    /// Runs a window consists of, and floats between their starts; 1 and 0 for a 1x1 convolution.
    int segments;
    ptrdiff_t segment_stride;
    /// Floats in a run.
    int depth;
    /// Panels made by `ck_panel_vectors`: all inputs of the first panel's channels, then of the second's, …
    /// 16-bit floats when `half_weights`, else 32-bit ones.
    const void *weights;
    bool half_weights;
    const float *bias;
    float *output;
    /// Added before the limits, with the output's strides; may be the output itself; null for none.
    const float *_Nullable residual;
    ptrdiff_t output_pixel_stride, output_row_stride, residual_row_stride;
    int rows, pixels;
    /// Output channels divided by the lanes of the level, rounded up.
    int vectors;
    float low, high;
} ck_convolution;

/// A strip of rows of a depthwise convolution over channels-last pixels; odd kernels of 3 or 5, strides of 1 or 2.
///
/// Input rows stand in a ring: row `y` at `(y % ring_rows) * ring_stride`, beginning with `pad_left` zero pixels and
/// ending with as many as the last window needs. Rows outside `0 ..< input_height` are read from `zero_row`.
typedef struct {
    const float *ring;
    ptrdiff_t ring_stride;
    int ring_rows, input_height;
    const float *zero_row;
    int kernel, stride, pad_top;
    /// Output rows `first_row ..< first_row + rows`, each of `width` pixels.
    int first_row, rows, width;
    /// Channels worked on, in vectors, and floats from one pixel to the next in the ring, the weights and the output.
    int vectors;
    ptrdiff_t pixel;
    /// `[kernel][kernel][channels]`, channels rounded up to vectors.
    const float *weights, *bias;
    /// `[rows][width][channels]`.
    float *output;
    float low, high;
} ck_depthwise;

/// A part of a map doubled in both directions by bilinear interpolation (half-pixel centres), plus another map.
///
///     output[y][x] = addend[y][x] + clamp(doubled(input)[y][x])
///
/// for the output rows `first_row ..< last_row` and the input columns `first_column ..< last_column`, each of which
/// makes two output columns. Channels last, all strides in floats.
typedef struct {
    const float *input;
    int height, width, vectors;
    int first_row, last_row, first_column, last_column;
    const float *_Nullable addend;
    float *output;
    float low, high;
} ck_doubling;

/// How a picture stands in memory, `height` rows without padding.
typedef enum {
    /// R G B, three bytes a pixel.
    CK_RGB,
    /// Y U Y V, four bytes for two pixels; Y is 16…235, as ITU-R BT.601 has it. The width is even.
    CK_YUYV,
    /// The same, all of them 0…255, as in JPEG.
    CK_YUYV_FULL,
} ck_layout;

/// A square cut out of a picture, turned and scaled; RGB, whatever the picture is.
///
/// Output pixel (x, y) shows the source at `origin + x * column + y * row`, in pixel indices, between pixels bilinear.
typedef struct {
    const uint8_t *pixels;
    ck_layout layout;
    int width, height;
    double origin_x, origin_y, column_x, column_y, row_x, row_y;
    /// Outside the picture: black when true, else the nearest edge pixel.
    bool black_border;
} ck_cutout;

/// One instruction set's kernels.
typedef struct {
    ck_level level;
    /// Floats in a vector.
    int lanes;
    /// Whether `ck_convolution.half_weights` is understood.
    bool half_weights;

    void (*convolve)(const ck_convolution *);
    void (*depthwise)(const ck_depthwise *);
    void (*double_and_add)(const ck_doubling *);
    /// `output[i] = clamp(a[i] + b[i])`; all aligned to a vector, `count` a multiple of the lanes.
    void (*add)(const float *a, const float *b, float *output, ptrdiff_t count, float low, float high);
    /// Writes the rows `first_row ..< last_row` of the cutout, which is `[size, size, 3]` bytes.
    ///
    /// As OpenCV 4's warpPerspective does: positions are rounded to 1/32 pixel, results to whole numbers.
    void (*warp)(const ck_cutout *cutout, int size, int first_row, int last_row, uint8_t *output);
    /// `output[i] = bytes[i] * scale + offset`; no alignment asked for.
    void (*widen_bytes)(const uint8_t *bytes, ptrdiff_t count, float scale, float offset, float *output);
    /// 16-bit floats as 32-bit ones, and back, rounded to the nearest; no alignment asked for.
    void (*widen_halves)(const uint16_t *halves, ptrdiff_t count, float *output);
    void (*narrow_floats)(const float *floats, ptrdiff_t count, uint16_t *output);
    /// The largest of each 2x2 pixels; channels last, even height and width.
    void (*max_pool)(const float *input, int height, int width, int vectors, float *output);

    void (*sparse)(const ck_sparse *);
    void (*planar_depthwise)(const ck_planar_depthwise *);
    /// Over a map of twice the height and width that is never built: pixel `(2 y + i, 2 x + j)` of its channel `c` is
    /// pixel `(y, x)` of the plane `quarter * (2 i + j)` floats behind plane `c` of the input. Kernel 3, stride 2, one
    /// row and column of padding; `input_height` is unused.
    void (*spread_depthwise)(const ck_planar_depthwise *, ptrdiff_t quarter);
    void (*convolve_picture)(const ck_picture_convolution *);
    /// Writes a row of RGB pixels as a `ck_picture_convolution` reads them, `value = byte * scale + offset`, behind the
    /// padding: `row` is the even half's pixel the first byte belongs to or, when it is odd, the one before it.
    void (*split_pixels)(
        const uint8_t *rgb, int count, bool first_is_odd, float scale, float offset, float *row, ptrdiff_t half_row,
        ptrdiff_t plane);
    void (*planar_double_and_add)(const ck_planar_doubling *);

    /// Nothing but multiply-adds in registers, to find what the machine can do at most; returns how many floating-point
    /// operations that were.
    double (*saturate)(int64_t rounds);
} ck_kernels;

/// Tells the processor that this thread only waits for another one.
static inline void ck_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Vectors in the next panel of packed weights when `vectors_left` are left.
int ck_panel_vectors(ck_level level, int vectors_left);

/// The best level this machine has.
ck_level ck_best_level(void);

/// Whether this machine can run a level's kernels.
bool ck_is_supported(ck_level level);

/// A level's kernels; the portable ones for a level this build or machine does not have.
const ck_kernels *ck_kernels_for(ck_level level);

#pragma clang assume_nonnull end

#endif
