// Hides AVX-512 from libraries whose `cpuid` instructions hide_avx512.py replaced by breakpoints. Load it with LD_PRELOAD.
//
// At each breakpoint it asks the processor itself, clears the bits of AVX-512 and of what needs it, and goes on.
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

/// Bits of leaf 7, subleaf 0: F, DQ, IFMA, PF, ER, CD, BW, VL in EBX; VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ in ECX; 4VNNIW,
/// 4FMAPS, VP2INTERSECT, AMX (3), FP16 in EDX. Subleaf 1: AVX-VNNI and BF16 in EAX. (Intel's manual, volume 2A, CPUID.)
enum {
    hidden_ebx = 1 << 16 | 1 << 17 | 1 << 21 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 30 | (int)(1u << 31),
    hidden_ecx = 1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14,
    hidden_edx = 1 << 2 | 1 << 3 | 1 << 8 | 1 << 22 | 1 << 23 | 1 << 24 | 1 << 25,
    hidden_eax = 1 << 4 | 1 << 5,
};

static volatile sig_atomic_t was_asked;

static void answer(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned leaf = (unsigned)registers[REG_RAX], subleaf = (unsigned)registers[REG_RCX];
    unsigned eax, ebx, ecx, edx;
    __cpuid_count(leaf, subleaf, eax, ebx, ecx, edx);
    if (leaf == 7) was_asked = 1;
    if (leaf == 7 && subleaf == 0) {
        ebx &= ~(unsigned)hidden_ebx;
        ecx &= ~(unsigned)hidden_ecx;
        edx &= ~(unsigned)hidden_edx;
    }
    if (leaf == 7 && subleaf == 1) eax &= ~(unsigned)hidden_eax;
    registers[REG_RAX] = eax;
    registers[REG_RBX] = ebx;
    registers[REG_RCX] = ecx;
    registers[REG_RDX] = edx;
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (sigaction(SIGTRAP, &action, NULL) != 0) abort();
    // Spotter and other programs that are started need nothing of this.
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
    if (was_asked) return;
    fprintf(stderr, "hide_avx512: no library asked the processor, so nothing was hidden\n");
    _exit(1);
}
