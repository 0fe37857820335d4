// Builds a network that flatten.py has written with Debian's XNNPACK, limited to an instruction set, checks its outputs
// and times it on one thread: {"error": E, "ms": [...]}.
//
//     xnnpack_peer sse|avx2|full dense|sparse path/to/network runs
//
// With "sparse" XNNPACK may skip weights that are zero, where it has kernels for that and the network fits them.
// It stays silent and fails when an output differs from LiteRT's by more than a thousandth of that output's range.

#include <cpuinfo.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xnnpack.h>

#define TOLERANCE 1e-3f
#define WARM_UP_RUNS 3
#define MOST_OUTPUTS 8

typedef struct {
    size_t height, width, channels;
} shape;

typedef struct {
    uint32_t id;
    size_t count;
    const float *expected;
} output;

typedef struct {
    xnn_subgraph_t subgraph;
    float *floats;  // weights, the input and the expected outputs
    shape *shapes;  // of every tensor
    uint32_t tensors;
    struct xnn_external_value ends[1 + MOST_OUTPUTS];  // the input, then the outputs
    output outputs[MOST_OUTPUTS];
    int output_count;
} network;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void check(enum xnn_status status, const char *what) {
    if (status != xnn_status_success) fail("XNNPACK refuses %s: status %d", what, status);
}

// XNNPACK chooses its kernels when it is initialized, by asking cpuinfo. What cpuinfo has found is hidden from it here;
// there is no call for that, but the table is public.
static void limit_instructions(const char *level) {
    if (!cpuinfo_initialize()) fail("cpuinfo does not know this processor");
    if (strcmp(level, "full") == 0) return;
#if defined(__x86_64__)
    struct cpuinfo_x86_isa *isa = &cpuinfo_isa;
    isa->avx512f = isa->avx512cd = isa->avx512dq = isa->avx512bw = isa->avx512vl = false;
    isa->avx512vbmi = isa->avx512vnni = isa->avx512bf16 = false;
    if (strcmp(level, "avx2") == 0) {
        if (!isa->avx2 || !isa->fma3) fail("this processor has no AVX2");
        return;
    }
    isa->avx = isa->avx2 = isa->fma3 = isa->fma4 = isa->f16c = isa->xop = false;
    if (strcmp(level, "sse") == 0) return;
#endif
    fail("there is no instruction set '%s' here", level);
}

static float *read_floats(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    float *floats = malloc(size);
    if (!floats || fread(floats, 1, size, file) != size) fail("cannot read %s", path);
    fclose(file);
    return floats;
}

// XNNPACK may read a little behind the last value of what it is given.
static float *allocate(size_t count) {
    float *values = calloc(1, count * sizeof(float) + XNN_EXTRA_BYTES);
    if (!values) fail("out of memory");
    return values;
}

static uint32_t constant(network *net, size_t offset, size_t dimensions, const size_t *sizes) {
    uint32_t id;
    check(xnn_define_tensor_value(net->subgraph, xnn_datatype_fp32, dimensions, sizes, net->floats + offset,
                                  XNN_INVALID_VALUE_ID, 0, &id), "a constant");
    return id;
}

static void add_tensor(network *net, const char *kind, FILE *graph) {
    uint32_t number, flags = 0;
    shape s;
    if (fscanf(graph, "%u %zu %zu %zu", &number, &s.height, &s.width, &s.channels) != 4 || number >= net->tensors)
        fail("a %s of the graph is broken", kind);
    net->shapes[number] = s;
    if (strcmp(kind, "tensor") != 0) {
        size_t offset, count = s.height * s.width * s.channels;
        if (fscanf(graph, "%zu", &offset) != 1) fail("an %s of the graph is broken", kind);
        struct xnn_external_value end = {number, allocate(count)};
        if (strcmp(kind, "input") == 0) {
            memcpy(end.data, net->floats + offset, count * sizeof(float));
            net->ends[0] = end;
            flags = XNN_VALUE_FLAG_EXTERNAL_INPUT;
        } else {
            if (net->output_count == MOST_OUTPUTS) fail("the graph has too many outputs");
            net->outputs[net->output_count++] = (output){number, count, net->floats + offset};
            net->ends[net->output_count] = end;
            flags = XNN_VALUE_FLAG_EXTERNAL_OUTPUT;
        }
    }
    uint32_t id;
    check(xnn_define_tensor_value(net->subgraph, xnn_datatype_fp32, 4, (size_t[]){1, s.height, s.width, s.channels},
                                  NULL, number, flags, &id), "a tensor");
}

static void add_convolution(network *net, bool depthwise, uint32_t from, uint32_t to, FILE *graph) {
    uint32_t size, stride, top, left, bottom, right;
    float low, high;
    size_t weights, bias;
    if (fscanf(graph, "%u %u %u %u %u %u %f %f %zu %zu", &size, &stride, &top, &left, &bottom, &right, &low, &high,
               &weights, &bias) != 10)
        fail("a convolution of the graph is broken");
    size_t entering = net->shapes[from].channels, leaving = net->shapes[to].channels;
    uint32_t offsets = constant(net, bias, 1, &leaving);
    if (depthwise) {
        uint32_t filter = constant(net, weights, 4, (size_t[]){1, size, size, leaving});
        check(xnn_define_depthwise_convolution_2d(net->subgraph, top, right, bottom, left, size, size, stride, stride,
                                                  1, 1, 1, leaving, low, high, from, filter, offsets, to, 0),
              "a depthwise convolution");
    } else {
        uint32_t filter = constant(net, weights, 4, (size_t[]){leaving, size, size, entering});
        check(xnn_define_convolution_2d(net->subgraph, top, right, bottom, left, size, size, stride, stride, 1, 1, 1,
                                        entering, leaving, low, high, from, filter, offsets, to, 0),
              "a convolution");
    }
}

static void add_layer(network *net, const char *kind, FILE *graph) {
    xnn_subgraph_t subgraph = net->subgraph;
    uint32_t from, to, second, size;
    float low, high;
    if (fscanf(graph, "%u %u", &from, &to) != 2 || from >= net->tensors || to >= net->tensors)
        fail("a layer of the graph is broken");
    if (strcmp(kind, "convolution") == 0 || strcmp(kind, "depthwise") == 0) {
        add_convolution(net, kind[0] == 'd', from, to, graph);
    } else if (strcmp(kind, "add") == 0 && fscanf(graph, "%u %f %f", &second, &low, &high) == 3) {
        check(xnn_define_add2(subgraph, low, high, from, second, to, 0), kind);
    } else if (strcmp(kind, "pool") == 0 && fscanf(graph, "%u", &size) == 1) {
        check(xnn_define_max_pooling_2d(subgraph, 0, 0, 0, 0, size, size, size, size, 1, 1, -INFINITY, INFINITY, from,
                                        to, 0), kind);
    } else if (strcmp(kind, "resize") == 0) {
        shape s = net->shapes[to];
        check(xnn_define_static_resize_bilinear_2d(subgraph, s.height, s.width, from, to, 0), kind);
    } else if (strcmp(kind, "depth_to_space") == 0 && fscanf(graph, "%u", &size) == 1) {
        check(xnn_define_depth_to_space(subgraph, from, to, size, 0), kind);
    } else if (strcmp(kind, "logistic") == 0) {
        check(xnn_define_sigmoid(subgraph, from, to, 0), kind);
    } else {
        fail("the graph has a layer this program does not know: %s", kind);
    }
}

static network read_network(const char *path) {
    char name[4096], kind[32];
    network net = {0};
    snprintf(name, sizeof name, "%s.floats", path);
    net.floats = read_floats(name);
    snprintf(name, sizeof name, "%s.graph", path);
    FILE *graph = fopen(name, "r");
    if (!graph || fscanf(graph, "tensors %u", &net.tensors) != 1) fail("cannot read %s", name);
    net.shapes = calloc(net.tensors, sizeof *net.shapes);
    if (!net.shapes) fail("out of memory");
    check(xnn_create_subgraph(net.tensors, 0, &net.subgraph), "a graph");
    while (fscanf(graph, "%31s", kind) == 1) {
        bool tensor = strcmp(kind, "tensor") == 0 || strcmp(kind, "input") == 0 || strcmp(kind, "output") == 0;
        if (tensor) add_tensor(&net, kind, graph);
        else add_layer(&net, kind, graph);
    }
    fclose(graph);
    return net;
}

/// The largest error of any output, as a part of that output's range (in which zero counts).
static float error(const network *net) {
    float worst = 0;
    for (int i = 0; i < net->output_count; ++i) {
        const output *o = &net->outputs[i];
        const float *found = net->ends[1 + i].data;
        float low = 0, high = 0, largest = 0;
        for (size_t j = 0; j < o->count; ++j) {
            low = fminf(low, o->expected[j]);
            high = fmaxf(high, o->expected[j]);
            float difference = fabsf(found[j] - o->expected[j]);
            if (difference > largest || isnan(difference)) largest = difference;  // NaN stays the largest
        }
        float part = largest / (high - low);
        if (!(part <= TOLERANCE)) fail("output %d of %d is wrong by %g of its range", i + 1, net->output_count, part);
        worst = fmaxf(worst, part);
    }
    return worst;
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int main(int count, char **arguments) {
    if (count != 5) fail("usage: xnnpack_peer sse|avx2|full dense|sparse path/to/network runs");
    uint32_t flags = strcmp(arguments[2], "sparse") == 0 ? XNN_FLAG_HINT_SPARSE_INFERENCE : 0;
    limit_instructions(arguments[1]);
    check(xnn_initialize(NULL), "this processor");
    network net = read_network(arguments[3]);
    xnn_runtime_t runtime;
    // No thread pool: run on this thread only.
    check(xnn_create_runtime_v2(net.subgraph, NULL, flags, &runtime), "the network");
    check(xnn_setup_runtime(runtime, 1 + (size_t)net.output_count, net.ends), "its input and outputs");
    for (int run = 0; run < WARM_UP_RUNS; ++run) check(xnn_invoke_runtime(runtime), "to run");
    printf("{\"error\": %g, \"ms\": [", error(&net));
    for (int run = 0, runs = atoi(arguments[4]); run < runs; ++run) {
        double began = milliseconds();
        check(xnn_invoke_runtime(runtime), "to run");
        printf("%s%.4f", run ? ", " : "", milliseconds() - began);
    }
    puts("]}");
}
