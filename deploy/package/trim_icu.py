#!/usr/bin/env python3
"""Removes from the Unicode tables of the Swift runtime what an English-only program never reads.

    trim_icu.py lib_FoundationICU.a tables.s folder-of-llvm-tools

ICU's tables are half of a statically linked program that uses Foundation: every language's names of days, regions and
currencies, its sorting and hyphenation, and converters for old encodings. English and the tables that all languages
share (time zones among them) stay; for any other language ICU falls back to these. The output is an assembler file
that defines the tables for the linker's option --wrap; the symbol to wrap is printed on stdout.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

MEMBER = "icu_packaged_data.cpp.o"
# Bundles that every language needs: top-level ones not named after a language, the roots, the pools.
SHARED = re.compile(r"(root|pool|res_index|en(_.*)?|ucadata|[a-z]+[A-Z0-9]\w*|icustd|icuver|metadata|plurals|units)")
# Whole kinds of tables that the program does not use.
UNUSED = re.compile(r"\.cnv$|\.spp$|\.dict$|\.cfu$|/translit/|/rbnf/|/unames\.icu$|/cnvalias\.icu$")


def tables(library, tools):
    """The contents of the runtime's table directory, and its symbol."""
    with tempfile.TemporaryDirectory() as folder:
        part, raw = pathlib.Path(folder, "part.o"), pathlib.Path(folder, "raw")
        part.write_bytes(subprocess.run([tools + "/llvm-ar", "p", library, MEMBER], capture_output=True, check=True).stdout)
        symbols = subprocess.run([tools + "/llvm-nm", part], capture_output=True, text=True, check=True).stdout
        subprocess.run([tools + "/llvm-objcopy", f"--dump-section=.rodata={raw}", part, "/dev/null"], check=True)
        return re.search(r" R (icudt\d+_dat)$", symbols, re.M)[1], raw.read_bytes()


def entries(data):
    """Name and contents of every table. Format: header, count, offsets of names and contents (udatatst.c)."""
    start = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, start)[0]
    places = [struct.unpack_from("<II", data, start + 4 + 8 * i) for i in range(count)] + [(0, len(data) - start)]
    for (name, first), (_, last) in zip(places, places[1:]):
        end = data.index(b"\0", start + name)
        yield data[start + name : end].decode(), data[start + first : start + last]


def is_wanted(name):
    if UNUSED.search(name):
        return False
    file = name.rsplit("/", 1)[1]
    return not file.endswith(".res") or SHARED.fullmatch(file[:-4]) is not None


def assemble(header, kept):
    """Packs tables into the same format, with contents at multiples of 16."""
    names, offsets = b"", []
    table = 4 + 8 * len(kept)
    for name, _ in kept:
        offsets.append(table + len(names))
        names += name.encode() + b"\0"
    body = bytearray(table) + names
    places = []
    for _, contents in kept:
        body += b"\0" * (-(len(header) + len(body)) % 16)
        places.append(len(body))
        body += contents
    struct.pack_into("<I", body, 0, len(kept))
    for number, pair in enumerate(zip(offsets, places)):
        struct.pack_into("<II", body, 4 + 8 * number, *pair)
    return header + bytes(body)


def main():
    library, output, tools = sys.argv[1:]
    symbol, data = tables(library, tools)
    everything = list(entries(data))
    kept = [entry for entry in everything if is_wanted(entry[0])]
    trimmed = assemble(data[: struct.unpack_from("<H", data)[0]], kept)
    # With the linker's option --wrap every use of the symbol comes here, and the unused original is dropped.
    wrapped = "__wrap_" + symbol
    with open(output + ".bin", "wb") as file:
        file.write(trimmed)
    with open(output, "w") as file:
        file.write(
            f'.section .rodata\n.globl {wrapped}\n.type {wrapped}, %object\n.balign 16\n{wrapped}:\n'
            f'.incbin "{output}.bin"\n.size {wrapped}, . - {wrapped}\n.section .note.GNU-stack,"",%progbits\n'
        )
    print(symbol)
    print(f"{len(kept)} of {len(everything)} tables, {len(trimmed) / 1e6:.1f} of {len(data) / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
