#!/usr/bin/env python3
"""Writes docs/options.md from what the program itself says, so that the two cannot drift apart.

usage: make_options_doc.py SCRL [OUT]     without OUT the text goes to stdout

Sources: 'scrl help' (the commands), 'scrl COMMAND --help' (options, ranges, defaults), 'scrl methods
--json' (the methods), and the config.toml of a one-epoch run per method (where a method starts from
other values than the table, config.toml says so)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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
    """What a method sets besides its own options, from the record of a tiny run."""
    with tempfile.TemporaryDirectory() as folder:
        run(scrl, "train", "demo:nodes=50", "-m", method, "--set", "epochs=1", "-o", "run", "-q", cwd=folder)
        text = (pathlib.Path(folder) / "run/config.toml").read_text()
    return re.findall(r"(?m)^(\w+) = (.*?) +# profile of ", text)


def document(scrl):
    parts = [HEAD]
    train = run(scrl, "train", "--help")
    before, _, settings = train.partition("\nsettings")
    methods = json.loads(run(scrl, "methods", "--json"))["methods"]
    special = {key.replace("_", "-") for method in methods for key in method["options"]}
    parts.append("## Settings of every method\n\n" + table([o for o in options(settings) if o[1] not in special]))
    for method in methods:
        rows = options(run(scrl, "methods", method["name"]))
        parts.append(f"## Method {method['name']}\n\n{sentence(method['summary'])}\n")
        values = own_values(scrl, method["name"])
        if values:
            listed = ", ".join(f"`{key} = {value}`" for key, value in values)
            parts.append(f"Starts from {listed} instead of the defaults above.\n")
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
