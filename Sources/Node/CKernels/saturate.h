// The peak rate of multiply-adds.

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
