#!/usr/bin/env python3
"""Writes docs/options.md from what the program itself says, so that the two cannot drift apart.

usage: make_options_doc.py SCRL [OUT]     without OUT the text goes to stdout

Sources: 'scrl help' (the commands), 'scrl COMMAND --help' (options, ranges, defaults), 'scrl methods
--json' (the methods), and 'scrl methods NAME' (where a method starts from other values than the table)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

OPTION = re.compile(r"^  (?:-(\w), |    )--([A-Za-z0-9-]+)(?: (N|X|TEXT|BOOL))?\s{2,}(.*)$")
KINDS = {"N": "whole number", "X": "number", "TEXT": "text", "BOOL": "true or false", None: "flag"}

HEAD = """# Options

Made by `tools/make_options_doc.py` from the program's own tables; do not edit. A test fails when this
file and the program differ.

Settings of a run can be given as `--key value`, as `--set key=value`, or as `key = value` in a TOML file
named by `--config`. A dash and an underscore in a key are the same. Later wins: the defaults below, the
values a method starts from, `--profile`, `--config`, then the command line from left to right. The run
folder's `config.toml` records every value and who set it. An unknown key or a value out of range is an
error before any data is read.
"""


def run(scrl, *args, cwd=None):
    env = dict(os.environ, SCRL_CACHE="off", NO_COLOR="1")
    return subprocess.run([scrl, *args], cwd=cwd, env=env, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def options(help_text):
    """The options of a help text: (letter, name, kind, meaning, allowed, default)."""
    found = []
    for line in help_text.splitlines():
        match = OPTION.match(line)
        if not match:
            continue
        letter, name, kind, meaning = match.groups()
        allowed = default = ""
        notes = re.match(r"^(.*) \(([^()]*)\)$", meaning) if kind else None
        if notes and "default " in notes.group(2):
            meaning, text = notes.groups()
            allowed, _, default = text.rpartition("default ")
            allowed = allowed.removesuffix("; ")
        found.append((letter, name, kind, meaning, allowed, default))
    return found


def paragraph(text):
    """Lines of at most 120 characters; what stands in backquotes is not broken."""
    guarded = re.sub(r"`[^`]*`", lambda match: match.group().replace(" ", "\0"), text)
    return "\n".join(textwrap.wrap(guarded, 120, break_long_words=False, break_on_hyphens=False)).replace("\0", " ")


def sentence(text):
    return text[0].upper() + text[1:] + "."


def table(rows):
    lines = ["| option | value | default | meaning |", "|---|---|---|---|"]
    for letter, name, kind, meaning, allowed, default in rows:
        option = f"`-{letter}`, `--{name}`" if letter else f"`--{name}`"
        value = KINDS[kind] if not allowed else allowed if kind == "TEXT" else f"{KINDS[kind]}, {allowed}"
        lines.append(f"| {option} | {value} | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join(lines).replace("<TAB>", "TAB") + "\n"


def own_values(scrl, method):
    """What a method sets besides its own options: (key, value)."""
    text = run(scrl, "methods", method).partition("\nother settings it starts from:")[2]
    return re.findall(r"(\w+)=(\S+)", text)


def members(scrl):
    """The table of members that 'scrl methods auto' prints."""
    lines = run(scrl, "methods", "auto").partition("\n  member")[2].splitlines()
    return "".join(line.rstrip() + "\n" for line in ["  member" + lines[0], *lines[1:]])


def settings_of(scrl, method):
    """The settings that a method takes, without its own options."""
    own = {o[1] for o in options(run(scrl, "methods", method))}
    text = run(scrl, "train", "-m", method, "--help").partition("\nsettings")[2]
    return [o for o in options(text) if o[1] not in own]


def shared_settings(names, taken, started):
    """What models have in common, with the defaults of the tables: those of a method that has no other."""
    rows = {}
    for name in names:
        changed = {key.replace("_", "-") for key, _ in started[name]}
        for row in taken[name]:
            if row[1] not in rows or (rows[row[1]][1] and row[1] not in changed):
                rows[row[1]] = (row, row[1] in changed)
    longest = max(taken.values(), key=len)
    return [rows[row[1]][0] for row in longest]


def document(scrl):
    parts = [HEAD]
    before = run(scrl, "train", "--help").partition("\nsettings")[0]
    methods = json.loads(run(scrl, "methods", "--json"))["methods"]
    models = [method["name"] for method in methods if method["name"] != "auto"]
    taken = {method["name"]: settings_of(scrl, method["name"]) for method in methods}
    started = {name: own_values(scrl, name) for name in models}
    shared = shared_settings(models, taken, started)
    parts.append("## Settings of every method\n\nMethod auto has some of them, as said there.\n\n" + table(shared))
    for method in methods:
        name = method["name"]
        rows = options(run(scrl, "methods", name))
        parts.append(f"## Method {name}\n\n{sentence(method['summary'])}\n")
        has = [o[1] for o in taken[name]]
        if name == "auto":
            listed = ", ".join(f"`--{key}`" for key in has)
            parts.append(paragraph(f"The default. Of the settings above it has {listed}; its members have their own "
                                   "values of the others.") + f"\n\n```\n{members(scrl)}```\n")
            parts.append(table(rows))
            continue
        fixed = [o[1].replace("-", "_") for o in shared if o[1] not in has]
        default = {o[1].replace("-", "_"): o[5] for o in shared}
        values = [(key, value) for key, value in started[name] if key not in fixed and value != default.get(key)]
        if values:
            listed = ", ".join(f"`{key} = {value}`" for key, value in values)
            parts.append(paragraph(f"Starts from {listed} instead of the defaults above.") + "\n")
        if fixed:
            of_method = dict(started[name])
            listed = ", ".join(f"`{key} = {of_method[key]}`" if key in of_method else f"`{key}`" for key in fixed)
            parts.append(paragraph(f"Part of the method, recorded but not to be changed: {listed}.") + "\n")
        parts.append(table(rows))
    parts.append("## Commands\n")
    # What 'methods' and 'knn' share; the former has no options of its own but --json.
    knn = options(run(scrl, "knn", "--help"))
    common = [o for o in options(run(scrl, "methods", "--help")) if o in knn]
    parts.append("Every command has these options:\n\n" + table(common))
    commands = re.findall(r"(?m)^  (\w+) +(\S.*)$", run(scrl, "help").partition("commands:\n")[2])
    for name, summary in commands:
        text = before if name == "train" else run(scrl, name, "--help")
        usage = re.search(r"(?m)^usage: (.*)$", text)
        if not usage:  # a command without help of its own takes the common options only
            continue
        parts.append(f"### scrl {name}\n\n{sentence(summary)}\n\n```\n{usage.group(1)}\n```\n")
        if own := [o for o in options(text) if o not in common]:
            parts.append(table(own))
    return "\n".join(parts)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    text = document(os.path.abspath(sys.argv[1]))
    if len(sys.argv) == 3:
        pathlib.Path(sys.argv[2]).write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
