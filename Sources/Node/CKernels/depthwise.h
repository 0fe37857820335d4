// Depthwise convolutions over a ring of rows. Kernels of the dense engine.
//
// Vectors of channels are the outer loop, so that a strip's input lines stay in the L1 cache for all output rows. A tile of two
// output rows by COLUMNS pixels shares loads and weights in registers.

INLINE void depthwise_pixels(
    const int KERNEL, const int STRIDE, const int ROWS, const int COLUMNS, const ck_depthwise *d,
    const element *const *rows, ptrdiff_t at, const element *weights, ptrdiff_t pixel, vector bias,
    element *output, ptrdiff_t output_row
) {
    vector sum[2][4];
    UNROLL for (int r = 0; r < ROWS; r++) {
        UNROLL for (int x = 0; x < COLUMNS; x++) sum[r][x] = bias;
    }
    UNROLL for (int y = 0; y < KERNEL + (ROWS - 1) * STRIDE; y++) {
        const element *line = rows[y] + at;
        vector in[12];
        UNROLL for (int x = 0; x < (COLUMNS - 1) * STRIDE + KERNEL; x++) in[x] = load(line + x * LANES);
        UNROLL for (int kx = 0; kx < KERNEL; kx++) {
            UNROLL for (int r = 0; r < ROWS; r++) {
                const int ky = y - r * STRIDE;
                if (ky < 0 || ky >= KERNEL) continue;
                vector w = load(weights + (ky * KERNEL + kx) * LANES);
                UNROLL for (int x = 0; x < COLUMNS; x++) MULTIPLY_ADD(sum[r][x], in[x * STRIDE + kx], w);
            }
        }
    }
    const vector low = (element)d->low, high = (element)d->high;
    UNROLL for (int r = 0; r < ROWS; r++) {
        UNROLL for (int x = 0; x < COLUMNS; x++) store(output + r * output_row + x * pixel, clamp(sum[r][x], low, high));
    }
}

INLINE void depthwise_strip(const int KERNEL, const int STRIDE, const int COLUMNS, const ck_depthwise *d) {
    const ptrdiff_t pixel = elements(d->pixel), output_row = d->width * pixel;
    for (int v = 0; v < d->vectors; v++) {
        const vector bias = load_floats(d->bias + v * LANES);
        const element *weights = (const element *)d->weights + (ptrdiff_t)v * KERNEL * KERNEL * LANES;
        const char *ring = (const char *)d->ring + v * d->ring_vector_stride;
        for (int y = 0; y < d->rows; y += 2) {
            const int pair = d->rows - y < 2 ? 1 : 2;
            const element *rows[KERNEL + 2];
            for (int i = 0; i < KERNEL + (pair - 1) * STRIDE; i++) {
                const int line = (d->first_row + y) * STRIDE - d->pad_top + i;
                const bool outside = line < 0 || line >= d->input_height;
                rows[i] = outside ? d->zero_row : (const void *)(ring + (line % d->ring_rows) * d->ring_stride);
            }
            element *output = (element *)d->output + y * output_row + v * LANES;
            int x = 0;
            for (; pair == 2 && x + COLUMNS <= d->width; x += COLUMNS)
                depthwise_pixels(
                    KERNEL, STRIDE, 2, COLUMNS, d, rows, x * STRIDE * LANES, weights, pixel, bias, output + x * pixel,
                    output_row);
            for (; x < d->width; x++) {
                for (int r = 0; r < pair; r++)
                    depthwise_pixels(
                        KERNEL, STRIDE, 1, 1, d, rows + r * STRIDE, x * STRIDE * LANES, weights, pixel, bias,
                        output + r * output_row + x * pixel, output_row);
            }
        }
    }
}

static __attribute__((noinline)) void depthwise_3_1(const ck_depthwise *d) { depthwise_strip(3, 1, 4, d); }
static __attribute__((noinline)) void depthwise_5_1(const ck_depthwise *d) { depthwise_strip(5, 1, 4, d); }
static __attribute__((noinline)) void depthwise_3_2(const ck_depthwise *d) { depthwise_strip(3, 2, 4, d); }
static __attribute__((noinline)) void depthwise_5_2(const ck_depthwise *d) { depthwise_strip(5, 2, 4, d); }

static void depthwise(const ck_depthwise *d) {
    if (d->kernel == 3) {
        (d->stride == 1 ? depthwise_3_1 : depthwise_3_2)(d);
    } else {
        (d->stride == 1 ? depthwise_5_1 : depthwise_5_2)(d);
    }
}
