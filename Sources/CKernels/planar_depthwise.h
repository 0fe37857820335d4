// Depthwise convolutions over channel-planar maps.
//
// Lanes are neighbouring pixels of a row. Input rows pass by once: each is loaded at every horizontal tap and added to
// all output rows it belongs to, whose accumulators move up by one with every row. Two or more columns, of one channel
// or of two, hide the latency of a single one's chains.

// One column of a channel, a vector wide.
typedef struct {
    const float *input, *weights;
    float *output;
    vector bias;
} planar_column;

INLINE void planar_columns(
    const int KERNEL, const int COLUMNS, const ck_planar_depthwise *d, const planar_column *columns
) {
    vector sum[5][4];
    UNROLL for (int ky = 0; ky < KERNEL; ky++) {
        UNROLL for (int c = 0; c < COLUMNS; c++) sum[ky][c] = columns[c].bias;
    }
    const vector low = d->low, high = d->high;
    const int last = d->first_row + d->rows, first_line = d->first_row - d->pad_top;
    const float *in[4];
    float *out[4];
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        in[c] = columns[c].input + (first_line - d->input_first_row) * d->input_row - d->pad_left;
        out[c] = columns[c].output;
    }
    // Line y is the last that output row y - KERNEL + 1 needs.
    NO_UNROLL for (int y = d->first_row; y < last + KERNEL - 1; y++) {
        const int line = y - d->pad_top;
        if (line >= 0 && line < d->input_height) {
            UNROLL for (int kx = 0; kx < KERNEL; kx++) {
                vector x[4];
                UNROLL for (int c = 0; c < COLUMNS; c++) x[c] = load_unaligned(in[c] + kx);
                UNROLL for (int ky = 0; ky < KERNEL; ky++) {
                    UNROLL for (int c = 0; c < COLUMNS; c++)
                        sum[KERNEL - 1 - ky][c] += x[c] * columns[c].weights[ky * KERNEL + kx];
                }
            }
        }
        UNROLL for (int c = 0; c < COLUMNS; c++) in[c] += d->input_row;
        if (y - d->first_row >= KERNEL - 1) {
            UNROLL for (int c = 0; c < COLUMNS; c++) {
                store_unaligned(out[c], clamp(sum[0][c], low, high));
                out[c] += d->output_row;
            }
        }
        UNROLL for (int ky = 0; ky + 1 < KERNEL; ky++) {
            UNROLL for (int c = 0; c < COLUMNS; c++) sum[ky][c] = sum[ky + 1][c];
        }
        UNROLL for (int c = 0; c < COLUMNS; c++) sum[KERNEL - 1][c] = columns[c].bias;
    }
}

// Every second of the lanes of two vectors: the pixels that a stride of two visits, and those between.
#if LANES == 16
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_LANES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#elif LANES == 8
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14
#define ODD_LANES 1, 3, 5, 7, 9, 11, 13, 15
#else
#define EVEN_LANES 0, 2, 4, 6
#define ODD_LANES 1, 3, 5, 7
#endif

// Horizontal taps of a line at every second pixel.
INLINE void visit_second_pixels(const int KERNEL, const float *line, vector *taps) {
    UNROLL for (int kx = 0; kx < KERNEL; kx += 2) {
        const vector a = load_unaligned(line + kx), b = load_unaligned(line + kx + LANES);
        taps[kx] = __builtin_shufflevector(a, b, EVEN_LANES);
        if (kx + 1 < KERNEL) taps[kx + 1] = __builtin_shufflevector(a, b, ODD_LANES);
    }
}

// Of the padded lines 2 y and 2 y + 1 the first belongs to output rows y, y - 1, … with the even rows of the window,
// the second with the odd ones.
INLINE void planar_second_columns(
    const int KERNEL, const int COLUMNS, const ck_planar_depthwise *d, const planar_column *columns
) {
    vector sum[3][2];
    UNROLL for (int k = 0; k <= KERNEL / 2; k++) {
        UNROLL for (int c = 0; c < COLUMNS; c++) sum[k][c] = columns[c].bias;
    }
    const vector low = d->low, high = d->high;
    const int last = d->first_row + d->rows;
    // What lies behind the last window need not be there.
    const int needed = 2 * (last - 1) + KERNEL - d->pad_top;
    const int end = needed < d->input_height ? needed : d->input_height;
    float *out[2];
    UNROLL for (int c = 0; c < COLUMNS; c++) out[c] = columns[c].output;
    NO_UNROLL for (int y = d->first_row; y < last + KERNEL / 2; y++) {
        UNROLL for (int odd = 0; odd < 2; odd++) {
            const int line = 2 * y + odd - d->pad_top;
            if (line >= 0 && line < end) {
                UNROLL for (int c = 0; c < COLUMNS; c++) {
                    vector x[5];
                    visit_second_pixels(
                        KERNEL, columns[c].input + (line - d->input_first_row) * d->input_row - d->pad_left, x);
                    UNROLL for (int kx = 0; kx < KERNEL; kx++) {
                        UNROLL for (int ky = odd; ky < KERNEL; ky += 2)
                            sum[ky / 2][c] += x[kx] * columns[c].weights[ky * KERNEL + kx];
                    }
                }
            }
            if (odd || y - d->first_row < KERNEL / 2) continue;
            UNROLL for (int c = 0; c < COLUMNS; c++) {
                store_unaligned(out[c], clamp(sum[KERNEL / 2][c], low, high));
                out[c] += d->output_row;
            }
        }
        UNROLL for (int c = 0; c < COLUMNS; c++) {
            UNROLL for (int k = KERNEL / 2; k > 0; k--) sum[k][c] = sum[k - 1][c];
            sum[0][c] = columns[c].bias;
        }
    }
}

INLINE void planar_columns_of(
    const int KERNEL, const int STRIDE, const int COLUMNS, const ck_planar_depthwise *d, const planar_column *columns
) {
    if (STRIDE == 1) {
        planar_columns(KERNEL, COLUMNS, d, columns);
    } else {
        planar_second_columns(KERNEL, COLUMNS, d, columns);
    }
}

INLINE planar_column planar_column_at(const int KERNEL, const int STRIDE, const ck_planar_depthwise *d, int c, int x) {
    return (planar_column){
        .input = d->input + c * d->input_plane + STRIDE * x,
        .weights = d->weights + c * KERNEL * KERNEL,
        .output = d->output + c * d->output_plane + x,
        .bias = d->bias[c],
    };
}

// Columns a vector apart; the last ends with the row and may overlap the one before.
INLINE int planar_column_start(const ck_planar_depthwise *d, int column) {
    const int x = column * LANES, last = d->width > LANES ? d->width - LANES : 0;
    return x < last ? x : last;
}

INLINE void planar_channels(const int KERNEL, const int STRIDE, const int MOST, const ck_planar_depthwise *d) {
    const int count = (d->width + LANES - 1) / LANES;
    planar_column columns[MOST];
    int channel = 0;
    // Where a row is one vector, two channels go side by side.
    for (; count == 1 && channel + 1 < d->channels; channel += 2) {
        for (int c = 0; c < 2; c++) columns[c] = planar_column_at(KERNEL, STRIDE, d, channel + c, 0);
        planar_columns_of(KERNEL, STRIDE, 2, d, columns);
    }
    for (; channel < d->channels; channel++) {
        int column = 0;
        while (column < count) {
            const int together = count - column >= MOST ? MOST : count - column >= 2 ? 2 : 1;
            for (int c = 0; c < together; c++)
                columns[c] = planar_column_at(KERNEL, STRIDE, d, channel, planar_column_start(d, column + c));
            if (together == MOST) {
                planar_columns_of(KERNEL, STRIDE, MOST, d, columns);
            } else if (together == 2) {
                planar_columns_of(KERNEL, STRIDE, 2, d, columns);
            } else {
                planar_columns_of(KERNEL, STRIDE, 1, d, columns);
            }
            column += together;
        }
    }
}

static __attribute__((noinline)) void planar_3_1(const ck_planar_depthwise *d) { planar_channels(3, 1, MOST_COLUMNS_3, d); }
static __attribute__((noinline)) void planar_5_1(const ck_planar_depthwise *d) { planar_channels(5, 1, MOST_COLUMNS_5, d); }
static __attribute__((noinline)) void planar_3_2(const ck_planar_depthwise *d) { planar_channels(3, 2, 2, d); }
static __attribute__((noinline)) void planar_5_2(const ck_planar_depthwise *d) { planar_channels(5, 2, 2, d); }

static void planar_depthwise(const ck_planar_depthwise *d) {
    if (d->kernel == 3) {
        (d->stride == 1 ? planar_3_1 : planar_3_2)(d);
    } else {
        (d->stride == 1 ? planar_5_1 : planar_5_2)(d);
    }
}

// The map is the four quarters of the input's channels as 2x2 pixels, and is never built: a 3x3 window that visits
// every second pixel finds each of its taps in one plane. Written for one zero row and column at the top and left.
static void spread_depthwise(const ck_planar_depthwise *d, ptrdiff_t quarter) {
    const vector low = d->low, high = d->high;
    const int columns = (d->width + LANES - 1) / LANES;
    for (int c = 0; c < d->channels; c++) {
        const float *weights = d->weights + c * 9;
        for (int y = 0; y < d->rows; y++) {
            for (int column = 0; column < columns; column++) {
                const int x = planar_column_start(d, column);
                const float *input =
                    d->input + c * d->input_plane + (d->first_row + y - d->input_first_row) * d->input_row + x;
                vector sum = d->bias[c];
                UNROLL for (int ky = 0; ky < 3; ky++) {
                    // Only the window's first row can lie above the map.
                    if (ky == 0 && d->first_row + y == 0) continue;
                    const float *line = input + (ky == 1 ? 0 : 2 * quarter) - (ky == 0 ? d->input_row : 0);
                    UNROLL for (int kx = 0; kx < 3; kx++)
                        sum += load_unaligned(line + (kx == 1 ? 0 : quarter) - (kx == 0)) * weights[ky * 3 + kx];
                }
                store_unaligned(d->output + c * d->output_plane + y * d->output_row + x, clamp(sum, low, high));
            }
        }
    }
}
