// Cuts a turned and scaled square out of a picture.
//
// The networks amplify resampling noise (half a grey level moves a landmark by 0.2 % of the square), so this follows
// OpenCV 4's fixed-point arithmetic, which the networks are run with elsewhere, to the last bit.

#include "include/ckernels.h"

#include <string.h>

enum {
    FRACTION_BITS = 5,
    FRACTIONS = 1 << FRACTION_BITS,
    // Positions computed ahead of sampling.
    CHUNK = 256,
};

// The nearest whole number, ties to even. Adding 1.5 * 2^52 leaves it in the lowest bits of the sum.
static inline int32_t nearest(double value) {
    const double limit = 1 << 30;
    value = value < limit ? value : limit;
    value = value > -limit ? value : -limit;
    value += 6755399441055744.0;
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int32_t)bits;
}

// Three channels in lanes of 21 bits, wide enough for 255 * 1024.
static inline uint64_t spread(uint32_t pixel) {
    return (pixel & 0xff) | (uint64_t)(pixel & 0xff00) << 13 | (uint64_t)(pixel & 0xff0000) << 26;
}

static inline uint32_t load_pixel(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

// Four bytes are one load; the caller knows that a byte follows the pixel.
static inline uint32_t load_pixel_and_next(const uint8_t *p) {
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static inline int clamp_index(int index, int count) {
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static uint32_t border_pixel(const ck_cutout *c, int x, int y) {
    if (c->black_border && (x < 0 || y < 0 || x >= c->width || y >= c->height)) return 0;
    x = clamp_index(x, c->width);
    y = clamp_index(y, c->height);
    return load_pixel(c->rgb + ((ptrdiff_t)y * c->width + x) * 3);
}

static inline void blend(
    uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t right, uint32_t down, uint8_t *output
) {
    const uint32_t left = FRACTIONS - right, up = FRACTIONS - down;
    const uint64_t half = 512 | (uint64_t)512 << 21 | (uint64_t)512 << 42;
    const uint64_t sum =
        spread(a) * (left * up) + spread(b) * (right * up) + spread(c) * (left * down) + spread(d) * (right * down) + half;
    output[0] = (uint8_t)(sum >> 10);
    output[1] = (uint8_t)(sum >> 31);
    output[2] = (uint8_t)(sum >> 52);
}

static void sample(const ck_cutout *c, const int32_t *xs, const int32_t *ys, int count, uint8_t *output) {
    // Windows that begin left of `inner_width` and above `inner_height` lie within the picture, and since a row
    // follows them, so does the byte behind their last pixel.
    const unsigned inner_width = c->width > 1 ? c->width - 1 : 0, inner_height = c->height > 2 ? c->height - 2 : 0;
    const ptrdiff_t row = (ptrdiff_t)c->width * 3;
    for (int i = 0; i < count; i++, output += 3) {
        const int x = xs[i] >> FRACTION_BITS, y = ys[i] >> FRACTION_BITS;
        const uint32_t right = xs[i] & (FRACTIONS - 1), down = ys[i] & (FRACTIONS - 1);
        if ((unsigned)x < inner_width && (unsigned)y < inner_height) {
            const uint8_t *p = c->rgb + y * row + (ptrdiff_t)x * 3;
            blend(
                load_pixel_and_next(p), load_pixel_and_next(p + 3), load_pixel_and_next(p + row),
                load_pixel_and_next(p + row + 3), right, down, output);
        } else {
            blend(
                border_pixel(c, x, y), border_pixel(c, x + 1, y), border_pixel(c, x, y + 1),
                border_pixel(c, x + 1, y + 1), right, down, output);
        }
    }
}

void ck_warp(const ck_cutout *c, int size, uint8_t *output) {
    int32_t xs[CHUNK], ys[CHUNK];
    for (int y = 0; y < size; y++) {
        const double start_x = c->origin_x + y * c->row_x, start_y = c->origin_y + y * c->row_y;
        for (int first = 0; first < size; first += CHUNK) {
            const int count = size - first < CHUNK ? size - first : CHUNK;
            for (int i = 0; i < count; i++) {
                xs[i] = nearest((start_x + (first + i) * c->column_x) * FRACTIONS);
                ys[i] = nearest((start_y + (first + i) * c->column_y) * FRACTIONS);
            }
            sample(c, xs, ys, count, output + ((ptrdiff_t)y * size + first) * 3);
        }
    }
}
