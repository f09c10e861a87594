#!/usr/bin/env python3
"""Draws docs/figures/speed.svg from the table of epoch times in docs/benchmarks.md, which ./dev bench printed.

  bench/speed_chart.py [--check]        --check: only say whether the file is the chart of the table

One row per graph, one dot per program: how many times as long as scrl it takes, on a logarithmic axis."""
import argparse
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHART = ROOT / "docs/figures/speed.svg"
PROGRAMS = {  # column of the table: name, colour (Okabe and Ito), shape
    "tuned": ("fastest PyTorch we could write", "#0072b2", "square"),
    "sparse": ("PyTorch, sparse features", "#009e73", "circle"),
    "dense": ("PyTorch, dense features", "#e69f00", "triangle"),
    "pyg": ("PyTorch Geometric", "#d55e00", "diamond"),
}
WIDTH, LEFT, RIGHT, TOP, ROW = 760, 110, 40, 92, 34
TICKS = [1, 2, 5, 10, 20, 40]


def ratios():
    """{data set: {program: ratio}} of the table."""
    text = (ROOT / "docs/benchmarks.md").read_text().partition("<!-- speed -->")[2].partition("<!-- /speed -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    head, _, *body = rows
    return {row[0]: {p: float(row[head.index(f"{p} / scrl")]) for p in PROGRAMS} for row in body}


def x_of(ratio):
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio) / math.log(TICKS[-1])


def mark(shape, x, y, colour):
    paths = {"square": "M-5 -5H5V5H-5Z", "triangle": "M0 -6.5L6.5 5H-6.5Z", "diamond": "M0 -7L7 0L0 7L-7 0Z",
             "circle": "M-5.5 0A5.5 5.5 0 1 1 5.5 0A5.5 5.5 0 1 1 -5.5 0Z"}
    return f'<path d="{paths[shape]}" transform="translate({x:.1f} {y:.1f})" fill="{colour}"/>'


def text(x, y, what, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{what}</text>'


def chart(table):
    bottom = TOP + ROW * len(table)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 44}" font-family="sans-serif" '
           'font-size="13" fill="#222222" role="img">',
           "<title>Time per epoch of PyTorch programs, as a multiple of that of scrl</title>",
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           text(16, 24, "Time per epoch, as a multiple of scrl (logarithmic)", more=' font-size="16" font-weight="bold"')]
    for i, (name, colour, shape) in enumerate(PROGRAMS.values()):
        x, y = LEFT + 310 * (i % 2), 48 + 20 * (i // 2)
        out += [mark(shape, x, y - 4.5, colour), text(x + 14, y, name)]
    for tick in TICKS:
        line = ' stroke="#222222" stroke-width="1.5"' if tick == 1 else ' stroke="#dddddd"'
        out += [f'<path d="M{x_of(tick):.1f} {TOP}V{bottom}"{line}/>', text(x_of(tick), bottom + 18, tick, "middle")]
    out.append(text(x_of(1), bottom + 36, "1: scrl", "middle"))
    for i, (data, row) in enumerate(table.items()):
        y = TOP + ROW * (i + 0.5)
        out.append(text(LEFT - 12, y + 4.5, data, "end"))
        # Those further right first, so that two that touch are both seen.
        for program in sorted(row, key=row.get, reverse=True):
            out.append(mark(PROGRAMS[program][2], x_of(row[program]), y, PROGRAMS[program][1]))
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    made = chart(ratios())
    if parser.parse_args().check:
        if not CHART.exists() or CHART.read_text() != made:
            sys.exit(f"{CHART.relative_to(ROOT)} is not the chart of docs/benchmarks.md; run bench/speed_chart.py")
        return
    CHART.write_text(made)


if __name__ == "__main__":
    main()
