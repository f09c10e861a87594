#!/usr/bin/env python3
"""House rules that no compiler checks. Prints file:line for every breach and exits with 1.

1. Layering: an #include in src/ names its own folder or one that cmake/layers.cmake declares for it,
   directly or through others. cli/ and tests/ may use everything; include/ uses nothing but itself.
2. One home: threads only in base/parallel.cc, random numbers only from base/rng.h, Highway only in
   kernels/, zlib only in io/, no printing or exiting in src/.
3. Size: a source file above 400 lines holds more than one idea.
4. Kernels: each source file in src/kernels has a test and a benchmark of its name."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
breaches = []


def layers():
    text = (ROOT / "cmake/layers.cmake").read_text()
    direct = {}
    for name, rest in re.findall(r"^scrl_module\((\w+)([^)]*)\)", text, re.M):
        depends = re.search(r"DEPENDS((?:\s+[a-z]+)+)", rest)
        direct[name] = depends.group(1).split() if depends else []
    reachable = {}
    for name in direct:  # declared in order, so dependencies are complete already
        reachable[name] = {name}.union(*(reachable[d] for d in direct[name]))
    return reachable


# pattern -> (what it is, where it may be)
HOMES = [
    (r"std::(j?thread|async|mutex)\b|#include <(thread|mutex|future|omp\.h)>|#pragma omp", "threads",
     ["src/base/parallel.cc"]),
    (r"std::(mt19937|random_device|uniform_\w+_distribution|normal_distribution)|\brand\(\)", "random numbers", []),
    (r"#include <hwy/|#include \"hwy/", "Highway", ["src/kernels/"]),
    (r"#include <zlib\.h>", "zlib", ["src/io/"]),
    (r"#include <nlohmann/", "the JSON library", ["src/app/", "src/report/", "src/study/"]),
    (r"\bstd::(cout|cerr|clog)\b|\bprintf\(|fprintf\(|\bexit\(|\babort\(", "printing or exiting", ["cli/"]),
]


def check_file(path, allowed):
    name = str(path.relative_to(ROOT))
    lines = path.read_text().splitlines()
    if len(lines) > 400:
        breaches.append(f"{name}:1: {len(lines)} lines; split it, a file is one idea (at most 400)")
    in_source = name.startswith(("src/", "include/", "cli/"))
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        include = re.match(r'#include "(\w+)/', code)
        if include and allowed is not None and include.group(1) not in allowed | {"scrl"}:
            breaches.append(f"{name}:{number}: includes {include.group(1)}/, which cmake/layers.cmake does not declare")
        if in_source:
            for pattern, what, homes in HOMES:
                if re.search(pattern, code) and not name.startswith(tuple(homes)):
                    breaches.append(f"{name}:{number}: {what} belong in {' or '.join(homes) or 'base/rng.h'}")


# Parts of other kernels, and what is no kernel.
NO_KERNELS = {"attention_rows", "gemm_kernel", "hidden_rows", "peaks", "reference", "reference_edges",
              "reference_map", "reference_maps", "simd", "spmm_strips"}


def check_kernels():
    for source in sorted((ROOT / "src/kernels").glob("*.cc")):
        if source.stem in NO_KERNELS:
            continue
        for wanted in (f"tests/kernels/{source.stem}_test.cc", f"bench/kernels/{source.stem}_bench.cc"):
            if not (ROOT / wanted).exists():
                breaches.append(f"src/kernels/{source.name}:1: {wanted} is missing")


def main():
    reachable = layers()
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.cc", "*.h"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        parts = pathlib.PurePath(name).parts
        if not (ROOT / name).exists():
            continue
        allowed = reachable.get(parts[1], set()) if parts[0] == "src" else set() if parts[0] == "include" else None
        check_file(ROOT / name, allowed)
    check_kernels()
    print("\n".join(breaches) or f"{len(listed)} files keep the layers and the house rules")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
