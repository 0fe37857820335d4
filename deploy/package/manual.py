#!/usr/bin/env python3
"""Writes the man pages from the program's help and from the shipped configuration.

    manual.py dump.json config.toml version date folder

dump.json is the output of the program's `--experimental-dump-help`. There is a page for each command, and one for the
configuration, such as spotter.toml(5).
"""

import json
import pathlib
import re
import sys

# What the help does not say: the page of the configuration, and the files of an installed program.
PROGRAMS = {
    "spotter": {
        "configuration": "spotter.toml",
        "title": "Spotter's configuration",
        "reading": "The service reads \\fI/etc/spotter/config.toml\\fR, then the files "
        "\\fI/etc/spotter/conf.d/*.toml\\fR in the order of their names; a later value replaces an earlier one. "
        "The environment overrides both: \\fBSPOTTER_MQTT_HOST\\fR stands for \\fBhost\\fR in \\fB[mqtt]\\fR. "
        "Unknown keys are errors.\n.PP\n\\fBspotter config check\\fR says what is wrong, \\fBspotter config show\\fR "
        "what holds and where it comes from.\n",
        "files": [
            ("\\fI/etc/spotter/config.toml\\fR", "the configuration, see\n.BR spotter.toml (5)"),
            ("\\fI/etc/spotter/conf.d/*.toml\\fR", "overrides, read after it in the order of their names"),
            ("\\fI/etc/spotter/credentials/mqtt\\-password\\fR", "the broker's password; only root can read it"),
            ("\\fI/var/lib/spotter/spotter.db\\fR", "the history"),
            ("\\fI/usr/share/spotter\\fR", "the networks"),
        ],
    },
    "spotter-sink": {
        "configuration": "spotter-sink.toml",
        "title": "The configuration of spotter-sink",
        "reading": "The service reads \\fI/etc/spotter\\-sink/sink.toml\\fR. The environment overrides it: "
        "\\fBSPOTTER_SINK_MQTT_HOST\\fR stands for \\fBhost\\fR in \\fB[mqtt]\\fR. Unknown keys are errors.\n.PP\n"
        "\\fBspotter\\-sink config check\\fR says what is wrong, \\fBspotter\\-sink config show\\fR what holds.\n",
        "files": [
            ("\\fI/etc/spotter\\-sink/sink.toml\\fR", "the configuration, see\n.BR spotter\\-sink.toml (5)"),
            ("\\fI/etc/spotter\\-sink/environment\\fR", "variables of the service, where there are any"),
            ("\\fI/etc/spotter\\-sink/credentials\\fR", "passwords and keys; only the service's user can read them"),
            ("\\fI/etc/spotter\\-sink/credentials/pgpass\\fR", "PostgreSQL's password, where it asks for one"),
        ],
    },
}


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


def command_page(program, command, version, date):
    path = f"{program} {command['commandName']}"
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
    text += discussion(after)
    return text + f".SH SEE ALSO\n{reference(program, 1)},\n{reference(settings_name(program), 5)}\n"


def settings_name(program):
    return PROGRAMS[program]["configuration"]


def reference(name, section):
    return f".BR {escape(name)} ({section})"


def main_page(program, command, version, date):
    before, after = split(command.get("discussion", ""))
    text = page(program, 1, command["abstract"], version, date)
    text += f".SH SYNOPSIS\n{synopsis(program, command)}\n.SH DESCRIPTION\n{escape(command['abstract'])}\n"
    if before:
        text += ".PP\n" + discussion(before)
    commands = [one for one in shown(command, "subcommands") if one["commandName"] != "help"]
    text += ".SH COMMANDS\n" + listing(
        [(reference(f"{program}-{one['commandName']}", 1), escape(one["abstract"])) for one in commands]
    )
    text += discussion(after)
    text += ".SH FILES\n" + listing(PROGRAMS[program]["files"])
    return text + f".SH SEE ALSO\n{reference(settings_name(program), 5)}\n"


def configuration_page(program, config, version, date):
    """Writes the page from the shipped file: every key with its default and a comment, beside it or above it."""
    text = page(settings_name(program), 5, PROGRAMS[program]["title"], version, date)
    text += f".SH DESCRIPTION\n{PROGRAMS[program]['reading']}"
    above = []
    for line in config.split("\n"):
        header = re.match(r"\[+(\w+)\]+", line)
        key = re.match(r"(\w+) = (.*?)(?:\s+#\s*(.*))?$", line)
        if line.startswith("# "):
            above.append(line[2:])
            continue
        if header:
            text += f".SH {escape('[[' + header[1] + ']]' if line.startswith('[[') else '[' + header[1] + ']')}\n"
        elif key:
            text += f".TP\n\\fB{escape(key[1])}\\fR = {escape(key[2])}\n{escape(key[3] or ' '.join(above))}\n"
        above = []
    return text + f".SH SEE ALSO\n{reference(program, 1)},\n{reference(program + '-config', 1)}\n"


def main():
    dump, config, version, date, folder = sys.argv[1:]
    command = json.loads(pathlib.Path(dump).read_text())["command"]
    program, folder = command["commandName"], pathlib.Path(folder)
    pages = {f"{program}.1": main_page(program, command, version, date)}
    for one in shown(command, "subcommands"):
        if one["commandName"] != "help":
            pages[f"{program}-{one['commandName']}.1"] = command_page(program, one, version, date)
    pages[f"{settings_name(program)}.5"] = configuration_page(
        program, pathlib.Path(config).read_text(), version, date)
    for file, text in pages.items():
        (folder / file).write_text(re.sub(r"\n{2,}", "\n", text))


if __name__ == "__main__":
    main()
