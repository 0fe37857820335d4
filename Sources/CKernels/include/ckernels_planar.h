/// Arguments of the kernels over channel-planar maps: one plane of pixels for every channel.
///
/// A plane's rows are `width + 2` floats apart. The two floats between rows are gutters: where a window reads over the
/// right edge of one row or the left edge of the next it finds zeros there, so that a pointwise convolution is one
/// flat sweep over all lanes and windows of up to 5x5 need no code for the edges. Whoever makes a map that a window
/// reads keeps the gutters zero; elsewhere they may hold anything. The two floats before a map's first row count as
/// gutters, too, and so do those before each later plane.
///
/// Planes are whole cache lines apart, best an odd number of them: the same place of all channels then spreads over
/// the whole first-level cache.
#ifndef CKERNELS_PLANAR_H
#define CKERNELS_PLANAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A weight that is not zero, and how many bytes behind the first input plane its own begins.
typedef struct {
    int32_t plane;
    float weight;
} ck_tap;

/// How many taps an output channel has, rounded up to an even number; what is missing weighs 0.
typedef struct {
    int32_t output;
    int32_t taps;
} ck_tap_list;

/// A pointwise convolution most of whose weights are zero, over `lanes` floats of every plane.
///
///     output[o][lane] = clamp(start + sum over the taps of o of input[tap.plane][lane] * tap.weight)
///
/// where the start is `bias[o] + addend[o][lane]`, or what the output held when there is no bias.
typedef struct {
    const float *input;
    /// The lists stand in the order of their taps. Best sorted by length: the ends of loops are then foreseeable.
    const ck_tap_list *lists;
    int list_count;
    const ck_tap *taps;
    const float *_Nullable bias;
    /// Has the output's strides and may be the output itself; only with a bias.
    const float *_Nullable addend;
    float *output;
    /// Floats between output planes.
    ptrdiff_t output_plane;
    /// A multiple of the level's lanes.
    ptrdiff_t lanes;
    /// Limits of every lane, 0 and 0 to keep gutters zero: no limits without `high`, 0 at the bottom without `low`.
    const float *_Nullable low;
    const float *_Nullable high;
} ck_sparse;

/// Some rows of a depthwise convolution; odd kernels of 3 or 5, strides of 1 or 2.
typedef struct {
    /// Row `input_first_row` of the first plane; rows outside `0 ..< input_height` are zeros and never read.
    const float *input;
    int input_first_row, input_height;
    ptrdiff_t input_row, input_plane;
    int kernel, stride, pad_top, pad_left;
    /// Output rows `first_row ..< first_row + rows`, each of `width` pixels.
    int first_row, rows, width;
    int channels;
    /// `[channels][kernel][kernel]`, and one a channel.
    const float *weights, *bias;
    /// Row `first_row` of the first plane. Rows are written in order and in whole vectors: what stands behind a row's
    /// last pixel, up to a vector's width minus one, is lost.
    float *output;
    ptrdiff_t output_row, output_plane;
    float low, high;
} ck_planar_depthwise;

/// Some rows of the first layer: 3x3 windows, every second pixel and row, over a picture of three channels.
typedef struct {
    /// The plane of the first channel, padding included, as `split_pixels` writes it: each row is its even pixels,
    /// then, `half_row` floats on, its odd ones.
    const float *picture;
    ptrdiff_t half_row, picture_plane;
    int first_row, rows, width;
    int outputs;
    /// `[outputs][3][3][channels]`, and one an output.
    const float *weights, *bias;
    /// Row `first_row` of the first plane; its gutters are zeroed.
    float *output;
    ptrdiff_t output_row, output_plane;
    float low, high;
} ck_picture_convolution;

/// A map doubled in both directions by bilinear interpolation (half-pixel centres), plus another map.
///
///     output[y][x] = addend[y][x] + clamp(doubled(input)[y][x])
///
/// Rows are `width + 2` and `2 * width + 2` floats apart. The output's gutters are zeroed; what is behind its last row
/// up to a vector's width is lost.
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
