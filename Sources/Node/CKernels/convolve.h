// Convolutions as packed matrix products: channels-last pixels times panels of weights. Kernels of the dense engine.
//
// A tile of PIXELS x VECTORS accumulators stays in registers while it runs through all inputs. Pixels are read in
// place. Tiles are as large as possible: accumulators, one row of weights and a broadcast must fit the registers. With
// 16 registers, 4 x 3 fits exactly; only `MULTIPLY_ADD` keeps the compiler from spilling it.
//
// A level with WEIGHTS_IN_MEMORY is SSE2. It needs one more register, for a product, so none is left for weights.
//
// Tiles side by side run in one call, which matters where there are few inputs. A level with ONE_TILE_A_CALL would
// spill addresses in that loop.
//
// A level with INPUT_BLOCK loads a vector of each pixel's inputs and multiplies by its lanes, as arm64 does in one instruction.
// It adds so many inputs at a time before they are added to the sum, because long sums of 16-bit floats lose digits.

#if HALF_WEIGHTS
typedef _Float16 half_vector __attribute__((ext_vector_type(LANES)));
#endif

INLINE vector weight(const void *weights, ptrdiff_t index, const bool half) {
#if HALF_WEIGHTS
    if (half) return __builtin_convertvector(*(const half_vector *)((const _Float16 *)weights + index), vector);
#else
    (void)half;
#endif
    return load((const element *)weights + index);
}

#if INPUT_BLOCK
// Adds the products of `depth` inputs, a multiple of the lanes, to a tile.
INLINE void add_blocks(
    const int PIXELS, const int VECTORS, const element *run, ptrdiff_t stride, const element *weights, int depth,
    vector (*sum)[3]
) {
    for (int k = 0; k < depth;) {
        const int end = depth - k < INPUT_BLOCK ? depth : k + INPUT_BLOCK;
        vector block[16][3] = {0};
        for (; k < end; k += LANES) {
            vector x[16];
            UNROLL for (int p = 0; p < PIXELS; p++) x[p] = load_unaligned(run + p * stride + k);
            UNROLL for (int lane = 0; lane < LANES; lane++, weights += VECTORS * LANES) {
                UNROLL for (int p = 0; p < PIXELS; p++) {
                    UNROLL for (int v = 0; v < VECTORS; v++) block[p][v] += load(weights + v * LANES) * x[p][lane];
                }
            }
        }
        UNROLL for (int p = 0; p < PIXELS; p++) {
            UNROLL for (int v = 0; v < VECTORS; v++) sum[p][v] += block[p][v];
        }
    }
}
#endif

// `count` tiles of pixels side by side, whose weights are the same.
INLINE void convolve_tiles(
    const int PIXELS, const int VECTORS, const bool HALF, const ck_convolution *c, const element *input,
    const void *weights, const float *bias, element *output, const element *residual, int count
) {
#if ONE_TILE_A_CALL
    count = 1;
#endif
    vector start[3];
    UNROLL for (int v = 0; v < VECTORS; v++) start[v] = load_floats(bias + v * LANES);
    const ptrdiff_t stride = elements(c->input_pixel_stride), out = elements(c->output_pixel_stride);
    const ptrdiff_t next_vector = elements(c->output_vector_stride);
    const ptrdiff_t segment_stride = elements(c->segment_stride);
    const int depth = c->depth, segments = c->segments;
    const bool is_limited = c->low > -__builtin_inff() || c->high < __builtin_inff();
    for (; count > 0; count--) {
        // The sizes must be literals: a variable-length array would be on the stack, not in registers.
        vector sum[16][3];
        UNROLL for (int p = 0; p < PIXELS; p++) {
            UNROLL for (int v = 0; v < VECTORS; v++) sum[p][v] = start[v];
        }
        ptrdiff_t index = 0;
        for (int segment = 0; segment < segments; segment++) {
            const element *run = input + segment * segment_stride;
            int k = 0;
#if INPUT_BLOCK
            k = depth / LANES * LANES;
            add_blocks(PIXELS, VECTORS, run, stride, (const element *)weights + index, k, sum);
            index += (ptrdiff_t)k * VECTORS * LANES;
#endif
            for (; k < depth; k++, index += VECTORS * LANES) {
#if WEIGHTS_IN_MEMORY
                // The product takes its weight from memory, so that weights need no registers.
                const vector *w = (const vector *)((const element *)weights + index);
                UNROLL for (int p = 0; p < PIXELS; p++) {
                    const vector x = run[p * stride + k];
                    UNROLL for (int v = 0; v < VECTORS; v++) {
                        vector product = x;
                        __asm__("mulps %2, %0\n\taddps %0, %1" : "+x"(product), "+x"(sum[p][v]) : "m"(w[v]));
                    }
                }
#else
                vector w[3];
                UNROLL for (int v = 0; v < VECTORS; v++) w[v] = weight(weights, index + v * LANES, HALF);
                UNROLL for (int p = 0; p < PIXELS; p++) {
                    const vector x = run[p * stride + k];
                    UNROLL for (int v = 0; v < VECTORS; v++) MULTIPLY_ADD(sum[p][v], w[v], x);
                }
#endif
            }
        }
        if (residual) {
            UNROLL for (int p = 0; p < PIXELS; p++) {
                UNROLL for (int v = 0; v < VECTORS; v++) sum[p][v] += load(residual + p * out + v * LANES);
            }
            residual += PIXELS * out;
        }
        if (is_limited) {
            const vector low = (element)c->low, high = (element)c->high;
            UNROLL for (int p = 0; p < PIXELS; p++) {
                UNROLL for (int v = 0; v < VECTORS; v++) sum[p][v] = clamp(sum[p][v], low, high);
            }
        }
        UNROLL for (int p = 0; p < PIXELS; p++) {
            UNROLL for (int v = 0; v < VECTORS; v++) store(output + p * out + v * next_vector, sum[p][v]);
        }
        input += PIXELS * stride;
        output += PIXELS * out;
    }
}

typedef void (*convolution_tile)(
    const ck_convolution *, const element *, const void *, const float *, element *, const element *, int);

#define TILE(PIXELS, VECTORS) \
    static __attribute__((noinline)) void tile_##PIXELS##x##VECTORS( \
        const ck_convolution *c, const element *input, const void *weights, const float *bias, element *output, \
        const element *residual, int count \
    ) { \
        convolve_tiles(PIXELS, VECTORS, false, c, input, weights, bias, output, residual, count); \
    }
#define HALF_TILE(PIXELS, VECTORS) \
    static __attribute__((noinline)) void half_tile_##PIXELS##x##VECTORS( \
        const ck_convolution *c, const element *input, const void *weights, const float *bias, element *output, \
        const element *residual, int count \
    ) { \
        convolve_tiles(PIXELS, VECTORS, true, c, input, weights, bias, output, residual, count); \
    }

FOR_EACH_TILE(TILE)
#if HALF_WEIGHTS
FOR_EACH_TILE(HALF_TILE)
#endif

// Tiles by number of vectors and pixels; null where there is none.
#define TILE_ENTRY(PIXELS, VECTORS) [VECTORS - 1][PIXELS] = tile_##PIXELS##x##VECTORS,
#define HALF_TILE_ENTRY(PIXELS, VECTORS) [VECTORS - 1][PIXELS] = half_tile_##PIXELS##x##VECTORS,
static const convolution_tile tiles[3][17] = {FOR_EACH_TILE(TILE_ENTRY)};
#if HALF_WEIGHTS
static const convolution_tile half_tiles[3][17] = {FOR_EACH_TILE(HALF_TILE_ENTRY)};
#endif

#if HALF_ELEMENTS
// One pixel, with sums and outputs in 32-bit floats: for outputs of a network, where sums are long and large.
static void convolve_to_floats(const ck_convolution *c) {
    const _Float16 *weights = c->weights;
    for (int first = 0; first < c->vectors;) {
        const int panel = ck_panel_vectors(LEVEL, c->vectors - first);
        floats sum[2] = {0};
        for (int v = 0; v < panel; v++) sum[v] = *(const floats *)(c->bias + (first + v) * LANES);
        for (int segment = 0; segment < c->segments; segment++) {
            const element *run = (const element *)c->input + segment * elements(c->segment_stride);
            for (int k = 0; k < c->depth; k++) {
                for (int v = 0; v < panel; v++, weights += LANES)
                    sum[v] += __builtin_convertvector(load(weights), floats) * (float)run[k];
            }
        }
        for (int v = 0; v < panel; v++) {
            float *output = (float *)c->output + (first + v) * LANES;
            for (int i = 0; i < LANES; i++)
                output[i] = sum[v][i] < c->low ? c->low : sum[v][i] > c->high ? c->high : sum[v][i];
        }
        first += panel;
    }
}
#endif

#if WIDEN_PANELS
// Inputs of the deepest layer whose weights are widened a panel at a time.
#define MOST_WIDENED 1024

// Where more than a few tiles read a panel of 16-bit weights, it is widened once and not by every tile: the conversions
// take the place of multiply-adds.
static __attribute__((noinline)) void widen_panel(const void *weights, int vectors, element *widened) {
    for (int i = 0; i < vectors; i++) store(widened + i * LANES, weight(weights, i * LANES, true));
}
#endif

static void convolve(const ck_convolution *c) {
#if HALF_ELEMENTS
    if (c->float_outputs) return convolve_to_floats(c);
#endif
    static const int tallest[3] = TALLEST_TILES;
    const char *weights = c->weights;
    ptrdiff_t weight_bytes = sizeof(element);
    const convolution_tile(*table)[17] = tiles;
#if HALF_WEIGHTS
    if (c->half_weights) {
        table = half_tiles;
        weight_bytes = sizeof(_Float16);
    }
#endif
#if WIDEN_PANELS
    const int depth = c->segments * c->depth;
    element widened[MOST_WIDENED * 3 * LANES] __attribute__((aligned(64)));
    const bool widens = c->half_weights && depth <= MOST_WIDENED && c->rows * c->pixels >= 4 * tallest[2];
#endif
    for (int first = 0; first < c->vectors;) {
        const int panel = ck_panel_vectors(LEVEL, c->vectors - first);
        const convolution_tile *of_height = table[panel - 1];
        const void *panel_weights = weights;
#if WIDEN_PANELS
        if (widens) {
            widen_panel(weights, depth * panel, widened);
            panel_weights = widened;
            of_height = tiles[panel - 1];
        }
#endif
        for (int row = 0; row < c->rows; row++) {
            const element *input = (const element *)c->input + row * elements(c->input_row_stride);
            element *output = (element *)c->output + row * elements(c->output_row_stride)
                + first * elements(c->output_vector_stride);
            const element *residual = c->residual
                ? (const element *)c->residual + row * elements(c->residual_row_stride) + first * LANES
                : NULL;
            int height = tallest[panel - 1];
            for (int pixel = 0; pixel < c->pixels;) {
                while (height > c->pixels - pixel || !of_height[height]) height--;
#if ONE_TILE_A_CALL
                const int count = 1;
#else
                const int count = (c->pixels - pixel) / height;
#endif
                of_height[height](
                    c, input + pixel * elements(c->input_pixel_stride), panel_weights, c->bias + first * LANES,
                    output + pixel * elements(c->output_pixel_stride),
                    residual ? residual + pixel * elements(c->output_pixel_stride) : NULL, count);
                pixel += count * height;
            }
        }
        weights += (ptrdiff_t)c->segments * c->depth * panel * LANES * weight_bytes;
        first += panel;
    }
}
