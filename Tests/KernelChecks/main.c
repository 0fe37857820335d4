// The kernels of every level of the machine this is compiled for against plain loops, where the Swift tests do not run:
// Tests/kernels-arm64.sh compiles it for arm64 and runs it under emulation, Tests/sanitize.sh with sanitizers. The sizes are
// those of KernelTests.swift.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckernels.h"

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static int failures, checks;

static void expect(const char *what, int a, int b, float worst, float limit) {
    checks++;
    if (worst < limit) return;
    failures++;
    printf("FAILED %s (%d, %d): off by %g\n", what, a, b, worst);
}

// Numbers between -1 and 1, the same in every run.
static float number(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(int32_t)state / 2147483648.0f;
}

// Zeroed, aligned, with room to read over either end.
static float *floats(long count) {
    float *start = aligned_alloc(64, ((count + 128) * sizeof(float) + 63) / 64 * 64);
    memset(start, 0, (count + 128) * sizeof(float));
    return start + 64;
}

static float limited(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

static void fill(float *map, int pixels, int channels, int pixel) {
    for (int i = 0; i < pixels; i++)
        for (int c = 0; c < channels; c++) map[i * pixel + c] = number();
}

static void convolution(const ck_kernels *k, int pixels, int depth, int outputs, int half) {
    const int in = (depth + k->lanes - 1) / k->lanes * k->lanes, out = (outputs + k->lanes - 1) / k->lanes * k->lanes;
    float *input = floats(pixels * in), *output = floats(pixels * out), *residual = floats(pixels * out);
    float *plain = floats(depth * outputs), *packed = floats(depth * out), *bias = floats(out);
    fill(input, pixels, depth, in);
    fill(residual, pixels, outputs, out);
    fill(bias, 1, outputs, out);
    // Multiples of 1/64 are exact as 16-bit floats.
    for (int i = 0; i < depth * outputs; i++) plain[i] = roundf(number() * 64) / 64;
    long position = 0;
    for (int first = 0; first < out / k->lanes;) {
        const int panel = ck_panel_vectors(k->level, out / k->lanes - first);
        for (int d = 0; d < depth; d++) {
            for (int o = first * k->lanes; o < (first + panel) * k->lanes; o++, position++) {
                const float w = o < outputs ? plain[o * depth + d] : 0;
#if defined(__aarch64__)
                if (half) ((_Float16 *)packed)[position] = (_Float16)w;
                else
#endif
                packed[position] = w;
            }
        }
        first += panel;
    }
    const ck_convolution arguments = {
        .input = input, .input_pixel_stride = 4 * in, .segments = 1, .depth = depth, .weights = packed,
        .half_weights = half, .bias = bias, .output = output, .residual = residual, .output_pixel_stride = 4 * out,
        .output_vector_stride = 4 * k->lanes, .rows = 1, .pixels = pixels, .vectors = out / k->lanes, .low = 0, .high = 1.5f,
    };
    k->convolve(&arguments);
    float worst = 0;
    for (int p = 0; p < pixels; p++) {
        for (int o = 0; o < outputs; o++) {
            double sum = bias[o] + residual[p * out + o];
            for (int d = 0; d < depth; d++) sum += input[p * in + d] * plain[o * depth + d];
            worst = fmaxf(worst, fabsf(output[p * out + o] - limited((float)sum, 0, 1.5f)));
        }
    }
    expect(half ? "convolution, 16-bit weights" : "convolution", pixels, outputs, worst, 2e-5f);
}

// The weights of a depthwise convolution, `[taps][channels]`, by vectors of channels.
#define BY_VECTORS(from, to, taps, pixel, lanes) \
    for (int t = 0; t < (taps); t++) \
        for (int c = 0; c < (pixel); c++) (to)[(c / (lanes) * (taps) + t) * (lanes) + c % (lanes)] = (from)[t * (pixel) + c];

static void depthwise(const ck_kernels *k, int width, int channels, int kernel, int stride) {
    const int height = 11, pad = (kernel - 1) / 2, pixel = (channels + k->lanes - 1) / k->lanes * k->lanes;
    const int out_width = (width + stride - 1) / stride, out_height = (height + stride - 1) / stride;
    const int lanes = k->lanes, taps = kernel * kernel;
    const long ring_stride = (long)(pad + width + kernel) * lanes, ring_vector = height * ring_stride;
    // Here the ring holds the whole map; KernelTests.swift tests a smaller ring.
    float *ring = floats(pixel / lanes * ring_vector), *zeros = floats(ring_stride), *map = floats(height * width * pixel);
    float *plain = floats(taps * pixel), *weights = floats(taps * pixel), *bias = floats(pixel);
    float *output = floats(out_height * out_width * pixel);
    fill(map, height * width, channels, pixel);
    fill(ring, (int)(ring_vector / lanes), pixel, pixel);
    k->clear_pixels(ring, pad, height, 4 * ring_stride, pixel / lanes, 4 * ring_vector);
    k->clear_pixels(ring + (pad + width) * lanes, kernel, height, 4 * ring_stride, pixel / lanes, 4 * ring_vector);
    for (int y = 0; y < height; y++)
        k->split_row(
            map + y * width * pixel, 4 * pixel, width, pixel / lanes, ring + y * ring_stride + pad * lanes, 4 * ring_vector);
    fill(plain, taps, channels, pixel);
    BY_VECTORS(plain, weights, taps, pixel, lanes)
    fill(bias, 1, channels, pixel);
    const ck_depthwise arguments = {
        .ring = ring, .ring_stride = 4 * ring_stride, .ring_vector_stride = 4 * ring_vector, .ring_rows = height,
        .input_height = height, .zero_row = zeros, .kernel = kernel, .stride = stride, .pad_top = pad, .rows = out_height, .width = out_width,
        .vectors = pixel / k->lanes, .pixel = 4 * pixel, .weights = weights, .bias = bias, .output = output, .low = -1, .high = 1,
    };
    k->depthwise(&arguments);
    float worst = 0;
    for (int y = 0; y < out_height; y++) {
        for (int x = 0; x < out_width; x++) {
            for (int c = 0; c < channels; c++) {
                double sum = bias[c];
                for (int ky = 0; ky < kernel; ky++) {
                    const int line = y * stride - pad + ky;
                    if (line < 0 || line >= height) continue;
                    for (int kx = 0; kx < kernel; kx++) {
                        const int column = x * stride - pad + kx;
                        if (column >= 0 && column < width)
                            sum += map[(line * width + column) * pixel + c] * plain[(ky * kernel + kx) * pixel + c];
                    }
                }
                const float found = output[(y * out_width + x) * pixel + c];
                worst = fmaxf(worst, fabsf(found - limited((float)sum, -1, 1)));
            }
        }
    }
    expect("depthwise", kernel * 10 + stride, width, worst, 1e-5f);
}

static void doubling(const ck_kernels *k, int height, int width) {
    const int channels = 20, pixel = (channels + k->lanes - 1) / k->lanes * k->lanes;
    float *input = floats(height * width * pixel), *output = floats(4 * height * width * pixel);
    fill(input, height * width, channels, pixel);
    const ck_doubling arguments = {
        .input = input, .height = height, .width = width, .vectors = pixel / k->lanes, .last_row = 2 * height,
        .last_column = width, .output = output, .low = -0.5f, .high = 0.5f,
    };
    k->double_and_add(&arguments);
    float worst = 0;
    for (int y = 0; y < 2 * height; y++) {
        for (int x = 0; x < 2 * width; x++) {
            const float down = fmaxf(0, (y + 0.5f) / 2 - 0.5f), across = fmaxf(0, (x + 0.5f) / 2 - 0.5f);
            const int top = (int)down, left = (int)across;
            const int bottom = top + 1 < height ? top + 1 : top, right = left + 1 < width ? left + 1 : left;
            for (int c = 0; c < channels; c++) {
#define AT(Y, X) input[((Y) * width + (X)) * pixel + c]
                const float above = AT(top, left) + (AT(top, right) - AT(top, left)) * (across - left);
                const float below = AT(bottom, left) + (AT(bottom, right) - AT(bottom, left)) * (across - left);
#undef AT
                const float expected = limited(above + (below - above) * (down - top), -0.5f, 0.5f);
                worst = fmaxf(worst, fabsf(output[(y * 2 * width + x) * pixel + c] - expected));
            }
        }
    }
    expect("doubling", height, width, worst, 1e-6f);
}

static void elementwise(const ck_kernels *k) {
    const int height = 4, width = 6, pixel = 32;
    float *a = floats(height * width * pixel), *b = floats(height * width * pixel);
    float *sum = floats(height * width * pixel), *pooled = floats(height * width * pixel / 4), wide[256];
    fill(a, height * width, pixel, pixel);
    fill(b, height * width, pixel, pixel);
    k->add(a, b, sum, height * width * pixel, 0, 1);
    k->max_pool(a, height, width, pixel / k->lanes, pooled);
    float worst = 0;
    for (int i = 0; i < height * width * pixel; i++) worst = fmaxf(worst, fabsf(sum[i] - limited(a[i] + b[i], 0, 1)));
    expect("addition", height, width, worst, 1e-6f);
    worst = 0;
    for (int y = 0; y < height / 2; y++)
        for (int x = 0; x < width / 2; x++)
            for (int c = 0; c < pixel; c++) {
                const float *at = a + (2 * y * width + 2 * x) * pixel + c;
                const float most = fmaxf(fmaxf(at[0], at[pixel]), fmaxf(at[width * pixel], at[(width + 1) * pixel]));
                worst = fmaxf(worst, fabsf(pooled[(y * (width / 2) + x) * pixel + c] - most));
            }
    expect("pooling", height, width, worst, 1e-6f);
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
    k->widen_bytes(bytes, 256, 2 / 255.0f, -1, wide);
    worst = 0;
    for (int i = 0; i < 256; i++) worst = fmaxf(worst, fabsf(wide[i] - (i * 2 / 255.0f - 1)));
    expect("widening", 256, 0, worst, 1e-6f);
}

#include "half.h"
#include "planar.h"
#include "warp.h"

int main(void) {
    const int depths[] = {1, 3, 13, 24, 32, 64}, outputs[] = {1, 16, 24, 40, 48, 130}, pixels[] = {1, 3, 7, 16, 17, 50};
    const int widths[] = {1, 7, 12, 17}, channels[] = {4, 16, 24, 40};
    half();
    for (int level = CK_LEVEL_PORTABLE; level <= CK_LEVEL_AVX512; level++) {
        if (!ck_is_supported((ck_level)level)) continue;
        const ck_kernels *k = ck_kernels_for((ck_level)level);
        for (int p = 0; p < 6; p++)
            for (int i = 0; i < 6; i++) {
                convolution(k, pixels[p], depths[i], outputs[i], 0);
#if defined(__aarch64__)
                if (k->half_weights) convolution(k, pixels[p], depths[i], outputs[i], 1);
#endif
            }
        for (int i = 0; i < 4; i++)
            for (int kernel = 3; kernel <= 5; kernel += 2)
                for (int stride = 1; stride <= 2; stride++) depthwise(k, widths[i], channels[i], kernel, stride);
        doubling(k, 1, 1);
        doubling(k, 2, 5);
        doubling(k, 7, 4);
        elementwise(k);
        warp(k);
        for (int border = 0; border < 2; border++) {
            warp_yuyv(k, CK_YUYV, border);
            warp_yuyv(k, CK_YUYV_FULL, border);
            warp_nv12(k, false, border);
            warp_nv12(k, true, border);
        }
        planar(k);
    }
    printf("%d of %d kernel checks passed\n", checks - failures, checks);
    return failures != 0;
}
