// Upsampling, addition and pooling of channels-last maps, and conversions. Kernels of the dense engine.

static void double_and_add(const ck_doubling *d) {
    const ptrdiff_t pixel = (ptrdiff_t)d->vectors * LANES, row = d->width * pixel;
    const vector low = d->low, high = d->high;
    for (int y = d->first_row; y < d->last_row; y++) {
        // Output centres lie a quarter of an input pixel before and after each input centre.
        int above = (y + 1) / 2 - 1, below = above + 1;
        const float weight = y & 1 ? 0.25f : 0.75f;
        if (above < 0) above = 0;
        if (below > d->height - 1) below = d->height - 1;
        const float *a = d->input + above * row, *b = d->input + below * row;
        const ptrdiff_t line = y * 2 * row;
        for (ptrdiff_t channel = 0; channel < pixel; channel += LANES) {
#define BETWEEN(x) \
    ({ \
        vector top = load(a + (x) * pixel + channel); \
        top + (load(b + (x) * pixel + channel) - top) * weight; \
    })
            int x = d->first_column;
            vector here = BETWEEN(x), left = x > 0 ? BETWEEN(x - 1) : here;
            for (; x < d->last_column; x++) {
                const vector right = x + 1 < d->width ? BETWEEN(x + 1) : here;
                vector even = clamp(left * 0.25f + here * 0.75f, low, high);
                vector odd = clamp(here * 0.75f + right * 0.25f, low, high);
                const ptrdiff_t at = line + 2 * x * pixel + channel;
                if (d->addend) {
                    even += load(d->addend + at);
                    odd += load(d->addend + at + pixel);
                }
                store(d->output + at, even);
                store(d->output + at + pixel, odd);
                left = here;
                here = right;
            }
#undef BETWEEN
        }
    }
}

static void add(const float *a, const float *b, float *output, ptrdiff_t count, float low, float high) {
    for (ptrdiff_t i = 0; i < count; i += LANES)
        store(output + i, clamp(load(a + i) + load(b + i), (vector)low, (vector)high));
}

static void max_pool(const float *input, int height, int width, int vectors, float *output) {
    const ptrdiff_t pixel = (ptrdiff_t)vectors * LANES, row = width * pixel;
    for (int y = 0; y + 1 < height; y += 2) {
        for (int x = 0; x + 1 < width; x += 2) {
            const float *a = input + y * row + x * pixel, *b = a + row;
            for (ptrdiff_t channel = 0; channel < pixel; channel += LANES, output += LANES)
                store(output, greater(greater(load(a + channel), load(a + pixel + channel)),
                    greater(load(b + channel), load(b + pixel + channel))));
        }
    }
}

static void widen_bytes(const uint8_t *bytes, ptrdiff_t count, float scale, float offset, float *output) {
    for (ptrdiff_t i = 0; i < count; i++) output[i] = bytes[i] * scale + offset;
}

// One instruction per vector if the processor supports 16-bit floats, otherwise a library call per number.
static void widen_halves(const uint16_t *halves, ptrdiff_t count, float *output) {
    for (ptrdiff_t i = 0; i < count; i++) {
        _Float16 half;
        __builtin_memcpy(&half, halves + i, sizeof half);
        output[i] = half;
    }
}

static void narrow_floats(const float *floats, ptrdiff_t count, uint16_t *output) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const _Float16 half = (_Float16)floats[i];
        __builtin_memcpy(output + i, &half, sizeof half);
    }
}

// Runs enough independent multiply-adds to hide their latency, in registers only.
static double saturate(int64_t rounds) {
    enum { CHAINS = 12 };
    // Read from memory, because the compiler would compute the result itself otherwise.
    volatile float factor_source = 0.999f, addend_source = 0.001f;
    const vector factor = factor_source, addend = addend_source;
    vector sum[CHAINS];
    UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = (vector)(float)i;
    for (int64_t round = 0; round < rounds; round++) {
        UNROLL for (int i = 0; i < CHAINS; i++) sum[i] = sum[i] * factor + addend;
    }
    volatile float keep = 0;
    UNROLL for (int i = 0; i < CHAINS; i++) keep += sum[i][0];
    return 2.0 * CHAINS * LANES * (double)rounds;
}
