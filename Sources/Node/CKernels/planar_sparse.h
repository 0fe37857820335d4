// Pointwise convolutions over channel-planar maps that skip zero weights. Kernels of the sparse engine.
//
// A tile has as many vectors of pixels as there are accumulators. They stay in registers while the kernel runs through
// a channel's list of taps. Each multiply-add reads its pixels directly from memory. A tap also costs a load of its
// plane's offset and a broadcast of its weight. All channels of a tile are computed before the next tile, so that a
// tile of all input planes (8 vectors of 96 planes at most) stays in the L1 cache. Loads are the limit: with everything
// in that cache AVX-512 reaches 85 of 179 GFLOP/s, AVX2 72 of 112. Tiles of 14 vectors and plain addresses changed
// nothing.

// Tiles with at most this many vectors use two sets of accumulators. With fewer chains than the latency of a
// multiply-add, the units would be idle.
#define SPARSE_TWO_SETS 4

// The weights of two taps, each repeated in all lanes.
typedef struct {
    vector first, second;
} tap_weights;

INLINE tap_weights load_weights(const ck_tap *taps) {
#if SPARSE_TAPS_AT_ONCE
    // One load instead of two, since loads are the limit, and two shuffles, which are not. The assembly hides the
    // source of the numbers; otherwise the compiler would turn this into broadcasts from memory again.
    typedef float pair __attribute__((ext_vector_type(4), aligned(8)));
    pair both = *(const pair *)taps;
    __asm__("" : "+x"(both));
    return (tap_weights){both[1], both[3]};
#else
    return (tap_weights){taps[0].weight, taps[1].weight};
#endif
}

// Initial value of the output: the bias and the addend, or the previous value.
INLINE void sparse_start(
    const int VECTORS, const ck_sparse *s, int channel, ptrdiff_t place, const float *output, vector *sum
) {
    if (s->bias) {
        const vector bias = s->bias[channel];
        UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = bias;
        if (s->addend) {
            UNROLL for (int v = 0; v < VECTORS; v++) sum[v] += load(s->addend + place + v * LANES);
        }
    } else {
        UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = load(output + v * LANES);
    }
}

INLINE void sparse_limit(const int VECTORS, const ck_sparse *s, ptrdiff_t at, vector *sum) {
    if (s->high && s->low) {
        UNROLL for (int v = 0; v < VECTORS; v++)
            sum[v] = clamp(sum[v], load(s->low + at + v * LANES), load(s->high + at + v * LANES));
    } else if (s->high) {
        // A constant saves one load per vector.
        UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = clamp(sum[v], (vector)0.0f, load(s->high + at + v * LANES));
    }
}

INLINE void sparse_tile(const int VECTORS, const ck_sparse *s, ptrdiff_t at) {
    const bool two_sets = VECTORS <= SPARSE_TWO_SETS;
    const char *input = (const char *)(s->input + at);
    const ck_tap *tap = s->taps;
    const ck_tap_list *const lists_end = s->lists + s->list_count;
    for (const ck_tap_list *list = s->lists; list < lists_end; list++) {
        const ptrdiff_t place = list->output * s->output_plane + at;
        float *output = s->output + place;
        // The sizes must be literals: a variable-length array would be on the stack, not in registers.
        vector sum[SPARSE_TALLEST], other[SPARSE_TWO_SETS];
        sparse_start(VECTORS, s, list->output, place, output, sum);
        if (two_sets) {
            UNROLL for (int v = 0; v < VECTORS; v++) other[v] = 0;
        }
        const ck_tap *const end = tap + list->taps;
        NO_UNROLL for (; tap < end; tap += 2) {
            // The lists of a network are larger than the L2 cache, and a page ends every 512 taps.
            __builtin_prefetch(tap + 64);
            const float *a = (const float *)(input + tap[0].plane), *b = (const float *)(input + tap[1].plane);
            const tap_weights w = load_weights(tap);
            UNROLL for (int v = 0; v < VECTORS; v++) sum[v] += load(a + v * LANES) * w.first;
            if (two_sets) {
                UNROLL for (int v = 0; v < VECTORS; v++) other[v] += load(b + v * LANES) * w.second;
            } else {
                UNROLL for (int v = 0; v < VECTORS; v++) sum[v] += load(b + v * LANES) * w.second;
            }
        }
        if (two_sets) {
            UNROLL for (int v = 0; v < VECTORS; v++) sum[v] += other[v];
        }
        sparse_limit(VECTORS, s, at, sum);
        UNROLL for (int v = 0; v < VECTORS; v++) store(output + v * LANES, sum[v]);
    }
}

#define SPARSE_TILE(VECTORS) \
    static __attribute__((noinline)) void sparse_tile_##VECTORS(const ck_sparse *s, ptrdiff_t at) { \
        sparse_tile(VECTORS, s, at); \
    }
FOR_EACH_SPARSE_TILE(SPARSE_TILE)

#define SPARSE_ENTRY(VECTORS) [VECTORS] = sparse_tile_##VECTORS,
static void (*const sparse_tiles[SPARSE_TALLEST + 1])(const ck_sparse *, ptrdiff_t) = {
    FOR_EACH_SPARSE_TILE(SPARSE_ENTRY)};

static void sparse(const ck_sparse *s) {
    // Tiles of equal height are faster than tall ones and a short one, because a short tile's taps cost nearly as much.
    int left = (int)(s->lanes / LANES), tiles = (left + SPARSE_TALLEST - 1) / SPARSE_TALLEST;
    for (ptrdiff_t at = 0; left > 0; tiles--) {
        const int vectors = (left + tiles - 1) / tiles;
        sparse_tiles[vectors](s, at);
        at += vectors * LANES;
        left -= vectors;
    }
}
