#pragma once

/// One file of the folder Sources/Node/Web/Page.
struct page_file {
    /// Its name, such as `live.js`.
    const char *name;
    /// Its content.
    const unsigned char *bytes;
    /// The number of bytes.
    unsigned long size;
};

/// All files, in the order of their names; `count` receives how many there are.
const struct page_file *page_files(unsigned long *count);
