#!/usr/bin/env python3
"""Prints the shape of the sources: shape.py [FOLDER...]

For each target its files and lines, how long its files and functions are, and how much of it is comments. It is a report and
no rule: a long file or function is a reason to look, not to split. The longest are listed.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FUNCTION = re.compile(r"(\s*)(?:@\w+ |[a-z]+(?:\([a-z]+\))? )*(?:func|init)\b")
LISTED = 8


def functions(lines):
    """The line and the length of each function: up to the brace at its own indentation."""
    for start, line in enumerate(lines):
        head = FUNCTION.match(line)
        if not head or line.rstrip().endswith("}"):
            continue
        end = next((n for n in range(start + 1, len(lines)) if lines[n] == head[1] + "}"), None)
        following = next((n for n in range(start + 1, len(lines)) if lines[n].startswith(head[1] + "func ")), len(lines))
        if end is not None and end < following:
            yield start + 1, end - start + 1


def share(sizes, part):
    return sorted(sizes)[min(len(sizes) - 1, int(len(sizes) * part))] if sizes else 0


def main():
    folders = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((ROOT / "Sources").glob("*/*"))
    rows, all_files, all_functions = [], [], []
    for folder in folders:
        sizes, lengths, comments, code = [], [], 0, 0
        for file in sorted(folder.rglob("*.swift")):
            lines = file.read_text().split("\n")
            sizes.append(len(lines))
            filled = [line.strip() for line in lines if line.strip()]
            code, comments = code + len(filled), comments + sum(line.startswith("//") for line in filled)
            name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
            all_files.append((len(lines), str(name)))
            for line, length in functions(lines):
                lengths.append(length)
                all_functions.append((length, f"{name}:{line}"))
        if sizes:
            rows.append((folder.name, len(sizes), sum(sizes), share(sizes, .5), share(sizes, .9), max(sizes),
                         share(lengths, .5), share(lengths, .95), max(lengths, default=0), 100 * comments // max(1, code)))
    print(f"{'target':22}{'files':>7}{'lines':>8}{'median':>8}{'90 %':>7}{'most':>7}"
          f"{'function':>10}{'95 %':>7}{'most':>7}{'comments':>10}")
    for row in rows:
        print(f"{row[0]:22}{row[1]:7}{row[2]:8,}{row[3]:8}{row[4]:7}{row[5]:7}{row[6]:10}{row[7]:7}{row[8]:7}{row[9]:8} %")
    print(f"{'all':22}{sum(row[1] for row in rows):7}{sum(row[2] for row in rows):8,}")
    for what, entries in (("files", all_files), ("functions", all_functions)):
        print(f"\nThe longest {what}:")
        for size, name in sorted(entries, reverse=True)[:LISTED]:
            print(f"{size:6}  {name}")


main()
