/// Arguments of the sparse engine's kernels (`PlanarNetwork`, detector). Their maps are channel-planar: one plane of
/// pixels per channel.
///
/// The rows of a plane are `width + 2` floats apart. The two floats between rows are gutters. A window that reads past
/// the right edge of a row or the left edge of the next one reads zeros there. Therefore a pointwise convolution is one
/// flat pass over all lanes, and windows of up to 5x5 need no code for the edges. Code that writes a map which a window
/// reads must keep the gutters zero; in other maps they may have any value. The two floats before a map's first row
/// and before each later plane are gutters, too.
///
/// Planes are whole cache lines apart, preferably an odd number: the same pixel of all channels then spreads over the
/// whole L1 cache.
#ifndef CKERNELS_PLANAR_H
#define CKERNELS_PLANAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A non-zero weight, and the offset in bytes from the first input plane to the plane it applies to.
typedef struct {
    int32_t plane;
    float weight;
} ck_tap;

/// Number of taps of an output channel, rounded up to even. The extra tap has the weight 0.
typedef struct {
    int32_t output;
    int32_t taps;
} ck_tap_list;

/// Sparse engine: a pointwise convolution with mostly zero weights, over `lanes` floats of every plane.
///
///     output[o][lane] = clamp(start + sum over the taps of o of input[tap.plane][lane] * tap.weight)
///
/// `start` is `bias[o] + addend[o][lane]`, or the output's previous value when there is no bias.
typedef struct {
    const float *input;
    /// In the order of their taps. Sorting by length helps branch prediction at the ends of loops.
    const ck_tap_list *lists;
    int list_count;
    const ck_tap *taps;
    const float *_Nullable bias;
    /// Has the output's strides and may be the output itself. Requires a bias.
    const float *_Nullable addend;
    float *output;
    /// Floats between output planes.
    ptrdiff_t output_plane;
    /// A multiple of the level's lanes.
    ptrdiff_t lanes;
    /// Limits per lane. Both are 0 in gutters, to keep them zero. No `high` means no limits; no `low` means 0.
    const float *_Nullable low;
    const float *_Nullable high;
} ck_sparse;

/// Sparse engine: some rows of a depthwise convolution. Kernels of 3 or 5, strides of 1 or 2.
typedef struct {
    /// Row `input_first_row` of the first plane. Rows outside `0 ..< input_height` count as zeros and are never read.
    const float *input;
    int input_first_row, input_height;
    ptrdiff_t input_row, input_plane;
    int kernel, stride, pad_top, pad_left;
    /// Output rows `first_row ..< first_row + rows`, each of `width` pixels.
    int first_row, rows, width;
    int channels;
    /// Weights `[channels][kernel][kernel]`, and one bias per channel.
    const float *weights, *bias;
    /// Row `first_row` of the first plane. Rows are written in order and in whole vectors. This overwrites what follows
    /// a row's last pixel, up to a vector's width minus one.
    float *output;
    ptrdiff_t output_row, output_plane;
    float low, high;
} ck_planar_depthwise;

/// Sparse engine: some rows of the first layer, with 3x3 windows and stride 2 over a picture of three channels.
typedef struct {
    /// The plane of the first channel, padding included, as `split_pixels` writes it. Each row has its even pixels and,
    /// `half_row` floats later, its odd pixels.
    const float *picture;
    ptrdiff_t half_row, picture_plane;
    int first_row, rows, width;
    int outputs;
    /// Weights `[outputs][3][3][channels]`, and one bias per output.
    const float *weights, *bias;
    /// Row `first_row` of the first plane. Its gutters are zeroed.
    float *output;
    ptrdiff_t output_row, output_plane;
    float low, high;
} ck_picture_convolution;

/// Sparse engine: a map, upsampled to twice the size (bilinear, half-pixel centres), plus another map.
///
///     output[y][x] = addend[y][x] + clamp(doubled(input)[y][x])
///
/// Rows are `width + 2` and `2 * width + 2` floats apart. The output's gutters are zeroed. Up to a vector's width after
/// its last row is overwritten.
typedef struct {
    const float *input;
    ptrdiff_t input_plane;
    int height, width, channels;
    const float *_Nullable addend;
    float *output;
    ptrdiff_t output_plane;
    float low, high;
} ck_planar_doubling;

#pragma clang assume_nonnull end

#endif
