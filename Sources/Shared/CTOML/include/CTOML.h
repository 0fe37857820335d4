#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a value's key stands, or an item of a list, or a fault: line and column, both from 1.
typedef struct {
    uint32_t line, column;
} ctoml_place;

/// What one value is.
typedef enum {
    CTOML_TEXT,
    CTOML_INTEGER,
    CTOML_NUMBER,
    CTOML_FLAG,
    /// A date, a time or both.
    CTOML_TIME,
    /// A table begins; its values follow until CTOML_END.
    CTOML_TABLE,
    /// A list begins; its items follow until CTOML_END.
    CTOML_LIST,
    CTOML_END,
} ctoml_kind;

/// One value, or the end of a table or list. The texts are UTF-8 and live during the call.
typedef struct {
    ctoml_kind kind;
    /// The key in its table; NULL in a list and for CTOML_END.
    const char *key;
    size_t key_count;
    ctoml_place place;
    const char *text;
    size_t text_count;
    int64_t integer;
    double number;
} ctoml_value;

/// Reads a TOML 1.0 file of `count` bytes and hands over its values in order: the content of the outermost table.
///
/// Returns 1. Returns 0 when it is no TOML; then `fault` has the place and `reason`, of `reason_count` bytes, the words.
int ctoml_read(const char *text, size_t count, void *object, void (*take)(void *object, const ctoml_value *value),
               ctoml_place *fault, char *reason, size_t reason_count);

#ifdef __cplusplus
}
#endif
