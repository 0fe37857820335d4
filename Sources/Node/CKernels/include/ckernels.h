/// The inner loops of the pose networks: pure functions over pointers and sizes.
///
/// The kernels never allocate, keep state or start threads, and they do not check their arguments. The planners in
/// `NeuralNet` prove sizes and alignment once, when a model is loaded.
///
/// The same sources are compiled once per instruction set. `ck_kernels_for` returns the table of one of them.
/// Floats must be finite, because the limits of an activation are single min and max instructions.
///
/// This header has the kernels of the dense engine (`InterleavedNetwork`, landmark network) and those for pictures;
/// `ckernels_planar.h` has those of the sparse engine (`PlanarNetwork`, detector).
#ifndef CKERNELS_H
#define CKERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckernels_planar.h"

#pragma clang assume_nonnull begin

/// Instruction sets with their own kernels.
typedef enum {
    /// Every processor of the architecture: SSE2 on x86-64, NEON on arm64; 4 lanes.
    CK_LEVEL_PORTABLE = 0,
    /// AVX2, FMA and F16C; 8 lanes.
    CK_LEVEL_AVX2 = 1,
    /// AVX-512 F, BW, DQ and VL; 16 lanes.
    CK_LEVEL_AVX512 = 2,
    /// Dense engine only: maps and weights are 16-bit floats, 8 lanes. FEAT_FP16 on arm64. On x86-64 (AVX2 and F16C) every
    /// operation is widened and rounded again: slow, but nearly the same numbers, for tests.
    CK_LEVEL_HALF = 3,
} ck_level;

/// Dense engine: a 1x1 convolution, or any convolution whose window is a few contiguous runs of elements.
///
///     output[row][pixel][channel] = clamp(bias[channel] + residual[row][pixel][channel]
///         + sum over segment, k of input[row][pixel][segment][k] * weights[segment][k][channel])
///
/// Pointers to weights, bias, residual and output are aligned to a vector, and so are their strides. All strides are in
/// bytes.
typedef struct {
    const void *input;
    /// From a pixel's first input to the next pixel's, and from a row's first input to the next row's.
    ptrdiff_t input_pixel_stride, input_row_stride;
    /// Runs per window, and the distance between their starts. A 1x1 convolution has 1 and 0.
    int segments;
    ptrdiff_t segment_stride;
    /// Elements per run.
    int depth;
    /// Panels of `ck_panel_vectors` vectors: all inputs of the first panel's channels, then of the second's, and so on.
    /// 16-bit floats when `half_weights`, otherwise 32-bit floats.
    const void *weights;
    bool half_weights;
    /// Half level: sums are 32-bit floats, and so are the outputs. Only for one pixel without a residual.
    bool float_outputs;
    const float *bias;
    void *output;
    /// Added before the limits. Has the output's strides and may be the output itself. Null for none.
    const void *_Nullable residual;
    ptrdiff_t output_pixel_stride, output_row_stride, residual_row_stride;
    /// From an output pixel's vector to its next one: a vector's size, unless the output is the ring of `ck_depthwise`.
    ptrdiff_t output_vector_stride;
    int rows, pixels;
    /// Output channels divided by the lanes of the level, rounded up.
    int vectors;
    float low, high;
} ck_convolution;

/// Dense engine: a strip of rows of a depthwise convolution. Kernels of 3 or 5, strides of 1 or 2.
///
/// The input lies in a ring of rows. For each vector of channels there are `ring_rows` rows, and a row has the vector of each
/// of its pixels side by side. Row `y` of vector `v` is at `v * ring_vector_stride + (y % ring_rows) * ring_stride`. So the
/// lines that a vector of channels needs fill whole cache lines, spread over the whole L1 cache. Rows begin with `pad_left`
/// zero pixels and end with as many as the last window needs. Rows outside `0 ..< input_height` are read from `zero_row`. All
/// strides are in bytes.
typedef struct {
    const void *ring;
    ptrdiff_t ring_stride, ring_vector_stride;
    int ring_rows, input_height;
    const void *zero_row;
    int kernel, stride, pad_top;
    /// Output rows `first_row ..< first_row + rows`, each of `width` pixels.
    int first_row, rows, width;
    /// Channels to compute, in vectors.
    int vectors;
    /// Weights `[vector][kernel][kernel][lane]` and bias `[channels]`, with channels rounded up to whole vectors.
    const void *weights;
    const float *bias;
    /// `[rows][width][channels]`, with this many bytes from one pixel to the next.
    void *output;
    ptrdiff_t pixel;
    float low, high;
} ck_depthwise;

/// Dense engine: part of a map, upsampled to twice the size (bilinear, half-pixel centres), plus another map.
///
///     output[y][x] = addend[y][x] + clamp(doubled(input)[y][x])
///
/// Computes the output rows `first_row ..< last_row` from the input columns `first_column ..< last_column`, each of
/// which makes two output columns. Channels last.
typedef struct {
    const void *input;
    int height, width, vectors;
    int first_row, last_row, first_column, last_column;
    const void *_Nullable addend;
    void *output;
    float low, high;
} ck_doubling;

/// Pixel format of a picture of `height` rows without padding.
typedef enum {
    /// R G B, three bytes per pixel.
    CK_RGB,
    /// Y U Y V, four bytes for two pixels. Y is 16…235 as in ITU-R BT.601. The width is even.
    CK_YUYV,
    /// Y U Y V with the full range 0…255, as in JPEG.
    CK_YUYV_FULL,
    /// Y of all pixels, then `height / 2` rows of U V, each for two by two pixels. Ranges as in `CK_YUYV`. Width and
    /// height are even.
    CK_NV12,
    /// The same with the full range 0…255.
    CK_NV12_FULL,
} ck_layout;

/// A rotated and scaled square, cut out of a picture. The result is always RGB.
///
/// Output pixel (x, y) is the source at `origin + x * column + y * row`, in pixel indices, interpolated bilinearly.
typedef struct {
    const uint8_t *pixels;
    ck_layout layout;
    int width, height;
    double origin_x, origin_y, column_x, column_y, row_x, row_y;
    /// Outside the picture: black when true, otherwise the nearest edge pixel.
    bool black_border;
} ck_cutout;

/// The kernels of one instruction set. The half level has only those up to `max_pool`; the others are null.
typedef struct {
    ck_level level;
    /// Elements per vector.
    int lanes;
    /// Bytes of an element of the dense engine's maps: 4, or 2 for 16-bit floats.
    int element_bytes;
    /// Whether `ck_convolution.half_weights` is supported.
    bool half_weights;

    void (*convolve)(const ck_convolution *);
    void (*depthwise)(const ck_depthwise *);
    /// Copies the first vectors of a row of channels-last pixels into the ring of `ck_depthwise`: vector `v` of pixel `x` goes
    /// to `v * ring_vector_stride` bytes and `x` vectors after `row`. Pixels are `pixel_stride` bytes apart.
    void (*split_row)(
        const void *pixels, ptrdiff_t pixel_stride, int count, int vectors, void *row, ptrdiff_t ring_vector_stride);
    /// Zeroes `count` pixels of each of `rows` rows of such a ring, for all vectors.
    void (*clear_pixels)(
        void *first, int count, int rows, ptrdiff_t ring_stride, int vectors, ptrdiff_t ring_vector_stride);
    void (*double_and_add)(const ck_doubling *);
    /// `output[i] = clamp(a[i] + b[i])`. All pointers are aligned to a vector; `count` is a multiple of the lanes.
    void (*add)(const void *a, const void *b, void *output, ptrdiff_t count, float low, float high);
    /// `output[i] = bytes[i] * scale + offset`, as elements. No alignment required.
    void (*widen_bytes)(const uint8_t *bytes, ptrdiff_t count, float scale, float offset, void *output);
    /// Converts 16-bit floats to 32-bit floats, and back with rounding to nearest. No alignment required.
    void (*widen_halves)(const uint16_t *halves, ptrdiff_t count, float *output);
    void (*narrow_floats)(const float *floats, ptrdiff_t count, uint16_t *output);
    /// Maximum of each 2x2 pixels; channels last, even height and width.
    void (*max_pool)(const void *input, int height, int width, int vectors, void *output);

    /// Writes the rows `first_row ..< last_row` of the cutout, which has `[size, size, 3]` bytes.
    ///
    /// Equal to OpenCV 4's warpPerspective: positions are rounded to 1/32 pixel, results to integers.
    void (*warp)(const ck_cutout *cutout, int size, int first_row, int last_row, uint8_t *output);
    void (*sparse)(const ck_sparse *);
    void (*planar_depthwise)(const ck_planar_depthwise *);
    /// A depthwise convolution over a map of twice the height and width that is never stored: pixel `(2 y + i, 2 x +
    /// j)` of its channel `c` is pixel `(y, x)` of the plane that begins `quarter * (2 i + j)` floats after plane `c`
    /// of the input. Kernel 3, stride 2, one row and column of padding. `input_height` is unused.
    void (*spread_depthwise)(const ck_planar_depthwise *, ptrdiff_t quarter);
    void (*convolve_picture)(const ck_picture_convolution *);
    /// Writes a row of RGB pixels in the layout of `ck_picture_convolution`, after the padding, with
    /// `value = byte * scale + offset`. `row` points to the pixel of the even half that belongs to the first byte or,
    /// if that pixel is odd, to the even pixel before it.
    void (*split_pixels)(
        const uint8_t *rgb, int count, bool first_is_odd, float scale, float offset, float *row, ptrdiff_t half_row,
        ptrdiff_t plane);
    void (*planar_double_and_add)(const ck_planar_doubling *);

    /// Runs only multiply-adds in registers, to measure the machine's peak. Returns the number of floating-point
    /// operations.
    double (*saturate)(int64_t rounds);
} ck_kernels;

/// Tells the processor that this thread is spinning.
static inline void ck_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Vectors in the next panel of packed weights when `vectors_left` remain.
int ck_panel_vectors(ck_level level, int vectors_left);

/// Whether this machine supports a level.
bool ck_is_supported(ck_level level);

/// A level's kernels, or the portable ones if this build or machine lacks the level.
const ck_kernels *ck_kernels_for(ck_level level);

#pragma clang assume_nonnull end

#endif
