// Cuts a turned and scaled square out of a picture.
//
// The networks amplify resampling noise (half a grey level moves a landmark by 0.2 % of the square), so this follows
// OpenCV 4's fixed-point arithmetic, which the networks are run with elsewhere, to the last bit.

#include <string.h>

enum {
    FRACTION_BITS = 5,
    FRACTIONS = 1 << FRACTION_BITS,
    // Positions computed ahead of sampling.
    CHUNK = 256,
};

typedef uint8_t bytes8 __attribute__((ext_vector_type(8)));
typedef uint16_t shorts8 __attribute__((ext_vector_type(8)));
typedef uint32_t words4 __attribute__((ext_vector_type(4)));
typedef uint8_t bytes16 __attribute__((ext_vector_type(16)));
typedef uint8_t bytes4 __attribute__((ext_vector_type(4)));

// The nearest whole number, ties to even. Adding 1.5 * 2^52 leaves it in the lowest bits of the sum.
INLINE int32_t nearest(double value) {
    value += 6755399441055744.0;
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int32_t)bits;
}

// Far outside every picture, and yet a 32-bit number.
INLINE double within(double value) {
    const double limit = 1 << 30;
    value = value < limit ? value : limit;
    return value > -limit ? value : -limit;
}

INLINE int clamp_index(int index, int count) { return index < 0 ? 0 : index >= count ? count - 1 : index; }

// Two neighbours in a row that may lie outside the picture, as they would stand in it.
static bytes8 border_pair(const ck_cutout *c, int x, int y) {
    bytes8 pair = 0;
    for (int i = 0; i < 2; i++) {
        const bool outside = x + i < 0 || y < 0 || x + i >= c->width || y >= c->height;
        if (outside && c->black_border) continue;
        const int column = clamp_index(x + i, c->width), line = clamp_index(y, c->height);
        const uint8_t *p = c->rgb + ((ptrdiff_t)line * c->width + column) * 3;
        for (int channel = 0; channel < 3; channel++) pair[3 * i + channel] = p[channel];
    }
    return pair;
}

// Two neighbours in a row of the picture. Eight bytes are one load; the caller knows that two follow the pair.
INLINE bytes8 inner_pair(const uint8_t *p) {
    bytes8 pair;
    memcpy(&pair, p, sizeof pair);
    return pair;
}

// What lies between two pixels above and two below; the channels are the first three of the four lanes.
//
// OpenCV's weights are products of two fractions, so blending first along the row and then across gives the same whole
// numbers; along, both rows fit one vector of 16-bit numbers.
INLINE bytes4 blend(bytes8 above, bytes8 below, uint16_t right, uint32_t down) {
    const shorts8 left_pixels =
        __builtin_convertvector(__builtin_shufflevector(above, below, 0, 1, 2, 2, 8, 9, 10, 10), shorts8);
    const shorts8 right_pixels =
        __builtin_convertvector(__builtin_shufflevector(above, below, 3, 4, 5, 5, 11, 12, 13, 13), shorts8);
    const shorts8 along = left_pixels * (uint16_t)(FRACTIONS - right) + right_pixels * right;
    const words4 top = __builtin_convertvector(along.lo, words4);
    const words4 bottom = __builtin_convertvector(along.hi, words4);
    const bytes16 sum = (bytes16)((top * (FRACTIONS - down) + bottom * down + 512) >> 10);
    // The lowest byte of each: cheaper than AVX-512's own conversion.
    return __builtin_shufflevector(sum, sum, 0, 4, 8, 12);
}

INLINE void sample(const ck_cutout *c, const int32_t *xs, const int32_t *ys, int count, uint8_t *output) {
    // Windows that begin left of `inner_width` and above `inner_height` lie within the picture, and since a row
    // follows them, so do the bytes behind their last pixels.
    const unsigned inner_width = c->width > 1 ? c->width - 1 : 0, inner_height = c->height > 2 ? c->height - 2 : 0;
    const ptrdiff_t row = (ptrdiff_t)c->width * 3;
    for (int i = 0; i < count; i++, output += 3) {
        const int x = xs[i] >> FRACTION_BITS, y = ys[i] >> FRACTION_BITS;
        const uint32_t right = xs[i] & (FRACTIONS - 1), down = ys[i] & (FRACTIONS - 1);
        bytes4 pixel;
        if ((unsigned)x < inner_width && (unsigned)y < inner_height) {
            const uint8_t *p = c->rgb + y * row + (ptrdiff_t)x * 3;
            pixel = blend(inner_pair(p), inner_pair(p + row), (uint16_t)right, down);
        } else {
            pixel = blend(border_pair(c, x, y), border_pair(c, x, y + 1), (uint16_t)right, down);
        }
        // The byte too much belongs to the next pixel, which comes after; the last one of a row has none.
        if (i + 1 < count) {
            memcpy(output, &pixel, 4);
        } else {
            memcpy(output, &pixel, 3);
        }
    }
}

static void warp(const ck_cutout *c, int size, int first_row, int last_row, uint8_t *output) {
    int32_t xs[CHUNK], ys[CHUNK];
    for (int y = first_row; y < last_row; y++) {
        const double start_x = c->origin_x + y * c->row_x, start_y = c->origin_y + y * c->row_y;
        for (int first = 0; first < size; first += CHUNK) {
            const int count = size - first < CHUNK ? size - first : CHUNK;
            for (int i = 0; i < count; i++) {
                xs[i] = nearest(within((start_x + (first + i) * c->column_x) * FRACTIONS));
                ys[i] = nearest(within((start_y + (first + i) * c->column_y) * FRACTIONS));
            }
            sample(c, xs, ys, count, output + ((ptrdiff_t)y * size + first) * 3);
        }
    }
}
