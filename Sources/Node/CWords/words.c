// The words that people read, as parts of the program: one file for each language.
#include "words.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char de[] = {
#embed "../Words/de.json"
};
static const unsigned char en[] = {
#embed "../Words/en.json"
};

static const struct words_file files[] = {
    {"de", de, sizeof de},
    {"en", en, sizeof en},
};

const struct words_file *words_files(unsigned long *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
