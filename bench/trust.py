#!/usr/bin/env python3
"""The figures of docs/trust.md: how far calibration, sets, queries, suspects and explanations can be trusted.

usage: bench/trust.py calibration|coverage|query|suspects|explain [options]

  calibration   error before and after the temperature, and by chance alone      --seeds 5 --method auto
  coverage      coverage and size of sets over draws of the calibration nodes    --draws 100 --method scrl
  query         accuracy with 5 labels per class, asked for and by chance        --seeds 5 --method scrl
  suspects      changed labels among as many first suspects                      --seeds 5 --flip 0.1
  explain       seconds of an explanation, loading left out and included         --method auto

Data sets are looked up below $SCRL_DATA; --data names some of them. `coverage` needs build/bench/bench_trust
(cmake --preset release -DSCRL_BENCH=ON, target bench_trust). Runs are kept in build/trust and used again."""
import argparse
import csv
import itertools
import json
import pathlib
import random
import re
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOMOPHILOUS = ["acm", "blogcatalog", "flickr", "uai", "citeseer", "pubmed", "cora-ml", "dblp", "coauthor-cs", "photo"]
GRAPHS = HOMOPHILOUS + ["actor", "chameleon", "texas", "wisconsin"]
CLASSES = {"acm": 3, "blogcatalog": 6, "flickr": 9, "uai": 19, "citeseer": 6, "pubmed": 3, "cora-ml": 7, "dblp": 4,
           "coauthor-cs": 15, "photo": 8, "actor": 5, "chameleon": 5, "texas": 5, "wisconsin": 5}


# The two tiny graphs have no 20 nodes in every class: 48, 32 and 20 percent of the nodes, as in the literature.
SPLIT = {g: ["--split", "random", "--val-share", 0.32, "--test-share", 0.2] for g in ("texas", "wisconsin")}


def rate(data):
    return SPLIT.get(data, ["-l", 20])


def scrl(*args):
    done = subprocess.run([ROOT / "build/scrl", *map(str, args)], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def trained(o, data, seed=0):
    run = ROOT / "build/trust" / f"{data}-{o.method}-{seed}"
    if not (run / "metrics.json").exists():
        scrl("train", data, *rate(data), "-m", o.method, "--seed", seed, "-q", "--force", "-o", run)
    return run


def print_row(*cells):
    print("| " + " | ".join(f"{c:.2f}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


def head(*names):
    print_row(*names)
    print("|---" + "|---:" * (len(names) - 1) + "|", flush=True)


def perfect_error(run, draws=200):
    """The expected calibration error of these probabilities if they were right: few nodes in a bin err by chance."""
    with open(run / "split.csv", newline="") as f:
        test = {row["id"] for row in csv.DictReader(f) if row["part"] == "test"}
    with open(run / "predictions.csv", newline="") as f:
        top = [max(map(float, row[2:])) for row in itertools.islice(csv.reader(f), 1, None) if row[0] in test]
    random_, errors = random.Random(0), []
    for _ in range(draws):
        gap = [0.0] * 15
        for p in top:
            gap[min(int(15 * p), 14)] += p - (random_.random() < p)
        errors.append(100 * sum(map(abs, gap)) / len(top))
    return statistics.mean(errors)


def calibration(o):
    head("graph", "temperature", "error before", "error after", "of right probabilities", "accuracy")
    after = []
    for data in o.data:
        seeds = [json.loads((trained(o, data, s) / "metrics.json").read_text())["per_seed"][0] for s in range(o.seeds)]
        mean = {k: statistics.mean(s["calibration"][k] for s in seeds)
                for k in ("temperature", "error_before", "error_after")}
        accuracy = statistics.mean(s["test"]["accuracy"] for s in seeds)
        after.append(mean["error_after"])
        least = statistics.mean(perfect_error(trained(o, data, s)) for s in range(o.seeds))
        print_row(data, mean["temperature"], mean["error_before"], mean["error_after"], least, accuracy)
    print_row("mean", "", "", statistics.mean(after), "", "")


def coverage(o):
    head("graph", "test nodes", "coverage", "set size", "empty", "score", "APS coverage", "APS set size")
    smaller = 0
    for data in o.data:
        line = subprocess.run([ROOT / "build/bench/bench_trust", str(o.draws), "0.9", trained(o, data)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        r = json.loads(line)
        smaller += r["chosen"]["size"] < r["aps"]["size"]
        print_row(data, r["test_nodes"], f"{r['chosen']['coverage']:.4f}", f"{r['chosen']['size']:.3f}",
                  f"{r['chosen']['empty']:.3f}", r["score"], f"{r['aps']['coverage']:.4f}", f"{r['aps']['size']:.3f}")
    print(f"smaller than APS on {smaller} of {len(o.data)}")


def query(o):
    head("graph", "labels", "query", "random choice", "difference", "area: query", "area: random choice")
    differences = []
    for data in o.data:
        runs = [json.loads(scrl("query", data, "--oracle-labels", "-n", CLASSES[data], "--batches", 5, "--draws", 1,
                                "-m", o.method, "--seed", s, "-q", "--json")) for s in range(o.seeds)]
        last = [r["points"][-1] for r in runs]
        q, r = (statistics.mean(p[k] for p in last) for k in ("query", "random"))
        differences.append(q - r)
        print_row(data, last[0]["labels"], q, r, q - r, statistics.mean(x["query_area"] for x in runs),
                  statistics.mean(x["random_area"] for x in runs))
    print(f"mean difference {statistics.mean(differences):.2f}, below 0 on {sum(d < 0 for d in differences)}")


def suspects(o):
    head("graph", "labels", "changed", "found, percent")
    shares = []
    for data in o.data:
        runs = [json.loads(scrl("suspects", data, "-l", 20, "--flip", o.flip, "--seed", s, "-q", "--json"))
                for s in range(o.seeds)]
        flipped = sum(r["flipped"]["labels"] for r in runs)
        found = sum(r["flipped"]["found_among_as_many"] for r in runs)
        shares.append(100 * found / flipped)
        print_row(data, runs[0]["labels"], runs[0]["flipped"]["labels"], shares[-1])
    print_row("mean", "", "", statistics.mean(shares))


def explain(o):
    head("graph", "nodes explained", "seconds, whole command", "seconds, after loading")
    for data in o.data:
        run = trained(o, data)
        ids = (run / "ids.txt").read_text().split("\n")
        whole, own = [], []
        for k in range(3):
            begin = time.monotonic()
            done = subprocess.run([ROOT / "build/scrl", "explain", run, ids[(k + 1) * len(ids) // 4], "--json"],
                                  check=True, capture_output=True, text=True)
            whole.append(time.monotonic() - begin)
            own.append(float(re.search(r"in ([\d.]+) s", done.stderr).group(1)))
        print_row(data, 3, statistics.median(whole), statistics.median(own))


def main():
    commands = {f.__name__: f for f in (calibration, coverage, query, suspects, explain)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=commands)
    parser.add_argument("--data", nargs="+")
    parser.add_argument("--method")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--flip", type=float, default=0.1)
    o = parser.parse_args()
    o.method = o.method or ("auto" if o.what in ("calibration", "explain") else "scrl")
    o.data = o.data or (HOMOPHILOUS if o.what == "suspects" else GRAPHS)
    commands[o.what](o)


if __name__ == "__main__":
    main()
