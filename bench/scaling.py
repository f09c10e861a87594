#!/usr/bin/env python3
"""How cost grows with the graph: epoch time, memory, feature graph and loading from 1 thousand to 2 million nodes.

  bench/scaling.py [--sizes 1000,...,2000000] [--scrl build/scrl] [--out build/scaling.json]

The graphs are made by the program: average degree 10, 50 of 10 000 features per node, hidden sizes 64 and 32. For
the loading curve up to --load-up-to nodes a graph of the same shape is written as text files and read back.
Prints one table, and the exponent b of cost = a n^b fitted over the sizes that have left the caches."""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = "1000,2000,5000,10000,20000,50000,100000,200000,500000,1000000,2000000"
DEGREE, FEATURES, WORDS = 10, 10000, 50


def bench(a, data, *extra):
    done = subprocess.run([a.scrl, "bench", data, "--json", *extra], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return json.loads(done.stdout)["benchmarks"][0]


def write_graph(folder, nodes):
    """A random graph of the same shape: the cost of reading does not depend on what is in it."""
    draw = random.Random(1)
    with open(folder / "edges.tsv", "w") as f:
        f.writelines(f"{i}\t{draw.randrange(nodes)}\n" for i in range(nodes) for _ in range(DEGREE // 2))
    with open(folder / "features.svm", "w") as f:
        for i in range(nodes):
            words = sorted(draw.sample(range(1, FEATURES + 1), WORDS))
            f.write(f"{i} " + " ".join(f"{w}:1" for w in words) + "\n")
    with open(folder / "labels.tsv", "w") as f:
        f.writelines(f"{i}\tc{i % 6}\n" for i in range(nodes))


def loading_ms(a, nodes):
    with tempfile.TemporaryDirectory() as folder:
        write_graph(pathlib.Path(folder), nodes)
        return bench(a, folder, "-m", "mlp", "-n", "1", "--set", "hidden1=8")["load_ms"]


def exponent(points):
    """Slope of the least-squares line through log n, log cost."""
    if len(points) < 2:
        return None
    xs, ys = zip(*((math.log(n), math.log(cost)) for n, cost in points))
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--sizes", default=SIZES)
    p.add_argument("--load-up-to", type=int, default=100000)
    p.add_argument("--cached-up-to", type=int, default=50000, help="sizes above this count for the exponents")
    p.add_argument("--scrl", default="build/scrl")
    p.add_argument("--out", default="build/scaling.json")
    a = p.parse_args()
    out = pathlib.Path(a.out).resolve()
    os.chdir(ROOT)
    rows = []
    print(f"{'nodes':>9} {'entries':>10} {'epoch ms':>10} {'ns/entry':>9} {'peak MB':>8} {'B/entry':>8} "
          f"{'features s':>10} {'loading s':>10}")
    for n in map(int, a.sizes.split(",")):
        epochs = str(max(4, min(30, 2_000_000 // n)))
        b = bench(a, f"demo:nodes={n},degree={DEGREE},features={FEATURES},words={WORDS}", "-n", epochs,
                  "--set", "hidden1=64", "--set", "hidden2=32")
        load = loading_ms(a, n) if n <= a.load_up_to else None
        # An epoch goes through the entries of both graphs and of the features.
        entries = b["edges"] + n * WORDS
        row = {"nodes": n, "entries": entries, "epoch_ms": b["epoch_ms"]["median"], "peak_mb": b["peak_mb"],
               "prepare_ms": b["prepare_ms"], "load_ms": load, "epochs": int(epochs), "threads": b["threads"]}
        rows.append(row)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(rows, indent=1) + "\n")
        print(f"{n:9} {entries:10} {row['epoch_ms']:10.2f} {1e6 * row['epoch_ms'] / entries:9.2f} "
              f"{row['peak_mb']:8.0f} {1e6 * row['peak_mb'] / entries:8.1f} {row['prepare_ms'] / 1e3:10.2f} "
              f"{'' if load is None else f'{load / 1e3:.2f}':>10}", flush=True)
    large = [r for r in rows if r["nodes"] > a.cached_up_to]
    for key, name in (("epoch_ms", "time per epoch"), ("peak_mb", "peak memory"), ("prepare_ms", "feature graph")):
        b = exponent([(r["nodes"], r[key]) for r in large])
        if b is not None:
            print(f"{name} grows as nodes^{b:.2f} above {a.cached_up_to} nodes")
    b = exponent([(r["nodes"], r["load_ms"]) for r in rows if r["load_ms"] and r["nodes"] >= 10000])
    if b is not None:
        print(f"loading grows as nodes^{b:.2f} from 10000 nodes on")


if __name__ == "__main__":
    main()
