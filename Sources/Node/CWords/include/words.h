#pragma once

/// One file of the folder Sources/Node/Words: what people read, in one language.
struct words_file {
    /// The language's code, such as `de`.
    const char *language;
    /// The JSON.
    const unsigned char *bytes;
    /// The number of bytes.
    unsigned long size;
};

/// All languages; `count` receives how many there are.
const struct words_file *words_files(unsigned long *count);
