// The first layer of the sparse engine: from an RGB picture to channel-planar maps.
//
// Even and odd pixels of the picture are stored separately, so that windows with a stride of two read whole vectors. A
// tile is PICTURE_OUTPUTS channels by PICTURE_COLUMNS vectors of pixels.

INLINE void picture_tile(
    const int OUTPUTS, const int COLUMNS, const ck_picture_convolution *p, int y, int x, int first
) {
    vector sum[PICTURE_OUTPUTS][PICTURE_COLUMNS];
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int c = 0; c < COLUMNS; c++) sum[o][c] = p->bias[first + o];
    }
    const float *weights = p->weights + first * 27;
    NO_UNROLL for (int ky = 0; ky < 3; ky++) {
        const float *row = p->picture + (ptrdiff_t)(2 * y + ky) * 2 * p->half_row + x;
        NO_UNROLL for (int channel = 0; channel < 3; channel++, row += p->picture_plane) {
            UNROLL for (int kx = 0; kx < 3; kx++) {
                vector in[PICTURE_COLUMNS];
                UNROLL for (int c = 0; c < COLUMNS; c++)
                    in[c] = load_unaligned(row + (kx == 1 ? p->half_row : 0) + kx / 2 + c * LANES);
                UNROLL for (int o = 0; o < OUTPUTS; o++) {
                    const float weight = weights[o * 27 + (ky * 3 + kx) * 3 + channel];
                    UNROLL for (int c = 0; c < COLUMNS; c++) sum[o][c] += in[c] * weight;
                }
            }
        }
    }
    const vector low = p->low, high = p->high;
    float *output = p->output + first * p->output_plane + (y - p->first_row) * p->output_row + x;
    UNROLL for (int o = 0; o < OUTPUTS; o++) {
        UNROLL for (int c = 0; c < COLUMNS; c++)
            store_unaligned(output + o * p->output_plane + c * LANES, clamp(sum[o][c], low, high));
    }
}

static __attribute__((noinline)) void picture_block(const ck_picture_convolution *p, int y, int x, int first) {
    picture_tile(PICTURE_OUTPUTS, PICTURE_COLUMNS, p, y, x, first);
}

static __attribute__((noinline)) void picture_remainder(const ck_picture_convolution *p, int y, int x, int first) {
    picture_tile(1, 1, p, y, x, first);
}

static void picture_columns(const ck_picture_convolution *p, int y, int x, int end, bool block) {
    int first = 0;
    for (; block && first + PICTURE_OUTPUTS <= p->outputs; first += PICTURE_OUTPUTS) picture_block(p, y, x, first);
    for (; first < p->outputs; first++) {
        for (int at = x; at < end; at += LANES) {
            // The last vector ends with the row and may overlap the one before.
            const int last = p->width > LANES ? p->width - LANES : 0;
            picture_remainder(p, y, at < last ? at : last, first);
        }
    }
}

static void convolve_picture(const ck_picture_convolution *p) {
    const int block = PICTURE_COLUMNS * LANES;
    for (int y = p->first_row; y < p->first_row + p->rows; y++) {
        int x = 0;
        for (; x + block <= p->width; x += block) picture_columns(p, y, x, x + block, true);
        if (x < p->width) picture_columns(p, y, x, p->width, false);
        for (int o = 0; o < p->outputs; o++) {
            float *row = p->output + o * p->output_plane + (y - p->first_row) * p->output_row;
            row[-2] = row[-1] = row[p->width] = row[p->width + 1] = 0;
        }
    }
}

// Splits one row of RGB pixels. `first_is_odd` says whether the first one is an odd pixel of the padded row.
static void split_pixels(
    const uint8_t *rgb, int count, bool first_is_odd, float scale, float offset, float *row, ptrdiff_t half_row,
    ptrdiff_t plane
) {
    for (int channel = 0; channel < 3; channel++, row += plane) {
        float *even = row + (first_is_odd ? half_row : 0), *odd = row + (first_is_odd ? 1 : half_row);
        const uint8_t *bytes = rgb + channel;
        for (int i = 0; i < count / 2; i++) {
            even[i] = bytes[6 * i] * scale + offset;
            odd[i] = bytes[6 * i + 3] * scale + offset;
        }
        if (count % 2) even[count / 2] = bytes[3 * (count - 1)] * scale + offset;
    }
}
