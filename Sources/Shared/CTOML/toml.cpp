#include "CTOML.h"

#include <cstdio>
#include <string_view>

/// Thrown where the parser fails an assertion of its own, which it does on some files that are no TOML.
struct failed_assertion {};

#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? void() : throw failed_assertion{})
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#define TOML_UNDEF_MACROS 0
#include <toml++/toml.h>

namespace {

struct reader {
    void *object;
    void (*take)(void *object, const ctoml_value *value);

    ctoml_value value(ctoml_kind kind, const toml::key *key, const toml::node &node) const {
        ctoml_value value{};
        value.kind = kind;
        // The key, or the bracket of a table's header before it.
        auto begin = node.source().begin;
        if (key != nullptr && key->source().begin && (!begin || key->source().begin < begin)) begin = key->source().begin;
        value.place = {begin.line, begin.column};
        if (key != nullptr) {
            value.key = key->data();
            value.key_count = key->length();
        }
        return value;
    }

    void end() const {
        ctoml_value value{};
        value.kind = CTOML_END;
        take(object, &value);
    }

    void read(const toml::table &table) const {
        for (auto &&[key, node] : table) read(&key, node);
    }

    void read(const toml::key *key, const toml::node &node) const {
        if (auto table = node.as_table()) {
            auto begin = value(CTOML_TABLE, key, node);
            take(object, &begin);
            read(*table);
            return end();
        }
        if (auto list = node.as_array()) {
            auto begin = value(CTOML_LIST, key, node);
            take(object, &begin);
            for (auto &&item : *list) read(nullptr, item);
            return end();
        }
        auto single = value(CTOML_TIME, key, node);
        if (auto text = node.as_string()) {
            single.kind = CTOML_TEXT;
            single.text = text->get().data();
            single.text_count = text->get().size();
        } else if (auto integer = node.as_integer()) {
            single.kind = CTOML_INTEGER;
            single.integer = integer->get();
        } else if (auto number = node.as_floating_point()) {
            single.kind = CTOML_NUMBER;
            single.number = number->get();
        } else if (auto flag = node.as_boolean()) {
            single.kind = CTOML_FLAG;
            single.integer = flag->get();
        }
        take(object, &single);
    }
};

}  // namespace

int ctoml_read(const char *text, size_t count, void *object, void (*take)(void *object, const ctoml_value *value),
               ctoml_place *fault, char *reason, size_t reason_count) {
    try {
        const toml::table table = toml::parse(std::string_view(text, count));
        reader{object, take}.read(table);
        return 1;
    } catch (const toml::parse_error &error) {
        *fault = {error.source().begin.line, error.source().begin.column};
        std::snprintf(reason, reason_count, "%.*s", (int)error.description().size(), error.description().data());
    } catch (const failed_assertion &) {
        *fault = {0, 0};
        std::snprintf(reason, reason_count, "this is not TOML");
    } catch (const std::exception &error) {
        *fault = {1, 1};
        std::snprintf(reason, reason_count, "%s", error.what());
    }
    return 0;
}
