// The cut of rotated squares out of pictures of every layout, against doubles.
// Included by main.c, which has the numbers and the counting.

// The whole picture at its own size and a quarter turn of it: both must come out to the last bit.
static void warp(const ck_kernels *k) {
    enum { SIZE = 64 };
    static uint8_t rgb[SIZE * SIZE * 3], output[SIZE * SIZE * 3];
    for (int i = 0; i < SIZE * SIZE * 3; i++) rgb[i] = (uint8_t)(i * 7 + i / 192);
    ck_cutout cutout = {.pixels = rgb, .width = SIZE, .height = SIZE, .column_x = 1, .row_y = 1, .black_border = true};
    k->warp(&cutout, SIZE, 0, SIZE, output);
    expect("warp", 0, 0, memcmp(rgb, output, sizeof rgb) == 0 ? 0 : 1, 0.5f);
    cutout = (ck_cutout){.pixels = rgb, .width = SIZE, .height = SIZE, .origin_x = SIZE - 1, .column_y = 1, .row_x = -1};
    k->warp(&cutout, SIZE, 0, SIZE, output);
    int wrong = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            wrong += memcmp(output + (y * SIZE + x) * 3, rgb + (x * SIZE + SIZE - 1 - y) * 3, 3) != 0;
    expect("warp, turned", 90, 0, (float)wrong, 0.5f);
}

// A channel of one pixel of a picture, outside it black or the nearest; not yet held within 0…255.
static double channel_of(const ck_cutout *c, int x, int y, int channel) {
    const bool outside = x < 0 || y < 0 || x >= c->width || y >= c->height;
    if (outside && c->black_border) return 0;
    x = x < 0 ? 0 : x >= c->width ? c->width - 1 : x;
    y = y < 0 ? 0 : y >= c->height ? c->height - 1 : y;
    const bool full = c->layout == CK_YUYV_FULL || c->layout == CK_NV12_FULL;
    const bool planes = c->layout == CK_NV12 || c->layout == CK_NV12_FULL;
    const size_t pixel = (size_t)y * c->width + x, pair = (size_t)y * c->width + x / 2 * 2;
    const size_t colours = planes ? ((size_t)c->height + y / 2) * c->width + x / 2 * 2 : pair * 2 + 1;
    const int light = c->pixels[planes ? pixel : pixel * 2];
    const double luma = full ? light : (light - 16) * 255.0 / 219, scale = full ? 1 : 255.0 / 224;
    const double u = (c->pixels[colours] - 128) * scale, v = (c->pixels[colours + (planes ? 1 : 2)] - 128) * scale;
    return channel == 0 ? luma + 1.402 * v : channel == 1 ? luma - 0.344136 * u - 0.714136 * v : luma + 1.772 * u;
}

enum { CAMERA_WIDTH = 62, CAMERA_HEIGHT = 40, CAMERA_SIZE = 57 };

// Cuts out of a picture as cameras deliver them, turned and scaled, also beyond its edges.
static ck_cutout camera_cutout(const uint8_t *pixels, ck_layout layout, bool black_border) {
    return (ck_cutout){
        .pixels = pixels, .layout = layout, .width = CAMERA_WIDTH, .height = CAMERA_HEIGHT, .origin_x = -3.2,
        .origin_y = 9.7, .column_x = 1.11, .column_y = -0.43, .row_x = 0.43, .row_y = 0.71,
        .black_border = black_border};
}

// Within a grey level of doing it in doubles one step after the other.
static void compare_with_doubles(const char *what, const ck_cutout c, const uint8_t *output) {
    enum { SIZE = CAMERA_SIZE };
    double worst = 0;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            for (int channel = 0; channel < 3; channel++) {
                const double x = rint((c.origin_x + column * c.column_x + row * c.row_x) * 32) / 32;
                const double y = rint((c.origin_y + column * c.column_y + row * c.row_y) * 32) / 32;
                const int left = (int)floor(x), top = (int)floor(y);
                double value = 0;
                for (int i = 0; i < 4; i++) {
                    const double across = i % 2 ? x - left : 1 - x + left, down = i / 2 ? y - top : 1 - y + top;
                    value += across * down * channel_of(&c, left + i % 2, top + i / 2, channel);
                }
                value = value < 0 ? 0 : value > 255 ? 255 : value;
                worst = fmax(worst, fabs(value - output[(row * SIZE + column) * 3 + channel]));
            }
    expect(what, c.layout, c.black_border, (float)worst, 1);
}

static void warp_yuyv(const ck_kernels *k, ck_layout layout, bool black_border) {
    static uint8_t yuyv[CAMERA_WIDTH * CAMERA_HEIGHT * 2], output[CAMERA_SIZE * CAMERA_SIZE * 3];
    for (int i = 0; i < CAMERA_WIDTH * CAMERA_HEIGHT; i++) {
        yuyv[2 * i] = (uint8_t)(i * 7 + i / 62 * 5);
        yuyv[2 * i + 1] = (uint8_t)(128 + (i * 13 % 61 - 30));
    }
    const ck_cutout c = camera_cutout(yuyv, layout, black_border);
    k->warp(&c, CAMERA_SIZE, 0, CAMERA_SIZE, output);
    compare_with_doubles("warp from YUYV", c, output);
}

// NV12 equals YUYV to the last bit where two rows of YUYV have the same colours. The pixels end where their memory ends.
static void warp_nv12(const ck_kernels *k, bool full, bool black_border) {
    enum { WIDTH = CAMERA_WIDTH, HEIGHT = CAMERA_HEIGHT, SIZE = CAMERA_SIZE };
    static uint8_t yuyv[WIDTH * HEIGHT * 2], output[SIZE * SIZE * 3], expected[SIZE * SIZE * 3];
    uint8_t *nv12 = malloc(WIDTH * HEIGHT * 3 / 2);
    if (!nv12) abort();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int pixel = y * WIDTH + x, colour = HEIGHT * WIDTH + y / 2 * WIDTH + x;
            nv12[pixel] = yuyv[2 * pixel] = (uint8_t)(pixel * 7 + y * 5);
            nv12[colour] = yuyv[2 * pixel + 1] = (uint8_t)(128 + (colour * 13 % 61 - 30));
        }
    ck_cutout c = camera_cutout(nv12, full ? CK_NV12_FULL : CK_NV12, black_border);
    k->warp(&c, SIZE, 0, SIZE, output);
    compare_with_doubles("warp from NV12", c, output);
    ck_cutout same = camera_cutout(yuyv, full ? CK_YUYV_FULL : CK_YUYV, black_border);
    k->warp(&same, SIZE, 0, SIZE, expected);
    expect("warp from NV12 as from YUYV", full, black_border, memcmp(output, expected, sizeof output) != 0, 0.5f);
    // The edges, in steps of a few 32nds of a pixel.
    for (int corner = 0; corner < 2; corner++) {
        c.origin_x = same.origin_x = corner ? WIDTH - 5 : -1, c.origin_y = same.origin_y = HEIGHT - 3;
        c.column_x = same.column_x = 0.09375, c.row_y = same.row_y = 0.03125;
        c.column_y = same.column_y = c.row_x = same.row_x = 0;
        k->warp(&c, SIZE, 0, SIZE, output);
        k->warp(&same, SIZE, 0, SIZE, expected);
        expect("corners of NV12", corner, black_border, memcmp(output, expected, sizeof output) != 0, 0.5f);
    }
    free(nv12);
}
