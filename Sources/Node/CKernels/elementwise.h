// Upsampling, addition and pooling of channels-last maps, and conversions. Kernels of the dense engine.

static void double_and_add(const ck_doubling *d) {
    const ptrdiff_t pixel = (ptrdiff_t)d->vectors * LANES, row = d->width * pixel;
    const vector low = (element)d->low, high = (element)d->high;
    const element near = (element)0.75f, far = (element)0.25f;
    const element *input = d->input, *addend = d->addend;
    element *output = d->output;
    for (int y = d->first_row; y < d->last_row; y++) {
        // Output centres lie a quarter of an input pixel before and after each input centre.
        int above = (y + 1) / 2 - 1, below = above + 1;
        const element weight = y & 1 ? far : near;
        if (above < 0) above = 0;
        if (below > d->height - 1) below = d->height - 1;
        const element *a = input + above * row, *b = input + below * row;
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
                vector even = clamp(left * far + here * near, low, high);
                vector odd = clamp(here * near + right * far, low, high);
                const ptrdiff_t at = line + 2 * x * pixel + channel;
                if (addend) {
                    even += load(addend + at);
                    odd += load(addend + at + pixel);
                }
                store(output + at, even);
                store(output + at + pixel, odd);
                left = here;
                here = right;
            }
#undef BETWEEN
        }
    }
}

static void add(const void *a, const void *b, void *output, ptrdiff_t count, float low, float high) {
    const element *first = a, *second = b;
    element *sum = output;
    const vector least = (element)low, most = (element)high;
    for (ptrdiff_t i = 0; i < count; i += LANES) store(sum + i, clamp(load(first + i) + load(second + i), least, most));
}

static void max_pool(const void *map, int height, int width, int vectors, void *pooled) {
    const element *input = map;
    element *output = pooled;
    const ptrdiff_t pixel = (ptrdiff_t)vectors * LANES, row = width * pixel;
    for (int y = 0; y + 1 < height; y += 2) {
        for (int x = 0; x + 1 < width; x += 2) {
            const element *a = input + y * row + x * pixel, *b = a + row;
            for (ptrdiff_t channel = 0; channel < pixel; channel += LANES, output += LANES)
                store(output, greater(greater(load(a + channel), load(a + pixel + channel)),
                    greater(load(b + channel), load(b + pixel + channel))));
        }
    }
}

static void split_row(
    const void *pixels, ptrdiff_t pixel_stride, int count, int vectors, void *row, ptrdiff_t ring_vector_stride
) {
    const element *input = pixels;
    const ptrdiff_t pixel = elements(pixel_stride);
    for (int v = 0; v < vectors; v++) {
        element *output = (element *)((char *)row + v * ring_vector_stride);
        for (int x = 0; x < count; x++) store(output + x * LANES, load(input + x * pixel + v * LANES));
    }
}

// A call of memset for every few pixels would cost more than the stores.
__attribute__((no_builtin("memset"))) static void clear_pixels(
    void *first, int count, int rows, ptrdiff_t ring_stride, int vectors, ptrdiff_t ring_vector_stride
) {
    for (int v = 0; v < vectors; v++) {
        for (int y = 0; y < rows; y++) {
            element *output = (element *)((char *)first + v * ring_vector_stride + y * ring_stride);
            for (int x = 0; x < count; x++) store(output + x * LANES, (vector)(element)0);
        }
    }
}

static void widen_bytes(const uint8_t *bytes, ptrdiff_t count, float scale, float offset, void *output) {
    element *wide = output;
    for (ptrdiff_t i = 0; i < count; i++) wide[i] = (element)(bytes[i] * scale + offset);
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
