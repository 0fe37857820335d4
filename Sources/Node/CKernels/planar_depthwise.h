// Depthwise convolutions over channel-planar maps. Lanes are neighbouring pixels of a row. Kernels of the sparse
// engine.

#define PLANAR_MOST_ROWS 8

// Columns are one vector wide. The last one ends with the row and may overlap the one before.
INLINE int planar_column_start(const ck_planar_depthwise *d, int column) {
    const int x = column * LANES, last = d->width > LANES ? d->width - LANES : 0;
    return x < last ? x : last;
}

// Some output rows of one channel. `input` is the first line that their windows touch, even if it is outside the map.
typedef struct {
    const float *input;
    int first_inside, end_inside;
    const float *weights;
    float bias;
    float *output;
} planar_strip;

// The output rows of one column, a vector wide, stay in registers while the kernel runs through the window's columns.
// The weights of a window column are in registers, too. Each line is loaded once for all output rows that need it. The
// rows are independent chains, which hides latency. Compared with rolling accumulators over all rows and two or four
// columns side by side, AVX-512 takes 0.7 of the time for 5x5 at 14x14 and 0.55 to 0.7 at 7x7, and AVX2 0.8 at 7x7. But
// AVX2, whose 16 registers spill here, takes 1.15 at 14x14 and 28x28.
INLINE void planar_rows(
    const int KERNEL, const int ROWS, const ck_planar_depthwise *d, const planar_strip *strip
) {
    const ptrdiff_t row = d->input_row, output_row = d->output_row;
    const int columns = (d->width + LANES - 1) / LANES, first = strip->first_inside, end = strip->end_inside;
    const vector low = d->low, high = d->high;
    for (int column = 0; column < columns; column++) {
        const int place = planar_column_start(d, column);
        const float *input = strip->input + place, *weights = strip->weights;
        vector sum[PLANAR_MOST_ROWS];
        UNROLL for (int r = 0; r < ROWS; r++) sum[r] = strip->bias;
        UNROLL for (int kx = 0; kx < KERNEL; kx++) {
            vector w[5];
            UNROLL for (int ky = 0; ky < KERNEL; ky++) w[ky] = weights[ky * KERNEL + kx];
            UNROLL for (int line = 0; line < ROWS + KERNEL - 1; line++) {
                // Lines between these two limits are always inside the map.
                if (line < KERNEL - 1 && line < first) continue;
                if (line >= ROWS && line >= end) continue;
                const vector x = load_unaligned(input + line * row + kx);
                UNROLL for (int ky = 0; ky < KERNEL; ky++) {
                    const int r = line - ky;
                    if (r >= 0 && r < ROWS) sum[r] += x * w[ky];
                }
            }
        }
        float *output = strip->output + place;
        UNROLL for (int r = 0; r < ROWS; r++) store_unaligned(output + r * output_row, clamp(sum[r], low, high));
    }
}

#define FOR_EACH_ROWS(T) T(1) T(2) T(4) T(7) T(8)

#define PLANAR_ROWS(ROWS) \
    static __attribute__((noinline)) void planar_3_rows_##ROWS(const ck_planar_depthwise *d, const planar_strip *s) { \
        planar_rows(3, ROWS, d, s); \
    } \
    static __attribute__((noinline)) void planar_5_rows_##ROWS(const ck_planar_depthwise *d, const planar_strip *s) { \
        planar_rows(5, ROWS, d, s); \
    }
FOR_EACH_ROWS(PLANAR_ROWS)

typedef void (*planar_rows_kernel)(const ck_planar_depthwise *, const planar_strip *);
#define PLANAR_3_ENTRY(ROWS) [ROWS] = planar_3_rows_##ROWS,
#define PLANAR_5_ENTRY(ROWS) [ROWS] = planar_5_rows_##ROWS,
static const planar_rows_kernel planar_3_rows[PLANAR_MOST_ROWS + 1] = {FOR_EACH_ROWS(PLANAR_3_ENTRY)};
static const planar_rows_kernel planar_5_rows[PLANAR_MOST_ROWS + 1] = {FOR_EACH_ROWS(PLANAR_5_ENTRY)};

// Seven rows suit maps that are halved from 224 down to 7, eight rows suit their strips.
INLINE int planar_rows_together(int left) {
    return left % 8 == 0 ? 8 : left % 7 == 0 ? 7 : left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static void planar_every_pixel(const ck_planar_depthwise *d) {
    const int taps = d->kernel * d->kernel;
    const planar_rows_kernel *kernels = d->kernel == 3 ? planar_3_rows : planar_5_rows;
    for (int c = 0; c < d->channels; c++) {
        int rows;
        for (int y = 0; y < d->rows; y += rows) {
            rows = planar_rows_together(d->rows - y);
            const int line = d->first_row + y - d->pad_top;
            const planar_strip strip = {
                .input = d->input + c * d->input_plane + (line - d->input_first_row) * d->input_row - d->pad_left,
                .first_inside = -line,
                .end_inside = d->input_height - line,
                .weights = d->weights + c * taps,
                .bias = d->bias[c],
                .output = d->output + c * d->output_plane + y * d->output_row,
            };
            kernels[rows](d, &strip);
        }
    }
}

// Every second lane of two vectors: the even and the odd pixels.
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

// The horizontal taps of a line for a stride of two.
INLINE void visit_second_pixels(const int KERNEL, const float *line, vector *taps) {
    UNROLL for (int kx = 0; kx < KERNEL; kx += 2) {
        const vector a = load_unaligned(line + kx), b = load_unaligned(line + kx + LANES);
        taps[kx] = __builtin_shufflevector(a, b, EVEN_LANES);
        if (kx + 1 < KERNEL) taps[kx + 1] = __builtin_shufflevector(a, b, ODD_LANES);
    }
}

// One column of a channel, a vector wide.
typedef struct {
    const float *input, *weights;
    float bias;
    float *output;
} planar_column;

// Adds one even or odd line of a column to the output rows that need it.
INLINE void planar_add_line(
    const int KERNEL, const int ODD, const float *line, const float *weights, int c, vector sum[3][2]
) {
    vector x[5];
    visit_second_pixels(KERNEL, line, x);
    UNROLL for (int kx = 0; kx < KERNEL; kx++) {
        UNROLL for (int ky = ODD; ky < KERNEL; ky += 2) sum[ky / 2][c] += x[kx] * weights[ky * KERNEL + kx];
    }
}

// Uses rolling accumulators, because each line costs a few shuffles. Padded line 2 y belongs to output rows y, y - 1, …
// with the even rows of the window, line 2 y + 1 with the odd ones. Two columns, of one channel or of two, hide the
// latency of the few chains in each (one column took 1.8 times as long).
INLINE void planar_second_pixels(
    const int KERNEL, const int COLUMNS, const ck_planar_depthwise *d, const planar_column *columns
) {
    vector sum[3][2];
    UNROLL for (int k = 0; k <= KERNEL / 2; k++) {
        UNROLL for (int c = 0; c < COLUMNS; c++) sum[k][c] = columns[c].bias;
    }
    const vector low = d->low, high = d->high;
    const int last = d->first_row + d->rows;
    // Lines after the last window need not exist.
    const int needed = 2 * (last - 1) + KERNEL - d->pad_top;
    const int end = needed < d->input_height ? needed : d->input_height;
    NO_UNROLL for (int y = d->first_row; y < last + KERNEL / 2; y++) {
        UNROLL for (int odd = 0; odd < 2; odd++) {
            const int line = 2 * y + odd - d->pad_top;
            if (line >= 0 && line < end) {
                const ptrdiff_t place = (line - d->input_first_row) * d->input_row;
                UNROLL for (int c = 0; c < COLUMNS; c++)
                    planar_add_line(KERNEL, odd, columns[c].input + place, columns[c].weights, c, sum);
            }
            if (odd || y - d->first_row < KERNEL / 2) continue;
            const ptrdiff_t place = (y - d->first_row - KERNEL / 2) * d->output_row;
            UNROLL for (int c = 0; c < COLUMNS; c++)
                store_unaligned(columns[c].output + place, clamp(sum[KERNEL / 2][c], low, high));
        }
        UNROLL for (int c = 0; c < COLUMNS; c++) {
            UNROLL for (int k = KERNEL / 2; k > 0; k--) sum[k][c] = sum[k - 1][c];
            sum[0][c] = columns[c].bias;
        }
    }
}

// Numbers the columns of all channels consecutively, so that they form pairs whatever the width.
INLINE void planar_every_second_pixel(const int KERNEL, const ck_planar_depthwise *d) {
    const int columns = (d->width + LANES - 1) / LANES, count = columns * d->channels;
    planar_column pair[2];
    for (int i = 0; i < count; i++) {
        const int c = i / columns, x = planar_column_start(d, i % columns);
        pair[i % 2] = (planar_column){
            .input = d->input + c * d->input_plane + 2 * x - d->pad_left,
            .weights = d->weights + c * KERNEL * KERNEL,
            .bias = d->bias[c],
            .output = d->output + c * d->output_plane + x,
        };
        if (i % 2 == 1) planar_second_pixels(KERNEL, 2, d, pair);
    }
    if (count % 2 == 1) planar_second_pixels(KERNEL, 1, d, pair);
}

static __attribute__((noinline)) void planar_3_2(const ck_planar_depthwise *d) { planar_every_second_pixel(3, d); }
static __attribute__((noinline)) void planar_5_2(const ck_planar_depthwise *d) { planar_every_second_pixel(5, d); }

static void planar_depthwise(const ck_planar_depthwise *d) {
    if (d->stride == 1) {
        planar_every_pixel(d);
    } else {
        (d->kernel == 3 ? planar_3_2 : planar_5_2)(d);
    }
}

// What a 3x3 window reads above the map.
static const float planar_zeros[LANES + 2];

// The map would be the four quarters of the input's channels as 2x2 pixels, but it is never stored: with a stride of
// two, each tap of a 3x3 window reads from one plane. Supports one zero row and column of padding at the top and left.
static void spread_depthwise(const ck_planar_depthwise *d, ptrdiff_t quarter) {
    const vector low = d->low, high = d->high;
    const int columns = (d->width + LANES - 1) / LANES;
    for (int c = 0; c < d->channels; c++) {
        vector weights[9];
        UNROLL for (int i = 0; i < 9; i++) weights[i] = d->weights[c * 9 + i];
        const vector bias = d->bias[c];
        for (int y = d->first_row; y < d->first_row + d->rows; y++) {
            const float *row = d->input + c * d->input_plane + (y - d->input_first_row) * d->input_row;
            float *output = d->output + c * d->output_plane + (y - d->first_row) * d->output_row;
            for (int column = 0; column < columns; column++) {
                const int x = planar_column_start(d, column);
                const float *here = row + x, *below = here + 2 * quarter, *above = below - d->input_row;
                const float *above_odd = above + quarter;
                if (y == 0) above = above_odd = planar_zeros + 1;
                vector sum = bias + load_unaligned(above_odd - 1) * weights[0] + load_unaligned(above) * weights[1]
                    + load_unaligned(above_odd) * weights[2];
                vector other = load_unaligned(here + quarter - 1) * weights[3] + load_unaligned(here) * weights[4]
                    + load_unaligned(here + quarter) * weights[5];
                sum += load_unaligned(below + quarter - 1) * weights[6] + load_unaligned(below) * weights[7]
                    + load_unaligned(below + quarter) * weights[8];
                store_unaligned(output + x, clamp(sum + other, low, high));
            }
        }
    }
}
