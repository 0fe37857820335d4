#!/usr/bin/env python3
"""Writes the man pages from the program's help and from the shipped configuration.

    manual.py dump.json config.toml version date folder

dump.json is the output of `spotter --experimental-dump-help`. There is a page for each command and spotter.toml(5).
"""

import json
import pathlib
import re
import sys


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def name(argument):
    """The notation of an argument: --source SOURCE, -q, FILE."""
    word = escape(argument.get("valueName", ""))
    if argument["kind"] == "positional":
        return f"\\fI{word}\\fR"
    names = [("-" if one["kind"] == "short" else "--") + one["name"] for one in argument["names"]]
    names = ", ".join(f"\\fB{escape(one)}\\fR" for one in sorted(names, key=len))
    return names if argument["kind"] == "flag" else f"{names} \\fI{word}\\fR"


def shown(command, key):
    return [one for one in command.get(key, []) if one.get("shouldDisplay", True)]


def arguments(command):
    return shown(command, "arguments")


def synopsis(path, command):
    words = [f".B {escape(path)}"]
    options = [one for one in arguments(command) if one["kind"] != "positional"]
    if options:
        words.append("[\\fIoptions\\fR]")
    for one in arguments(command):
        if one["kind"] == "positional":
            word = name(one) + ("..." if one["isRepeating"] else "")
            words.append(f"[{word}]" if one["isOptional"] else word)
    if shown(command, "subcommands"):
        words.append("\\fIcommand\\fR ...")
    return "\n".join(words)


def listing(entries):
    return "".join(f".TP\n{term}\n{text}\n" for term, text in entries)


def option_list(command):
    entries = []
    for one in arguments(command):
        text = escape(one.get("abstract", "") or " ")
        if one.get("defaultValue"):
            text += f" (default: {escape(one['defaultValue'])})"
        entries.append((name(one), text))
    return listing(entries)


def discussion(text):
    """Lines in capitals become headings, indented lines stay unchanged, all others are filled."""
    out, verbatim = [], False
    for line in text.split("\n"):
        wants = line.startswith(" ")
        if wants != verbatim:
            out.append(".nf\n.RS 2" if wants else ".RE\n.fi")
            verbatim = wants
        if re.fullmatch(r"[A-Z ]+", line) and line.strip():
            out.append(f".SH {line}")
        elif not line.strip():
            out.append("" if verbatim else ".PP")
        else:
            out.append(escape(line[2:] if verbatim else line))
    if verbatim:
        out.append(".RE\n.fi")
    return "\n".join(out).replace(".SH EXAMPLES\n.PP", ".SH EXAMPLES") + "\n"


def split(text):
    """The text before the first heading, and the rest."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.fullmatch(r"[A-Z ]+", line) and line.strip():
            return "\n".join(lines[:number]).strip("\n"), "\n".join(lines[number:])
    return text.strip("\n"), ""


def page(title, section, abstract, version, date):
    line = abstract[:1].lower() + abstract[1:]
    return (
        f'.TH "{title.upper()}" {section} "{date}" "Spotter {version}" "Spotter"\n'
        f".SH NAME\n{escape(title)} \\- {escape(line.rstrip('.'))}\n"
    )


def command_page(command, version, date):
    path = f"spotter {command['commandName']}"
    before, after = split(command.get("discussion", ""))
    text = page(path.replace(" ", "-"), 1, command["abstract"], version, date)
    text += f".SH SYNOPSIS\n{synopsis(path, command)}\n"
    text += f".SH DESCRIPTION\n{escape(command['abstract'])}\n"
    if before:
        text += ".PP\n" + discussion(before)
    if arguments(command):
        text += f".SH OPTIONS\n{option_list(command)}"
    for one in shown(command, "subcommands"):
        inner = f"{path} {one['commandName']}"
        text += f".SH {escape(inner.upper())}\n{escape(one['abstract'])}\n.PP\n{synopsis(inner, one)}\n"
        text += option_list(one)
        if one.get("discussion"):
            text += ".PP\n" + discussion(one["discussion"]).replace(".SH ", ".SS ")
    return text + discussion(after) + ".SH SEE ALSO\n.BR spotter (1),\n.BR spotter.toml (5)\n"


def main_page(command, version, date):
    before, after = split(command.get("discussion", ""))
    text = page("spotter", 1, command["abstract"], version, date)
    text += f".SH SYNOPSIS\n{synopsis('spotter', command)}\n.SH DESCRIPTION\n{escape(command['abstract'])}\n"
    if before:
        text += ".PP\n" + discussion(before)
    commands = [one for one in shown(command, "subcommands") if one["commandName"] != "help"]
    text += ".SH COMMANDS\n" + listing(
        [(f".BR spotter\\-{escape(one['commandName'])} (1)", escape(one["abstract"])) for one in commands]
    )
    text += discussion(after)
    text += ".SH FILES\n" + listing(
        [
            ("\\fI/etc/spotter/config.toml\\fR", "the configuration, see\n.BR spotter.toml (5)"),
            ("\\fI/etc/spotter/conf.d/*.toml\\fR", "overrides, read after it in the order of their names"),
            ("\\fI/etc/spotter/credentials/mqtt\\-password\\fR", "the broker's password; only root can read it"),
            ("\\fI/var/lib/spotter/spotter.db\\fR", "the history"),
            ("\\fI/usr/share/spotter\\fR", "the networks"),
        ]
    )
    return text + ".SH SEE ALSO\n.BR spotter.toml (5)\n"


def configuration_page(config, version, date):
    """Writes spotter.toml(5) from the shipped file, which has every key with its default and a comment."""
    text = page("spotter.toml", 5, "Spotter's configuration", version, date)
    text += (
        ".SH DESCRIPTION\nThe service reads \\fI/etc/spotter/config.toml\\fR, then the files "
        "\\fI/etc/spotter/conf.d/*.toml\\fR in the order of their names; a later value replaces an earlier one. "
        "The environment overrides both: \\fBSPOTTER_MQTT_HOST\\fR stands for \\fBhost\\fR in \\fB[mqtt]\\fR. "
        "Unknown keys are errors.\n.PP\n\\fBspotter config check\\fR says what is wrong, \\fBspotter config show\\fR "
        "what holds and where it comes from.\n"
    )
    for line in config.split("\n"):
        header = re.match(r"\[+(\w+)\]+", line)
        key = re.match(r"(\w+) = (.*?)(?:\s+#\s*(.*))?$", line)
        if header:
            text += f".SH {escape('[[' + header[1] + ']]' if line.startswith('[[') else '[' + header[1] + ']')}\n"
        elif key:
            text += f".TP\n\\fB{escape(key[1])}\\fR = {escape(key[2])}\n{escape(key[3] or '')}\n"
    return text + ".SH SEE ALSO\n.BR spotter (1),\n.BR spotter\\-config (1)\n"


def main():
    dump, config, version, date, folder = sys.argv[1:]
    command = json.loads(pathlib.Path(dump).read_text())["command"]
    folder = pathlib.Path(folder)
    pages = {"spotter.1": main_page(command, version, date)}
    for one in shown(command, "subcommands"):
        if one["commandName"] != "help":
            pages[f"spotter-{one['commandName']}.1"] = command_page(one, version, date)
    pages["spotter.toml.5"] = configuration_page(pathlib.Path(config).read_text(), version, date)
    for file, text in pages.items():
        (folder / file).write_text(re.sub(r"\n{2,}", "\n", text))


if __name__ == "__main__":
    main()
