// The kernels over channel-planar maps against plain loops; the sizes are those of PlanarKernelTests.swift.
// Included by main.c, which has the numbers and the counting.

// A channel-planar map: rows two zeros apart, zeros before the first plane.
typedef struct {
    int height, width, row, plane;
    float *start;
} planes;

static planes make_planes(int height, int width, int channels, int filled) {
    planes m = {.height = height, .width = width, .row = width + 2};
    const int lanes = height * m.row, spill = (height - 1) * m.row + (width + 15) / 16 * 16;
    m.plane = ((lanes > spill ? lanes : spill) + 15) / 16 * 16;
    m.start = floats((long)m.plane * channels);
    for (int i = 0; filled && i < channels * height; i++)
        fill(m.start + i / height * m.plane + i % height * m.row, 1, width, width);
    return m;
}

static float at(const planes *m, int c, int y, int x) {
    return y < 0 || x < 0 || y >= m->height || x >= m->width ? 0 : m->start[c * m->plane + y * m->row + x];
}

static void sparse(const ck_kernels *k, int vectors, int depth, int outputs, int more) {
    const int lanes = vectors * k->lanes;
    planes input = make_planes(1, lanes, depth, 1), output = make_planes(1, lanes, outputs, 1);
    planes before = make_planes(1, lanes, outputs, 0), limits = make_planes(1, lanes, 2, 0);
    memcpy(before.start, output.start, sizeof(float) * (size_t)(outputs * output.plane));
    float *low = limits.start, *high = limits.start + limits.plane, *bias = floats(outputs);
    fill(bias, 1, outputs, outputs);
    // Odd lanes are gutters.
    for (int i = 0; i < lanes; i += 2) low[i] = -0.5f, high[i] = 0.75f;
    ck_tap *taps = calloc((size_t)outputs * (depth + 1), sizeof *taps);
    ck_tap_list *lists = calloc((size_t)outputs, sizeof *lists);
    float *weights = floats(depth * outputs);
    int count = 0;
    for (int o = 0; o < outputs; o++) {
        const int first = count;
        for (int d = 0; d < depth; d++) {
            const float w = number();
            if (w < 0.5f) continue;
            weights[o * depth + d] = w;
            taps[count++] = (ck_tap){d * input.plane * (int)sizeof(float), w};
        }
        // The kernel needs lists of even length.
        if ((count - first) % 2) count++;
        lists[o] = (ck_tap_list){o, count - first};
    }
    const ck_sparse arguments = {
        .input = input.start, .lists = lists, .list_count = outputs, .taps = taps, .bias = more ? NULL : bias,
        .output = output.start, .output_plane = output.plane, .lanes = lanes, .low = more ? low : NULL, .high = high,
    };
    k->sparse(&arguments);
    float worst = 0;
    for (int o = 0; o < outputs; o++) {
        for (int i = 0; i < lanes; i++) {
            double sum = more ? at(&before, o, 0, i) : bias[o];
            for (int d = 0; d < depth; d++) sum += at(&input, d, 0, i) * weights[o * depth + d];
            worst = fmaxf(worst, fabsf(at(&output, o, 0, i) - limited((float)sum, more ? low[i] : 0, high[i])));
        }
    }
    expect("sparse convolution", vectors, depth, worst, 2e-5f);
}

static void planar_depthwise(const ck_kernels *k, int height, int width, int kernel, int stride, int strip) {
    const int pad = kernel / 2, taps = kernel * kernel;
    planes input = make_planes(height, width, 3, 1);
    planes output = make_planes((height + stride - 1) / stride, (width + stride - 1) / stride, 3, 0);
    float *weights = floats(3 * taps), *bias = floats(3);
    fill(weights, 1, 3 * taps, 3 * taps);
    fill(bias, 1, 3, 3);
    for (int first = 0; first < output.height; first += strip) {
        const int from = first * stride < pad ? 0 : first * stride - pad;
        const ck_planar_depthwise arguments = {
            .input = input.start + from * input.row, .input_first_row = from, .input_height = height,
            .input_row = input.row, .input_plane = input.plane, .kernel = kernel, .stride = stride, .pad_top = pad,
            .pad_left = pad, .first_row = first, .rows = output.height - first < strip ? output.height - first : strip,
            .width = output.width, .channels = 3, .weights = weights, .bias = bias,
            .output = output.start + first * output.row, .output_row = output.row, .output_plane = output.plane,
            .low = -1, .high = 1,
        };
        k->planar_depthwise(&arguments);
    }
    float worst = 0;
    for (int i = 0; i < 3 * output.height * output.width; i++) {
        const int c = i / output.height / output.width, y = i / output.width % output.height, x = i % output.width;
        double sum = bias[c];
        for (int t = 0; t < taps; t++)
            sum += at(&input, c, y * stride - pad + t / kernel, x * stride - pad + t % kernel) * weights[c * taps + t];
        worst = fmaxf(worst, fabsf(at(&output, c, y, x) - limited((float)sum, -1, 1)));
    }
    expect("planar depthwise", kernel * 10 + stride, width, worst, 1e-5f);
}

static void spread_depthwise(const ck_kernels *k, int height, int width) {
    planes input = make_planes(height, width, 12, 1), output = make_planes(height, width, 3, 0);
    float *weights = floats(27), *bias = floats(3);
    fill(weights, 1, 27, 27);
    fill(bias, 1, 3, 3);
    const ck_planar_depthwise arguments = {
        .input = input.start, .input_height = height, .input_row = input.row, .input_plane = input.plane, .kernel = 3,
        .stride = 2, .pad_top = 1, .pad_left = 1, .rows = height, .width = width, .channels = 3, .weights = weights,
        .bias = bias, .output = output.start, .output_row = output.row, .output_plane = output.plane, .low = -1,
        .high = 1,
    };
    k->spread_depthwise(&arguments, 3 * input.plane);
    float worst = 0;
    for (int i = 0; i < 3 * height * width; i++) {
        const int c = i / height / width, y = i / width % height, x = i % width;
        double sum = bias[c];
        for (int t = 0; t < 9; t++) {
            const int row = 2 * y - 1 + t / 3, column = 2 * x - 1 + t % 3;
            if (row < 0 || column < 0) continue;
            sum += at(&input, (row % 2 * 2 + column % 2) * 3 + c, row / 2, column / 2) * weights[c * 9 + t];
        }
        worst = fmaxf(worst, fabsf(at(&output, c, y, x) - limited((float)sum, -1, 1)));
    }
    expect("spread depthwise", height, width, worst, 1e-5f);
}

static void picture(const ck_kernels *k, int height, int width, int outputs, int pad) {
    const int half = (width / 2 + 17) / 16 * 16 + 16, plane = (height + 2) * 2 * half;
    float *split = floats(3L * plane), *weights = floats(27 * outputs), *bias = floats(outputs);
    uint8_t *rgb = malloc((size_t)height * width * 3);
    planes output = make_planes(height / 2, width / 2, outputs, 0);
    fill(weights, 1, 27 * outputs, 27 * outputs);
    fill(bias, 1, outputs, outputs);
    for (int i = 0; i < height * width * 3; i++) rgb[i] = (uint8_t)(i * 37 + i / 11);
    for (int y = 0; y < height; y++)
        k->split_pixels(
            rgb + y * width * 3, width, pad == 1, 2 / 255.0f, -1, split + (pad + y) * 2 * half, half, plane);
    const ck_picture_convolution arguments = {
        .picture = split, .half_row = half, .picture_plane = plane, .rows = output.height, .width = output.width,
        .outputs = outputs, .weights = weights, .bias = bias, .output = output.start, .output_row = output.row,
        .output_plane = output.plane, .low = -1, .high = 6,
    };
    k->convolve_picture(&arguments);
    float worst = 0;
    for (int i = 0; i < outputs * output.height * output.width; i++) {
        const int c = i / output.height / output.width, y = i / output.width % output.height, x = i % output.width;
        double sum = bias[c];
        for (int t = 0; t < 27; t++) {
            const int row = 2 * y - pad + t / 9, column = 2 * x - pad + t / 3 % 3;
            if (row < 0 || column < 0 || row >= height || column >= width) continue;
            sum += (rgb[(row * width + column) * 3 + t % 3] * 2 / 255.0f - 1) * weights[c * 27 + t];
        }
        worst = fmaxf(worst, fabsf(at(&output, c, y, x) - limited((float)sum, -1, 6)));
    }
    expect("picture", width, pad, worst, 2e-5f);
}

static void planar_doubling(const ck_kernels *k, int height, int width) {
    planes input = make_planes(height, width, 3, 1), addend = make_planes(2 * height, 2 * width, 3, 1);
    planes output = make_planes(2 * height, 2 * width, 3, 0);
    const ck_planar_doubling arguments = {
        .input = input.start, .input_plane = input.plane, .height = height, .width = width, .channels = 3,
        .addend = addend.start, .output = output.start, .output_plane = output.plane, .low = 0, .high = 6,
    };
    k->planar_double_and_add(&arguments);
    float worst = 0;
    for (int i = 0; i < 3 * output.height * output.width; i++) {
        const int c = i / output.height / output.width, y = i / output.width % output.height, x = i % output.width;
        const float down = fmaxf(0, (y + 0.5f) / 2 - 0.5f), across = fmaxf(0, (x + 0.5f) / 2 - 0.5f);
        const int top = (int)down, left = (int)across;
        const int bottom = top + 1 < height ? top + 1 : top, right = left + 1 < width ? left + 1 : left;
        const float fx = across - left, fy = down - top;
        const float above = at(&input, c, top, left) * (1 - fx) + at(&input, c, top, right) * fx;
        const float below = at(&input, c, bottom, left) * (1 - fx) + at(&input, c, bottom, right) * fx;
        const float expected = at(&addend, c, y, x) + limited(above * (1 - fy) + below * fy, 0, 6);
        worst = fmaxf(worst, fabsf(at(&output, c, y, x) - expected));
    }
    expect("planar doubling", height, width, worst, 1e-6f);
}

static void planar(const ck_kernels *k) {
    const int sizes[][3] = {{1, 1, 1}, {7, 7, 7}, {14, 14, 14}, {9, 16, 4}, {23, 19, 8}, {12, 66, 5}};
    for (int vectors = 1; vectors < 20; vectors++) {
        sparse(k, vectors, 1, 1, 0);
        sparse(k, vectors, 24, 16, 1);
        sparse(k, vectors, 60, 40, 0);
    }
    for (int i = 0; i < 6; i++) {
        for (int kernel = 3; kernel <= 5; kernel += 2)
            for (int stride = 1; stride <= 2; stride++)
                planar_depthwise(k, sizes[i][0], sizes[i][1], kernel, stride, sizes[i][2]);
        spread_depthwise(k, sizes[i][0], sizes[i][1]);
        planar_doubling(k, sizes[i][0], sizes[i][1]);
    }
    for (int pad = 0; pad < 2; pad++) {
        picture(k, 2, 2, 1, pad);
        picture(k, 8, 34, 8, pad);
        picture(k, 4, 224, 24, pad);
    }
}
