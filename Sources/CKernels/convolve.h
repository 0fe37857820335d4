// Convolutions as packed matrix products: channels-last pixels times panels of weights. Kernels of the dense engine.
//
// A tile of PIXELS x VECTORS accumulators stays in registers while it runs through all inputs. Pixels are read in
// place. Tiles are as large as possible: accumulators, one row of weights and a broadcast must fit the registers.

#if HALF_WEIGHTS
typedef _Float16 half_vector __attribute__((ext_vector_type(LANES)));
#endif

INLINE vector weight(const void *weights, ptrdiff_t index, const bool half) {
#if HALF_WEIGHTS
    if (half) return __builtin_convertvector(*(const half_vector *)((const _Float16 *)weights + index), vector);
#else
    (void)half;
#endif
    return load((const float *)weights + index);
}

INLINE void convolve_tile(
    const int PIXELS, const int VECTORS, const bool HALF, const ck_convolution *c, const float *input,
    const void *weights, const float *bias, float *output, const float *residual
) {
    // The sizes must be literals: a variable-length array would be on the stack, not in registers.
    vector sum[16][3];
    UNROLL for (int v = 0; v < VECTORS; v++) {
        vector start = load(bias + v * LANES);
        UNROLL for (int p = 0; p < PIXELS; p++) sum[p][v] = start;
    }
    const ptrdiff_t stride = c->input_pixel_stride;
    const int depth = c->depth;
    ptrdiff_t index = 0;
    for (int segment = 0; segment < c->segments; segment++) {
        const float *run = input + segment * c->segment_stride;
        for (int k = 0; k < depth; k++, index += VECTORS * LANES) {
            vector w[3];
            UNROLL for (int v = 0; v < VECTORS; v++) w[v] = weight(weights, index + v * LANES, HALF);
            UNROLL for (int p = 0; p < PIXELS; p++) {
                float x = run[p * stride + k];
                UNROLL for (int v = 0; v < VECTORS; v++) sum[p][v] += w[v] * x;
            }
        }
    }
    const ptrdiff_t out = c->output_pixel_stride;
    const vector low = c->low, high = c->high;
    UNROLL for (int p = 0; p < PIXELS; p++) {
        UNROLL for (int v = 0; v < VECTORS; v++) {
            vector value = sum[p][v];
            if (residual) value += load(residual + p * out + v * LANES);
            store(output + p * out + v * LANES, clamp(value, low, high));
        }
    }
}

typedef void (*convolution_tile)(
    const ck_convolution *, const float *, const void *, const float *, float *, const float *);

#define TILE(PIXELS, VECTORS) \
    static __attribute__((noinline)) void tile_##PIXELS##x##VECTORS( \
        const ck_convolution *c, const float *input, const void *weights, const float *bias, float *output, \
        const float *residual \
    ) { \
        convolve_tile(PIXELS, VECTORS, false, c, input, weights, bias, output, residual); \
    }
#define HALF_TILE(PIXELS, VECTORS) \
    static __attribute__((noinline)) void half_tile_##PIXELS##x##VECTORS( \
        const ck_convolution *c, const float *input, const void *weights, const float *bias, float *output, \
        const float *residual \
    ) { \
        convolve_tile(PIXELS, VECTORS, true, c, input, weights, bias, output, residual); \
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

static void convolve(const ck_convolution *c) {
    static const int tallest[3] = TALLEST_TILES;
    const char *weights = c->weights;
    ptrdiff_t weight_bytes = sizeof(float);
    const convolution_tile(*table)[17] = tiles;
#if HALF_WEIGHTS
    if (c->half_weights) {
        table = half_tiles;
        weight_bytes = sizeof(_Float16);
    }
#endif
    for (int first = 0; first < c->vectors;) {
        const int panel = ck_panel_vectors(LEVEL, c->vectors - first);
        const convolution_tile *of_height = table[panel - 1];
        for (int row = 0; row < c->rows; row++) {
            const float *input = c->input + row * c->input_row_stride;
            float *output = c->output + row * c->output_row_stride + first * LANES;
            const float *residual =
                c->residual ? c->residual + row * c->residual_row_stride + first * LANES : NULL;
            int height = tallest[panel - 1];
            for (int pixel = 0; pixel < c->pixels; pixel += height) {
                while (height > c->pixels - pixel || !of_height[height]) height--;
                of_height[height](
                    c, input + pixel * c->input_pixel_stride, weights, c->bias + first * LANES,
                    output + pixel * c->output_pixel_stride,
                    residual ? residual + pixel * c->output_pixel_stride : NULL);
            }
        }
        weights += (ptrdiff_t)c->segments * c->depth * panel * LANES * weight_bytes;
        first += panel;
    }
}
