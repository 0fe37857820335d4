// Cuts a rotated and scaled square out of a picture.
//
// The networks amplify resampling noise: half a grey level moves a landmark by 0.2 % of the square. Therefore the
// results equal those of OpenCV 4's fixed-point arithmetic, which other programs use with these networks, to the last
// bit.

#include <string.h>

enum {
    FRACTION_BITS = 5,
    FRACTIONS = 1 << FRACTION_BITS,
    // Number of positions computed before sampling.
    CHUNK = 256,
};

typedef uint8_t bytes8 __attribute__((ext_vector_type(8)));
typedef uint16_t shorts8 __attribute__((ext_vector_type(8)));
typedef int16_t signed_shorts8 __attribute__((ext_vector_type(8)));
typedef uint32_t words4 __attribute__((ext_vector_type(4)));
typedef int32_t ints4 __attribute__((ext_vector_type(4)));
typedef uint8_t bytes16 __attribute__((ext_vector_type(16)));
typedef uint8_t bytes4 __attribute__((ext_vector_type(4)));

// Rounds to the nearest integer, ties to even. Adding 1.5 * 2^52 leaves it in the lowest bits of the sum.
INLINE int32_t nearest(double value) {
    value += 6755399441055744.0;
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int32_t)bits;
}

// Limits a position to values that fit 32 bits but are far outside every picture.
INLINE double within(double value) {
    const double limit = 1 << 30;
    value = value < limit ? value : limit;
    return value > -limit ? value : -limit;
}

INLINE int clamp_index(int index, int count) { return index < 0 ? 0 : index >= count ? count - 1 : index; }

// A pixel's channels from the lowest byte on: R G B, or Y U and, after an empty byte, V.
INLINE uint32_t rgb_pixel(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16; }

// Two pixels share four bytes: Y U Y V.
INLINE uint32_t yuyv_pixel(const uint8_t *row, int x) {
    uint32_t both;
    memcpy(&both, row + (ptrdiff_t)(x >> 1) * 4, sizeof both);
    return (both & 0xFF00FF00) | (both >> (x & 1) * 16 & 0xFF);
}

// The row of U V that belongs to row `y`, after the rows of Y.
INLINE const uint8_t *nv12_colours(const ck_cutout *c, int y) {
    return c->pixels + ((ptrdiff_t)c->height + (y >> 1)) * c->width;
}

INLINE uint32_t nv12_pixel(const ck_cutout *c, int x, int y) {
    const uint8_t *colours = nv12_colours(c, y) + (x & ~1);
    return c->pixels[(ptrdiff_t)y * c->width + x] | (uint32_t)colours[0] << 8 | (uint32_t)colours[1] << 24;
}

INLINE bool is_full(ck_layout layout) { return layout == CK_YUYV_FULL || layout == CK_NV12_FULL; }
INLINE bool is_nv12(ck_layout layout) { return layout == CK_NV12 || layout == CK_NV12_FULL; }

// Two neighbouring pixels of a row that may lie outside the picture, each in half of the vector.
static bytes8 border_pair(const ck_cutout *c, int x, int y) {
    uint32_t pair[2];
    for (int i = 0; i < 2; i++) {
        const bool outside = x + i < 0 || y < 0 || x + i >= c->width || y >= c->height;
        const int column = clamp_index(x + i, c->width), line = clamp_index(y, c->height);
        if (c->layout == CK_RGB) {
            pair[i] = rgb_pixel(c->pixels + ((ptrdiff_t)line * c->width + column) * 3);
            if (outside && c->black_border) pair[i] = 0;
        } else {
            pair[i] = is_nv12(c->layout) ? nv12_pixel(c, column, line)
                                         : yuyv_pixel(c->pixels + (ptrdiff_t)line * c->width * 2, column);
            if (outside && c->black_border) pair[i] = is_full(c->layout) ? 0x80008000 : 0x80008010;
        }
    }
    bytes8 vector;
    memcpy(&vector, pair, sizeof vector);
    return vector;
}

// Two neighbouring pixels of a row inside the picture, each in half of the vector. One load reads eight bytes; the
// caller ensures that two bytes follow the pair.
INLINE bytes8 inner_rgb_pair(const uint8_t *p) {
    bytes8 pair;
    memcpy(&pair, p, sizeof pair);
    return __builtin_shufflevector(pair, pair, 0, 1, 2, 2, 3, 4, 5, 5);
}

// Interpolates between two pixels above and two below, per channel, times 1,024.
//
// OpenCV's weights are products of two fractions. Blending first along the row and then across therefore gives the same
// integers. Along the row, both rows fit one vector of 16-bit numbers.
INLINE words4 blend(bytes8 above, bytes8 below, uint16_t right, uint32_t down) {
    const shorts8 left_pixels =
        __builtin_convertvector(__builtin_shufflevector(above, below, 0, 1, 2, 3, 8, 9, 10, 11), shorts8);
    const shorts8 right_pixels =
        __builtin_convertvector(__builtin_shufflevector(above, below, 4, 5, 6, 7, 12, 13, 14, 15), shorts8);
    const shorts8 along = left_pixels * (uint16_t)(FRACTIONS - right) + right_pixels * right;
    const words4 top = __builtin_convertvector(along.lo, words4);
    const words4 bottom = __builtin_convertvector(along.hi, words4);
    return top * (FRACTIONS - down) + bottom * down;
}

// Weights of two pixel pairs (four Y, two U, two V), for a point right of the first or the second pixel. The index is
// the lowest bits of the position: the pixel's parity and 32nds. Brightness is interpolated between neighbours; colour
// is that of the pair. In the order Y Y Y - U U V V.
#define EVEN(right) {FRACTIONS - (right), right, 0, 0, FRACTIONS, 0, FRACTIONS, 0}
#define ODD(right) {0, FRACTIONS - (right), right, 0, FRACTIONS - (right), right, FRACTIONS - (right), right}
#define EIGHT(kind, first) \
    kind(first), kind(first + 1), kind(first + 2), kind(first + 3), kind(first + 4), kind(first + 5), kind(first + 6), \
        kind(first + 7)
static const int16_t pair_weights[2 * FRACTIONS][8] = {
    EIGHT(EVEN, 0), EIGHT(EVEN, 8), EIGHT(EVEN, 16), EIGHT(EVEN, 24),
    EIGHT(ODD, 0),  EIGHT(ODD, 8),  EIGHT(ODD, 16),  EIGHT(ODD, 24),
};
#undef EVEN
#undef ODD
#undef EIGHT

// Interpolates between two pairs above and two below, in the order of their bytes.
INLINE shorts8 across_rows(bytes8 above, bytes8 below, uint32_t down) {
    return __builtin_convertvector(above, shorts8) * (uint16_t)(FRACTIONS - down) +
           __builtin_convertvector(below, shorts8) * (uint16_t)down;
}

// Interpolates along a row, from values in the order of the weights: Y in two parts, U, and V.
INLINE words4 along_row(shorts8 sorted, int32_t position) {
    signed_shorts8 weights;
    memcpy(&weights, pair_weights[position & (2 * FRACTIONS - 1)], sizeof weights);
    const signed_shorts8 s = (signed_shorts8)sorted;
    // Signed 16-bit numbers make this one instruction on x86. Sums need up to 18 bits.
    const ints4 first = __builtin_convertvector(__builtin_shufflevector(s, s, 0, 2, 4, 6), ints4) *
                        __builtin_convertvector(__builtin_shufflevector(weights, weights, 0, 2, 4, 6), ints4);
    const ints4 second = __builtin_convertvector(__builtin_shufflevector(s, s, 1, 3, 5, 7), ints4) *
                         __builtin_convertvector(__builtin_shufflevector(weights, weights, 1, 3, 5, 7), ints4);
    return (words4)(first + second);
}

// Like `blend`, but for YUYV and a point inside the picture: Y in two parts, U, and V.
INLINE words4 inner_yuyv(const uint8_t *row, ptrdiff_t next_row, int32_t position, uint32_t down) {
    const uint8_t *p = row + (ptrdiff_t)(position >> (FRACTION_BITS + 1)) * 4;
    bytes8 above, below;
    memcpy(&above, p, sizeof above);
    memcpy(&below, p + next_row, sizeof below);
    const shorts8 across = across_rows(above, below, down);
    return along_row(__builtin_shufflevector(across, across, 0, 2, 4, 6, 1, 5, 3, 7), position);
}

// Two pixel pairs of NV12, from their Y and their U V.
INLINE bytes8 nv12_pairs(const uint8_t *luma, const uint8_t *colours) {
    uint32_t pairs[2];
    memcpy(&pairs[0], luma, sizeof pairs[0]);
    memcpy(&pairs[1], colours, sizeof pairs[1]);
    bytes8 vector;
    memcpy(&vector, pairs, sizeof vector);
    return vector;
}

// The same for NV12. Each pixel has the colour of its two by two, so two rows may have one row of colours in common.
INLINE words4 inner_nv12(
    const uint8_t *pixels, const uint8_t *colours, ptrdiff_t row, int y, int32_t position, uint32_t down) {
    const ptrdiff_t first = (ptrdiff_t)(position >> (FRACTION_BITS + 1)) * 2;
    const uint8_t *luma = pixels + y * row + first, *colour = colours + (y >> 1) * row + first;
    // The row below an odd one has the next row of colours.
    const ptrdiff_t next_colours = -(ptrdiff_t)(y & 1) & row;
    const shorts8 across =
        across_rows(nv12_pairs(luma, colour), nv12_pairs(luma + row, colour + next_colours), down);
    return along_row(__builtin_shufflevector(across, across, 0, 1, 2, 3, 4, 6, 5, 7), position);
}

// Converts blended Y (in two parts), U and V to R, G and B as in ITU-R BT.601, rounded to integers. Blending comes
// first because that is cheaper. It makes no difference where no colour is out of range.
INLINE words4 rgb_of_yuv(words4 yuv, bool full) {
    const ints4 by_u = full ? (ints4){0, -352, 1815, 0} : (ints4){0, -401, 2066, 0};
    const ints4 by_v = full ? (ints4){1436, -731, 0, 0} : (ints4){1634, -832, 0, 0};
    const int by_y = full ? 1024 : 1192, black = full ? 0 : 16;
    // Subtracts black and grey, and adds half of the last place for rounding.
    const ints4 offset = (1 << 19) - (black << 10) * by_y - (128 << 10) * (by_u + by_v);
    const ints4 v = (ints4)yuv, zero = 0, white = 255;
    const ints4 y = __builtin_shufflevector(v, v, 0, 0, 0, 0) + __builtin_shufflevector(v, v, 1, 1, 1, 1);
    const ints4 sum = y * by_y + __builtin_shufflevector(v, v, 2, 2, 2, 2) * by_u +
                      __builtin_shufflevector(v, v, 3, 3, 3, 3) * by_v + offset;
    return (words4)__builtin_elementwise_min(__builtin_elementwise_max(sum >> 20, zero), white);
}

INLINE void sample(
    const ck_cutout *c, ck_layout layout, const int32_t *xs, const int32_t *ys, int count, uint8_t *output) {
    // Windows that begin left of `inner_width` and above `inner_height` lie inside the picture. A row follows them, so
    // the bytes after their last pixels exist. NV12 has no row after its last colours; there a pair follows them.
    const int beside = is_nv12(layout) ? 2 : 1, under = is_nv12(layout) ? 1 : 2;
    const unsigned inner_width = c->width > beside ? c->width - beside : 0;
    const unsigned inner_height = c->height > under ? c->height - under : 0;
    const ptrdiff_t row = (ptrdiff_t)c->width * (layout == CK_RGB ? 3 : is_nv12(layout) ? 1 : 2);
    const uint8_t *pixels = c->pixels, *colours = nv12_colours(c, 0);
    for (int i = 0; i < count; i++, output += 3) {
        const int x = xs[i] >> FRACTION_BITS, y = ys[i] >> FRACTION_BITS;
        const uint32_t right = xs[i] & (FRACTIONS - 1), down = ys[i] & (FRACTIONS - 1);
        words4 channels;
        if ((unsigned)x < inner_width && (unsigned)y < inner_height) {
            const uint8_t *line = pixels + y * row, *p = line + (ptrdiff_t)x * 3;
            channels = layout == CK_RGB ? blend(inner_rgb_pair(p), inner_rgb_pair(p + row), (uint16_t)right, down)
                       : is_nv12(layout) ? inner_nv12(pixels, colours, row, y, xs[i], down)
                                         : inner_yuyv(line, row, xs[i], down);
        } else {
            channels = blend(border_pair(c, x, y), border_pair(c, x, y + 1), (uint16_t)right, down);
            if (layout != CK_RGB) channels = __builtin_shufflevector(channels, channels, 0, 2, 1, 3);
        }
        channels = layout == CK_RGB ? (channels + 512) >> 10 : rgb_of_yuv(channels, is_full(layout));
        // The lowest byte of each: cheaper than AVX-512's own conversion.
        const bytes16 bytes = (bytes16)channels;
        const bytes4 pixel = __builtin_shufflevector(bytes, bytes, 0, 4, 8, 12);
        // The fourth byte belongs to the next pixel, which is written later. The last pixel of a row has no next one.
        if (i + 1 < count) {
            memcpy(output, &pixel, 4);
        } else {
            memcpy(output, &pixel, 3);
        }
    }
}

INLINE void warp_layout(
    const ck_cutout *c, ck_layout layout, int size, int first_row, int last_row, uint8_t *output) {
    int32_t xs[CHUNK], ys[CHUNK];
    for (int y = first_row; y < last_row; y++) {
        const double start_x = c->origin_x + y * c->row_x, start_y = c->origin_y + y * c->row_y;
        for (int first = 0; first < size; first += CHUNK) {
            const int count = size - first < CHUNK ? size - first : CHUNK;
            for (int i = 0; i < count; i++) {
                xs[i] = nearest(within((start_x + (first + i) * c->column_x) * FRACTIONS));
                ys[i] = nearest(within((start_y + (first + i) * c->column_y) * FRACTIONS));
            }
            sample(c, layout, xs, ys, count, output + ((ptrdiff_t)y * size + first) * 3);
        }
    }
}

// Each layout has its own loop.
static void warp(const ck_cutout *c, int size, int first_row, int last_row, uint8_t *output) {
    switch (c->layout) {
    case CK_RGB: return warp_layout(c, CK_RGB, size, first_row, last_row, output);
    case CK_YUYV: return warp_layout(c, CK_YUYV, size, first_row, last_row, output);
    case CK_YUYV_FULL: return warp_layout(c, CK_YUYV_FULL, size, first_row, last_row, output);
    case CK_NV12: return warp_layout(c, CK_NV12, size, first_row, last_row, output);
    case CK_NV12_FULL: return warp_layout(c, CK_NV12_FULL, size, first_row, last_row, output);
    }
}
