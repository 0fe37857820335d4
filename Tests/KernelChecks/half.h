// The kernels in 16-bit floats against their plain twins: loops that round to 16 bits wherever the kernels do. On arm64 all
// bits are equal. On x86-64 the kernels round twice, first to 32 bits, so that some differ in the last place.

#if defined(__aarch64__)
#define HALF_LIMIT 1e-9f
#else
#define HALF_LIMIT 0.01f
#endif

typedef _Float16 number16;

// A multiplication and an addition with one rounding. Products of 16-bit floats and their sums are exact in doubles.
static number16 fused(number16 sum, number16 a, number16 b) { return (number16)((double)a * (double)b + (double)sum); }

static number16 *halves(long count) { return (number16 *)floats((count + 1) / 2); }

static void fill_halves(number16 *map, int pixels, int channels, int pixel) {
    for (int i = 0; i < pixels; i++)
        for (int c = 0; c < channels; c++) map[i * pixel + c] = (number16)number();
}

static number16 limited16(number16 x, float low, float high) { return (number16)limited((float)x, low, high); }

static float apart(float worst, number16 found, number16 expected) {
    return fmaxf(worst, fabsf((float)found - (float)expected));
}

// Inputs are added up 32 at a time; those beyond a multiple of eight are added to the sum.
static number16 plain_convolution(const number16 *input, const number16 *weights, int depth, number16 bias) {
    number16 sum = bias;
    int d = 0;
    while (d < depth / 8 * 8) {
        number16 block = 0;
        const int end = depth / 8 * 8 - d < 32 ? depth / 8 * 8 : d + 32;
        for (; d < end; d++) block = fused(block, weights[d], input[d]);
        sum = (number16)((float)sum + (float)block);
    }
    for (; d < depth; d++) sum = fused(sum, weights[d], input[d]);
    return sum;
}

// Panels of two vectors of eight outputs, each with all its inputs.
static number16 *packed_halves(const number16 *plain, int depth, int outputs, int out) {
    number16 *packed = halves((long)depth * out), *at = packed;
    for (int first = 0; first < out;) {
        const int width = 8 * ck_panel_vectors(CK_LEVEL_HALF, (out - first) / 8);
        for (int d = 0; d < depth; d++)
            for (int o = first; o < first + width; o++) *at++ = o < outputs ? plain[o * depth + d] : (number16)0;
        first += width;
    }
    return packed;
}

static void half_convolution(const ck_kernels *k, int pixels, int depth, int outputs, bool to_floats) {
    const int in = (depth + 7) / 8 * 8, out = (outputs + 7) / 8 * 8;
    number16 *input = halves(pixels * in), *residual = halves(pixels * out), *plain = halves(depth * outputs);
    // Twice the space, for outputs in 32 bits.
    number16 *output = halves(2 * pixels * out);
    float *bias = floats(out);
    fill_halves(input, pixels, depth, in);
    fill_halves(residual, pixels, outputs, out);
    fill_halves(plain, outputs, depth, depth);
    for (int o = 0; o < outputs; o++) bias[o] = (float)(number16)number();
    const ck_convolution arguments = {
        .input = input, .input_pixel_stride = 2 * in, .segments = 1, .depth = depth,
        .weights = packed_halves(plain, depth, outputs, out), .half_weights = true, .float_outputs = to_floats, .bias = bias,
        .output = output, .residual = to_floats ? NULL : residual, .output_pixel_stride = 2 * out,
        .output_vector_stride = 16, .rows = 1,
        .pixels = pixels, .vectors = out / 8, .low = -1, .high = 1.5f,
    };
    k->convolve(&arguments);
    float worst = 0;
    for (int p = 0; p < pixels; p++)
        for (int o = 0; o < outputs; o++) {
            if (to_floats) {
                double sum = bias[o];
                for (int d = 0; d < depth; d++) sum += (double)input[d] * (double)plain[o * depth + d];
                worst = fmaxf(worst, fabsf(((float *)output)[o] - limited((float)sum, -1, 1.5f)));
                continue;
            }
            number16 sum = plain_convolution(input + p * in, plain + o * depth, depth, (number16)bias[o]);
            sum = (number16)((float)sum + (float)residual[p * out + o]);
            worst = apart(worst, output[p * out + o], limited16(sum, -1, 1.5f));
        }
    if (to_floats) expect("half convolution to floats", depth, outputs, worst, 2e-5f);
    else expect("half convolution", pixels, depth, worst, HALF_LIMIT);
}

static void half_depthwise(const ck_kernels *k, int width, int channels, int kernel, int stride) {
    const int height = 11, pad = (kernel - 1) / 2, pixel = (channels + 7) / 8 * 8;
    const int out_width = (width + stride - 1) / stride, out_height = (height + stride - 1) / stride;
    const int taps = kernel * kernel;
    const long row = (long)(pad + width + kernel) * 8, ring_vector = height * row;
    number16 *ring = halves(pixel / 8 * ring_vector), *zeros = halves(row), *map = halves(height * width * pixel);
    number16 *plain = halves(taps * pixel), *weights = halves(taps * pixel);
    number16 *output = halves(out_height * out_width * pixel);
    float *bias = floats(pixel);
    fill_halves(map, height * width, channels, pixel);
    fill_halves(ring, (int)(ring_vector / 8), pixel, pixel);
    k->clear_pixels(ring, pad, height, 2 * row, pixel / 8, 2 * ring_vector);
    k->clear_pixels(ring + (pad + width) * 8, kernel, height, 2 * row, pixel / 8, 2 * ring_vector);
    for (int y = 0; y < height; y++)
        k->split_row(map + y * width * pixel, 2 * pixel, width, pixel / 8, ring + y * row + pad * 8, 2 * ring_vector);
    fill_halves(plain, taps, channels, pixel);
    BY_VECTORS(plain, weights, taps, pixel, 8)
    for (int c = 0; c < channels; c++) bias[c] = (float)(number16)number();
    const ck_depthwise arguments = {
        .ring = ring, .ring_stride = 2 * row, .ring_vector_stride = 2 * ring_vector, .ring_rows = height,
        .input_height = height, .zero_row = zeros,
        .kernel = kernel, .stride = stride, .pad_top = pad, .rows = out_height, .width = out_width,
        .vectors = pixel / 8, .pixel = 2 * pixel, .weights = weights, .bias = bias, .output = output, .low = -1, .high = 1,
    };
    k->depthwise(&arguments);
    float worst = 0;
    for (int y = 0; y < out_height; y++)
        for (int x = 0; x < out_width; x++)
            for (int c = 0; c < channels; c++) {
                number16 sum = (number16)bias[c];
                for (int tap = 0; tap < kernel * kernel; tap++) {
                    const int line = y * stride - pad + tap / kernel, column = x * stride - pad + tap % kernel;
                    if (line < 0 || line >= height || column < 0 || column >= width) continue;
                    sum = fused(sum, map[(line * width + column) * pixel + c], plain[tap * pixel + c]);
                }
                worst = apart(worst, output[(y * out_width + x) * pixel + c], limited16(sum, -1, 1));
            }
    expect("half depthwise", kernel * 10 + stride, width, worst, HALF_LIMIT);
}

static void half_doubling(const ck_kernels *k, int height, int width) {
    const int pixel = 24;
    number16 *input = halves(height * width * pixel), *output = halves(4 * height * width * pixel);
    number16 *addend = halves(4 * height * width * pixel);
    fill_halves(input, height * width, pixel, pixel);
    fill_halves(addend, 4 * height * width, pixel, pixel);
    const ck_doubling arguments = {
        .input = input, .height = height, .width = width, .vectors = pixel / 8, .last_row = 2 * height, .last_column = width,
        .addend = addend, .output = output, .low = -0.5f, .high = 0.5f,
    };
    k->double_and_add(&arguments);
    float worst = 0;
    for (int i = 0; i < 4 * height * width * pixel; i++) {
        const int c = i % pixel, x = i / pixel % (2 * width), y = i / pixel / (2 * width);
        const float down = fmaxf(0, (y + 0.5f) / 2 - 0.5f), across = fmaxf(0, (x + 0.5f) / 2 - 0.5f);
        const int top = (int)down, left = (int)across;
        const int bottom = top + 1 < height ? top + 1 : top, right = left + 1 < width ? left + 1 : left;
#define AT(Y, X) (float)input[((Y) * width + (X)) * pixel + c]
        const float above = AT(top, left) + (AT(top, right) - AT(top, left)) * (across - left);
        const float below = AT(bottom, left) + (AT(bottom, right) - AT(bottom, left)) * (across - left);
#undef AT
        const float expected = limited(above + (below - above) * (down - top), -0.5f, 0.5f) + (float)addend[i];
        worst = fmaxf(worst, fabsf((float)output[i] - expected));
    }
    // A few roundings of numbers below 2.
    expect("half doubling", height, width, worst, 3e-3f);
}

static void half_elementwise(const ck_kernels *k) {
    enum { HEIGHT = 4, WIDTH = 6, PIXEL = 32, ALL = HEIGHT * WIDTH * PIXEL };
    number16 *a = halves(ALL), *b = halves(ALL), *sum = halves(ALL), *pooled = halves(ALL / 4), wide[256];
    fill_halves(a, ALL, 1, 1);
    fill_halves(b, ALL, 1, 1);
    k->add(a, b, sum, ALL, 0, 1);
    k->max_pool(a, HEIGHT, WIDTH, PIXEL / k->lanes, pooled);
    float worst = 0;
    for (int i = 0; i < ALL; i++)
        worst = apart(worst, sum[i], limited16((number16)((float)a[i] + (float)b[i]), 0, 1));
    for (int i = 0; i < ALL / 4; i++) {
        const int c = i % PIXEL, x = i / PIXEL % (WIDTH / 2), y = i / PIXEL / (WIDTH / 2);
        const number16 *at = a + (2 * y * WIDTH + 2 * x) * PIXEL + c;
        const float most = fmaxf(
            fmaxf((float)at[0], (float)at[PIXEL]), fmaxf((float)at[WIDTH * PIXEL], (float)at[(WIDTH + 1) * PIXEL]));
        worst = apart(worst, pooled[i], (number16)most);
    }
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
    k->widen_bytes(bytes, 256, 1 / 255.0f, 0, wide);
    for (int i = 0; i < 256; i++) worst = apart(worst, wide[i], (number16)(i * (1 / 255.0f)));
    expect("half addition, pooling and widening", HEIGHT, WIDTH, worst, 1e-9f);
}

// A processor without such instructions must never reach the kernels.
static void half(void) {
    const ck_kernels *k = ck_kernels_for(CK_LEVEL_HALF);
    printf("16-bit floats: %s\n", ck_is_supported(CK_LEVEL_HALF) ? "checked" : "not on this processor");
    if (!ck_is_supported(CK_LEVEL_HALF)) return expect("portable kernels instead", k->level, 0, (float)k->level, 0.5f);
    const int depths[] = {1, 8, 13, 24, 32, 40, 64, 79, 288}, pixels[] = {1, 3, 7, 8, 17, 50};
    const int outputs[] = {1, 8, 16, 24, 40, 130};
    for (int p = 0; p < COUNT(pixels); p++)
        for (int d = 0; d < COUNT(depths); d++) half_convolution(k, pixels[p], depths[d], outputs[(p + d) % 6], false);
    for (int i = 0; i < COUNT(outputs); i++) half_convolution(k, 1, 1152, outputs[i], true);
    for (int width = 1; width <= 17; width += 4)
        for (int kernel = 3; kernel <= 5; kernel += 2)
            for (int stride = 1; stride <= 2; stride++) half_depthwise(k, width, 24, kernel, stride);
    half_doubling(k, 1, 1);
    half_doubling(k, 2, 5);
    half_doubling(k, 7, 4);
    half_elementwise(k);
}
