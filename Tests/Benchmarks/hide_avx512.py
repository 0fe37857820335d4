"""Copies Python packages, and replaces each `cpuid` instruction of their libraries by a breakpoint.

    python3 hide_avx512.py FOLDER PACKAGE…

With hide_avx512.c loaded, the copies find no AVX-512, as on a processor without it. Packages that are not installed are
left out.
"""
import importlib.util
import pathlib
import shutil
import struct
import subprocess
import sys

CPUID, BREAKPOINT = b"\x0f\xa2", b"\xcc\x90"


def segments(data):
    """The loaded parts of an ELF file: (address, offset, size)."""
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for number in range(count):
        kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, start + number * size)
        if kind == 1:
            yield address, offset, length


def patch(library):
    """Replaces the instructions in a file."""
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(library)], capture_output=True, text=True, check=True).stdout
    places = [int(line.split(":")[0], 16) for line in listing.splitlines() if line.rstrip().endswith("cpuid")]
    data = bytearray(library.read_bytes())
    parts = list(segments(data))
    for place in places:
        offset, = [place - address + begin for address, begin, length in parts if 0 <= place - address < length]
        if data[offset:offset + 2] != CPUID:
            sys.exit(f"{library}: no cpuid at {place:x}")
        data[offset:offset + 2] = BREAKPOINT
    if places:
        library.write_bytes(data)


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        found = importlib.util.find_spec(name)
        if found is None:
            continue
        source = pathlib.Path(found.origin).parent
        shutil.copytree(source, folder / name, dirs_exist_ok=True)
        # The libraries that a wheel brings along lie beside it.
        brought = source.with_name(f"{name}.libs")
        if brought.exists():
            shutil.copytree(brought, folder / brought.name, dirs_exist_ok=True)
        for library in (folder / name).rglob("*.so*"):
            patch(library)


main()
