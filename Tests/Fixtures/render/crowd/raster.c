// Draws triangles into a picture with a depth buffer. raster.py compiles and calls it; all memory is the caller's.
#include <math.h>
#include <stdint.h>

// A picture: inverse depth (larger is nearer), colour as sRGB bytes, and whose pixel it is.
typedef struct {
    int32_t width, height;
    float *inverse_depth;
    uint8_t *colour;
    uint8_t *owner;
} Picture;

static float least(float a, float b, float c) { return fminf(a, fminf(b, c)); }
static float most(float a, float b, float c) { return fmaxf(a, fmaxf(b, c)); }
static int within(float value, int last) { return value < 0 ? 0 : value > (float)last ? last : (int)value; }

typedef void (*Paint)(void *context, int pixel, const float share[3], const int32_t *corners);

// Calls `paint` for every pixel whose middle is inside of a triangle. `places` are x, y and depth of the corners.
static inline __attribute__((always_inline)) void
each_pixel(int width, int height, const float *places, const int32_t *triangles, int count, Paint paint, void *context)
{
    for (int t = 0; t < count; t++) {
        const int32_t *corners = triangles + 3 * t;
        const float *a = places + 3 * corners[0], *b = places + 3 * corners[1], *c = places + 3 * corners[2];
        if (least(a[2], b[2], c[2]) < 0.1f) continue;
        float area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if (fabsf(area) < 1e-9f) continue;
        float left = least(a[0], b[0], c[0]), right = most(a[0], b[0], c[0]);
        float top = least(a[1], b[1], c[1]), bottom = most(a[1], b[1], c[1]);
        if (right < 0 || bottom < 0 || left >= width || top >= height) continue;
        int x0 = within(left, width - 1), x1 = within(right + 1, width - 1);
        int y0 = within(top, height - 1), y1 = within(bottom + 1, height - 1);
        for (int y = y0; y <= y1; y++) {
            for (int x = x0; x <= x1; x++) {
                float px = x + 0.5f, py = y + 0.5f, share[3];
                share[1] = ((px - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (py - a[1])) / area;
                share[2] = ((b[0] - a[0]) * (py - a[1]) - (px - a[0]) * (b[1] - a[1])) / area;
                share[0] = 1 - share[1] - share[2];
                if (share[0] >= 0 && share[1] >= 0 && share[2] >= 0) paint(context, y * width + x, share, corners);
            }
        }
    }
}

typedef struct {
    Picture *picture;
    const float *places, *colours;
    uint8_t owner;
    const uint8_t *stencil;      // null, or where drawing is allowed
    uint32_t *stamps, stamp;     // null, or marks each pixel once for `covered`
    int64_t covered;
} Drawing;

static inline void paint_surface(void *context, int pixel, const float share[3], const int32_t *corners)
{
    Drawing *d = context;
    if (d->stamps && d->stamps[pixel] != d->stamp) {
        d->stamps[pixel] = d->stamp;
        d->covered++;
    }
    if (d->stencil && !d->stencil[pixel]) return;
    float inverse = 0;
    for (int i = 0; i < 3; i++) inverse += share[i] / d->places[3 * corners[i] + 2];
    if (inverse <= d->picture->inverse_depth[pixel]) return;
    d->picture->inverse_depth[pixel] = inverse;
    d->picture->owner[pixel] = d->owner;
    for (int k = 0; k < 3; k++) {
        float value = 0.5f;
        for (int i = 0; i < 3; i++) value += share[i] * d->colours[3 * corners[i] + k];
        d->picture->colour[3 * pixel + k] = value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
    }
}

// Draws a mesh; returns how many pixels it covers, hidden ones too, where `stamps` is given.
int64_t draw(Picture *picture, const float *places, const float *colours, const int32_t *triangles, int32_t count,
             uint8_t owner, const uint8_t *stencil, uint32_t *stamps, uint32_t stamp)
{
    Drawing drawing = {picture, places, colours, owner, stencil, stamps, stamp, 0};
    each_pixel(picture->width, picture->height, places, triangles, count, paint_surface, &drawing);
    return drawing.covered;
}

typedef struct {
    uint8_t *lights, bit;
    const uint8_t *owners;
    uint8_t floor;
} Shading;

static inline void paint_shadow(void *context, int pixel, const float share[3], const int32_t *corners)
{
    (void)share, (void)corners;
    Shading *s = context;
    if (s->owners[pixel] == s->floor) s->lights[pixel] |= s->bit;
}

// Notes in `lights` which pixels of the floor a mesh, already laid flat on it, keeps the light `bit` from.
void cast_shadow(Picture *picture, uint8_t *lights, const float *places, const int32_t *triangles, int32_t count,
                 uint8_t bit, uint8_t floor)
{
    Shading shading = {lights, bit, picture->owner, floor};
    each_pixel(picture->width, picture->height, places, triangles, count, paint_shadow, &shading);
}

// Darkens pixels by the number of lights they miss.
void darken(Picture *picture, const uint8_t *lights, float each)
{
    for (int64_t i = 0; i < (int64_t)picture->width * picture->height; i++) {
        if (!lights[i]) continue;
        float factor = 1 - each * __builtin_popcount(lights[i]);
        for (int k = 0; k < 3; k++) picture->colour[3 * i + k] = (uint8_t)(picture->colour[3 * i + k] * factor);
    }
}

// Averages 2 x 2 pixels and adds the camera's noise. `seen` counts the pixels of each owner before that.
void develop(const Picture *picture, const int8_t *noise, uint8_t *result, int64_t *seen)
{
    int width = picture->width, half = width / 2;
    for (int64_t i = 0; i < (int64_t)width * picture->height; i++) seen[picture->owner[i]]++;
    for (int y = 0; y < picture->height / 2; y++) {
        for (int x = 0; x < half; x++) {
            const uint8_t *p = picture->colour + 3 * (2 * y * width + 2 * x), *q = p + 3 * width;
            int grain = noise[y * half + x];
            for (int k = 0; k < 3; k++) {
                int value = (p[k] + p[k + 3] + q[k] + q[k + 3] + 2) / 4 + grain;
                result[3 * (y * half + x) + k] = value < 0 ? 0 : value > 255 ? 255 : value;
            }
        }
    }
}
