#!/usr/bin/env python3
"""House rules that no compiler checks. Prints file:line for every breach and exits with 1.

1. Layering: an #include in src/ names its own folder or one that cmake/layers.cmake names for it; those
   that they name in turn do not count. cli/ and tests/ may use everything; include/ uses nothing but itself.
2. One home: threads only in base/parallel.cc and in serve/, random numbers only from base/rng.h, Highway only in
   kernels/, zlib only in io/, no printing or exiting in src/. Files are read only by io/regular_file.h, JSON
   only by config/json_file.h, and io/paths.h alone asks what exists: there foreign exceptions end.
3. Size: a source file of more than 300 lines says why at its top ("Long because ..."); a folder of more
   than 30 files says why in cmake/layers.cmake ("FOLDER is large because ...").
4. Kernels: each source file in src/kernels has a test and a benchmark of its name."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
breaches = []


def layers():
    text = (ROOT / "cmake/layers.cmake").read_text()
    allowed = {}
    for name, rest in re.findall(r"^scrl_module\((\w+)([^)]*)\)", text, re.M):
        depends = re.search(r"DEPENDS((?:\s+[a-z][a-z0-9]*)+)", rest)
        allowed[name] = {name, *(depends.group(1).split() if depends else [])}
    return allowed, text


# pattern -> (what it is, where it may be)
HOMES = [
    (r"std::(j?thread|async|mutex)\b|#include <(thread|mutex|future|omp\.h)>|#pragma omp", "threads",
     ["src/base/parallel.cc", "src/serve/"]),
    (r"std::(mt19937|random_device|uniform_\w+_distribution|normal_distribution)|\brand\(\)", "random numbers", []),
    (r"#include <hwy/|#include \"hwy/", "Highway", ["src/kernels/", "src/plan/machine_ceilings.cc"]),
    (r"#include <toml\+\+", "the TOML library", ["src/io/"]),
    (r"#include <zlib\.h>", "zlib", ["src/io/"]),
    (r"#include <expat\.h>", "the XML library", ["src/io/xml.cc"]),
    (r"\b[Jj]son::parse\(|Json::exception", "parsing JSON and its exceptions", ["src/config/json_file.cc"]),
    (r"\bstd::i?fstream|\bfopen\(|#include <fstream>", "reading files", ["src/base/memory.cc", "cli/"]),
    (r"\bfs::(exists|is_directory|is_regular_file|absolute|canonical|file_size|resize_file|directory_iterator)\(|"
     r"filesystem::(exists|is_directory|is_regular_file|absolute|canonical|file_size|resize_file)\(",
     "questions to the file system, which throw,", ["src/io/paths.cc"]),
    (r"#include <nlohmann/", "the JSON library", ["src/config/json.h"]),
    (r"\bstd::(cout|cerr|clog)\b|\bprintf\(|fprintf\(|\bexit\(|\babort\(", "printing or exiting", ["cli/"]),
]


def check_file(path, allowed):
    name = str(path.relative_to(ROOT))
    lines = path.read_text().splitlines()
    if len(lines) > 300 and not any("Long because" in line for line in lines[:20]):
        breaches.append(f"{name}:1: {len(lines)} lines; split it, or say at its top why not: \"Long because ...\"")
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
NO_KERNELS = {"attention_rows", "gemm_kernel", "hidden_rows", "reference", "reference_edges",
              "reference_map", "reference_maps", "simd", "spmm_strips"}


def check_kernels():
    for source in sorted((ROOT / "src/kernels").glob("*.cc")):
        if source.stem in NO_KERNELS:
            continue
        for wanted in (f"tests/kernels/{source.stem}_test.cc", f"bench/kernels/{source.stem}_bench.cc"):
            if not (ROOT / wanted).exists():
                breaches.append(f"src/kernels/{source.name}:1: {wanted} is missing")


def main():
    allowed_by, layer_text = layers()
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.cc", "*.h"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        parts = pathlib.PurePath(name).parts
        if not (ROOT / name).exists():
            continue
        allowed = allowed_by.get(parts[1], set()) if parts[0] == "src" else set() if parts[0] == "include" else None
        check_file(ROOT / name, allowed)
    for folder in sorted((ROOT / "src").iterdir()):
        count = sum(1 for _ in folder.iterdir())
        if count > 30 and f"{folder.name} is large because" not in layer_text:
            breaches.append(f"cmake/layers.cmake:1: src/{folder.name} has {count} files; split it, or say why it is large")
    check_kernels()
    print("\n".join(breaches) or f"{len(listed)} files keep the layers and the house rules")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
