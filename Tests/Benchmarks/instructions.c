// A plugin of qemu's user emulation that counts the executed instructions of an arm64 program by kind, as one line of JSON
// on the error stream. The interface is declared here in the part that is used, after qemu's documentation of TCG
// plugins, version 1; Debian has no package with its header.

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int add, void *counter, uint64_t amount);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id, void *), void *object);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum kind { MULTIPLY_ADD, VECTOR, VECTOR_LOAD, LOAD_STORE, OTHER, KINDS };
static const char *const names[KINDS] = {"multiply_add", "vector", "vector_load_store", "load_store", "other"};
static uint64_t counts[KINDS];

// By the encoding groups of the Arm Architecture Reference Manual, chapter C4.
static enum kind kind_of(uint32_t word) {
    const int fmla_by_vector = (word & 0xBFA0FC00) == 0x0E20CC00, fmla_by_element = (word & 0xBF80F400) == 0x0F801000;
    // The same of 16-bit floats.
    const int half_by_vector = (word & 0xBFE0FC00) == 0x0E400C00, half_by_element = (word & 0xBFC0F400) == 0x0F001000;
    if (fmla_by_vector || fmla_by_element || half_by_vector || half_by_element) return MULTIPLY_ADD;
    if ((word >> 25 & 7) == 7) return VECTOR;
    if ((word >> 25 & 5) == 4) return word >> 26 & 1 ? VECTOR_LOAD : LOAD_STORE;
    return OTHER;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
    (void)id;
    uint64_t here[KINDS] = {0};
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(block, i)), sizeof word);
        here[kind_of(word)]++;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (here[kind] > 0) qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &counts[kind], here[kind]);
    }
}

static void ended(plugin_id id, void *object) {
    (void)id, (void)object;
    fputs("{", stderr);
    for (int kind = 0; kind < KINDS; kind++) {
        fprintf(stderr, "%s\"%s\": %" PRIu64, kind ? ", " : "", names[kind], counts[kind]);
    }
    fputs("}\n", stderr);
}

__attribute__((visibility("default"))) int qemu_plugin_install(
    plugin_id id, const struct qemu_info *info, int count, char **arguments) {
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
