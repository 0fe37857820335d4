// Upsampling of channel-planar maps to twice the size. Interpolated values are computed in registers and written once,
// together with the addition that follows. Kernels of the sparse engine.

// Interleaves two vectors of even and odd pixels.
#if LANES == 16
#define FIRST_PAIRS 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define LAST_PAIRS 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif LANES == 8
#define FIRST_PAIRS 0, 8, 1, 9, 2, 10, 3, 11
#define LAST_PAIRS 4, 12, 5, 13, 6, 14, 7, 15
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#else
#define FIRST_PAIRS 0, 4, 1, 5
#define LAST_PAIRS 2, 6, 3, 7
#define LANE_NUMBERS 0, 1, 2, 3
#endif

typedef int32_t lane_numbers __attribute__((ext_vector_type(LANES)));

// One output row of one channel, from the input rows above and below it.
INLINE void double_row(
    const ck_planar_doubling *d, const float *above, const float *below, float weight, const float *addend,
    float *output
) {
    const vector low = d->low, high = d->high;
    const int width = d->width;
    for (int x = 0; x < width; x += LANES) {
        vector between[3];
        UNROLL for (int i = 0; i < 3; i++) {
            const vector top = load_unaligned(above + x + i - 1);
            between[i] = top + (load_unaligned(below + x + i - 1) - top) * weight;
        }
        // Beyond the edges the outermost pixel is repeated. A comparison selects it, because setting one lane goes
        // through memory.
        const lane_numbers lane = {LANE_NUMBERS};
        if (x == 0) between[0] = lane == 0 ? between[1] : between[0];
        if (x + LANES >= width) between[2] = lane == width - 1 - x ? between[1] : between[2];
        const vector even = clamp(between[0] * 0.25f + between[1] * 0.75f, low, high);
        const vector odd = clamp(between[1] * 0.75f + between[2] * 0.25f, low, high);
        vector first = __builtin_shufflevector(even, odd, FIRST_PAIRS);
        vector last = __builtin_shufflevector(even, odd, LAST_PAIRS);
        const bool both = 2 * x + LANES < 2 * width;
        if (addend) {
            first += load_unaligned(addend + 2 * x);
            if (both) last += load_unaligned(addend + 2 * x + LANES);
        }
        store_unaligned(output + 2 * x, first);
        if (both) store_unaligned(output + 2 * x + LANES, last);
    }
    output[2 * width] = output[2 * width + 1] = 0;
}

static void planar_double_and_add(const ck_planar_doubling *d) {
    const ptrdiff_t row = d->width + 2, output_row = 2 * d->width + 2;
    for (int c = 0; c < d->channels; c++) {
        const float *input = d->input + c * d->input_plane;
        for (int y = 0; y < 2 * d->height; y++) {
            // Output centres lie a quarter of an input pixel before and after each input centre.
            int above = (y + 1) / 2 - 1, below = above + 1;
            const float weight = y & 1 ? 0.25f : 0.75f;
            if (above < 0) above = 0;
            if (below > d->height - 1) below = d->height - 1;
            const ptrdiff_t place = c * d->output_plane + y * output_row;
            double_row(
                d, input + above * row, input + below * row, weight, d->addend ? d->addend + place : NULL,
                d->output + place);
        }
    }
}
