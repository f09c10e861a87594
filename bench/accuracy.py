#!/usr/bin/env python3
"""Judges accuracy: methods of scrl and peers of bench/peers on the same nodes of the same graphs.

  SCRL_DATA=... ./dev bench accuracy [--only texas,photo] [-l 20] [--protocol val] [--draws 10] [--threads 1]
  ./dev bench accuracy --self-check          the built-in graph, two draws

A draw is a seed. `scrl train` draws its nodes and writes them down (split.csv in the run folder); the peers train on
those. Every training is one small file below --out, so a judge that was stopped goes on where it was; what another
program, other settings or other nodes trained is trained anew. Prints a table and paired differences in Markdown."""
import argparse
import math
import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench/peers"))
DATA = ("acm citeseer uai blogcatalog flickr pubmed cora-ml photo dblp coauthor-cs actor chameleon texas "
        "wisconsin").split()
METHODS = ("auto scrl scrl-weak scrl-lsa appnp gprgnn sgc h2gcn mlp knn-gcn "  # auto and its members, which come with it
           "gcn gat grand logreg label-propagation correct-smooth").split()


def judge_all(judge, a):
    """{data: {(side, method): {seed: accuracy}}}, and what failed."""
    who = [("scrl", m) for m in a.methods] + [("peer", m) for m in a.peers]
    results, failed = {}, []
    for data in a.only:
        results[data] = {w: {} for w in who}
        for seed in range(a.seed, a.seed + a.draws):
            for w in who:
                try:
                    accuracy = judge.cell(w, data, seed)
                except Exception as error:  # one that fails leaves the others their figures
                    failed.append(f"{data} seed {seed} {' '.join(w)}: {type(error).__name__}: {error}")
                    print(f"accuracy.py: {failed[-1]}", file=sys.stderr, flush=True)
                    continue
                if accuracy is not None:
                    results[data][w][seed] = accuracy
        judge.write(judge.out / f"accuracy-{a.labels}-{a.protocol}.md", report(results, a).encode())
    return results, failed


def markdown(head, rows):
    line = lambda cells: "| " + " | ".join(cells) + " |"
    return "\n".join([line(head), "|---" + "|---:" * (len(head) - 1) + "|", *map(line, rows)])


def accuracies(results, a):
    """A row per method, best of a column in bold; (n): fewer draws than asked for."""
    who = list(next(iter(results.values())))
    means = {w: [statistics.mean(r[w].values()) if r[w] else None for r in results.values()] for w in who}
    for w, row in means.items():
        row.append(None if None in row else statistics.mean(row))
    best = [max((round(v, 2) for v in column if v is not None), default=None) for column in zip(*means.values())]
    rows = []
    for w, row in means.items():
        draws = [len(r[w]) for r in results.values()] + [a.draws]
        cells = ["-" if v is None else f"**{v:.2f}**" if round(v, 2) == top else f"{v:.2f}"
                 for v, top in zip(row, best)]
        rows.append([" ".join(w), *(c if n in (0, a.draws) else f"{c} ({n})" for c, n in zip(cells, draws))])
    return markdown(["", *results, "mean"], rows)


def differences(results, a):
    """The judged method minus the peer that is best on average over the draws, which favours the peer."""
    rows, all_means, all_squares = [], [], []
    for data, result in results.items():
        mine = result.get(("scrl", a.judged), {})
        peers = {w: statistics.mean(v[seed] for seed in mine) for w, v in result.items()
                 if w[0] == "peer" and mine and mine.keys() <= v.keys()}
        if not peers:
            rows.append([data, "-", "-", "-", "-", "0"])
            continue
        best = max(peers, key=peers.get)
        paired = [mine[seed] - result[best][seed] for seed in mine]
        error = statistics.stdev(paired) / math.sqrt(len(paired)) if len(paired) > 1 else math.nan
        all_means.append(statistics.mean(paired))
        all_squares.append(error ** 2)
        rows.append([data, best[1], f"{peers[best]:.2f}", f"{statistics.mean(mine.values()):.2f}",
                     f"{all_means[-1]:+.2f} ± {error:.2f}", str(len(paired))])
    if len(all_means) == len(results) > 1:
        rows.append(["mean", "", "", "", f"{statistics.mean(all_means):+.2f} ± "
                     f"{math.sqrt(sum(all_squares)) / len(all_squares):.2f}", ""])
    return markdown(["data", "best peer", "its mean", a.judged, "difference", "draws"], rows)


def report(results, a):
    return (f"Accuracy in percent on the test nodes, {a.labels} labels per class, protocol {a.protocol}, mean of "
            f"{a.draws} draws:\n\n{accuracies(results, a)}\n\n`scrl {a.judged}` minus the best peer of each data set "
            f"on the same draws, mean ± standard error:\n\n{differences(results, a)}\n")


def arguments(words=None):
    from accuracy_settings import SETTINGS
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = lambda text: [n for n in text.split(",") if n]
    p.add_argument("--only", type=names, default=DATA, help="data sets, separated by commas; default: all 14")
    p.add_argument("--methods", type=names, default=METHODS, help="of scrl; NAME or NAME:KEY=VALUE:KEY=VALUE")
    p.add_argument("--peers", type=names, default=list(SETTINGS), help=f"default: {','.join(SETTINGS)}")
    p.add_argument("--judged", default="auto", help="the method of scrl whose differences are shown")
    p.add_argument("-l", "--labels", type=int, default=20, help="training nodes per class")
    p.add_argument("--protocol", choices=("val", "fixed"), default="val")
    p.add_argument("--draws", type=int, default=10)
    p.add_argument("--seed", type=int, default=0, help="of the first draw; the others follow")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--epochs", type=int, default=0, help="of the peers; 0: up to 500 under val, 200 under fixed")
    p.add_argument("--scrl", default=str(ROOT / "build/scrl"))
    p.add_argument("--out", default=str(ROOT / "build/accuracy"), help="folder of what was trained and of the tables")
    p.add_argument("--no-train", action="store_true", help="show what there is")
    p.add_argument("--any-build", action="store_true", help="take what another build of scrl trained")
    p.add_argument("--self-check", action="store_true", help="a quick test of this program on the built-in graph")
    a = p.parse_args(words)
    unknown = [n for n in a.peers if n not in SETTINGS]
    if unknown or a.draws < 1 or not a.only:
        p.error(f"no peer {', '.join(unknown)}" if unknown else "expected at least one draw and one data set")
    return a


def main():
    a = arguments()
    for library in ("OMP", "MKL", "OPENBLAS"):  # read when PyTorch and NumPy are loaded
        os.environ[f"{library}_NUM_THREADS"] = str(a.threads)
    import accuracy_judge
    if a.self_check:
        import accuracy_check
        return accuracy_check.run(a.scrl, a.threads)
    for data in a.only:
        accuracy_judge.accuracy_data.locate(data)  # a wrong name is told at once, not after hours
    results, failed = judge_all(accuracy_judge.Judge(a), a)
    print(report(results, a), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("accuracy.py: stopped; the same command goes on from here")
