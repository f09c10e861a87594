#!/usr/bin/env python3
"""DeepWalk and LINE of scrl against gensim's Word2Vec: units per second, and how well the vectors classify.

  skipgram.py [--data citeseer blogcatalog] [--repeat 3] [--passes 1] [--walks 10] [--length 80] [--window 10] [--dim 128]
  skipgram.py --line [--samples 10000000] [--negative 5] ...

Needs gensim and scikit-learn (venv.sh installs them) and build/bench/bench_walks (cmake -DSCRL_BENCH=ON). Both sides
have the same number of walks of the same length, the same window and size of vectors, hierarchical softmax
alone, no subsampling. gensim trains on walks that are made before its clock starts, the same in every
pass; scrl makes new ones in every pass within its time. Runs alternate; the medians are printed.
With --line it is LINE of second order: gensim's sentences are then drawn edges, two words each, of which either
predicts the other against as many noise words, and a unit is such a sample; without, a unit is a token of a walk.
Time is that of training alone; "cpu" is processor time of all threads, which other programs disturb less.
Accuracy: one-against-rest logistic regression on 20 labels per class, mean over ten random draws."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from gensim.models import Word2Vec
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import export

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def read(name):
    """Labels, and the adjacency without loops."""
    files = export.read_files(export.find(name))
    one = lambda ending: next(r for n, r in sorted(files.items()) if n.endswith(ending))
    labels = export.numbers(one(".label")())
    edges = export.numbers(one(".edge")()).reshape(-1, 2)
    A = export.adjacency(edges[edges[:, 0] != edges[:, 1]], len(labels), "binary")
    A.sort_indices()
    return labels, A


def random_walks(A, walks, length, seed):
    rng, degree = np.random.default_rng(seed), np.diff(A.indptr)
    joined = np.flatnonzero(degree > 0)
    rows = []
    for _ in range(walks):
        at = rng.permutation(joined)
        steps = [at]
        for _ in range(length - 1):
            at = A.indices[A.indptr[at] + (rng.random(len(at)) * degree[at]).astype(np.int64)]
            steps.append(at)
        rows.append(np.stack(steps, 1))
    names = np.array([str(i) for i in range(A.shape[0])], dtype=object)
    return [list(names[w]) for w in np.concatenate(rows)]


def drawn_edges(A, samples, seed):
    ends = np.stack([np.repeat(np.arange(A.shape[0]), np.diff(A.indptr)), A.indices], 1)
    names = np.array([str(i) for i in range(A.shape[0])], dtype=object)
    return names[ends[np.random.default_rng(seed).integers(len(ends), size=samples // 2)]].tolist()


def with_gensim(sentences, nodes, o, workers, seed):
    loss = dict(window=1, hs=0, negative=o.negative) if o.line else dict(window=o.window, hs=1, negative=0)
    model = Word2Vec(vector_size=o.dim, min_count=0, sg=1, sample=0, workers=workers, epochs=o.passes, seed=seed,
                     alpha=0.025, min_alpha=2.5e-6 if o.line else 1e-4, **loss)
    model.build_vocab(sentences)
    wall, cpu = time.perf_counter(), time.process_time()
    model.train(sentences, total_examples=model.corpus_count, epochs=o.passes)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    vectors = np.zeros((nodes, o.dim), np.float32)
    for i in range(nodes):
        if str(i) in model.wv:
            vectors[i] = model.wv[str(i)]
    return vectors, {"seconds": wall, "cpu": cpu, "units": sum(map(len, sentences)) * o.passes}


def with_scrl(data, nodes, o, threads, seed):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "vectors.f32")
        options = ("walks", "length", "window", "dim", "passes")
        if o.line:
            options = ("negative", "dim", "passes")
        method = ["method=line2", f"samples={o.samples * o.passes}"] if o.line else ["method=deepwalk"]
        done = subprocess.run([o.program, data, out, *method, f"threads={threads}", f"seed={seed}"] +
                              [f"{k}={getattr(o, k)}" for k in options], check=True, capture_output=True, text=True)
        return np.fromfile(out, np.float32).reshape(nodes, o.dim), json.loads(done.stdout)


def accuracy(vectors, labels, draws=10):
    scores = []
    for draw in range(draws):
        order = np.random.default_rng(draw).permutation(len(labels))
        train = np.concatenate([order[labels[order] == c][:20] for c in range(labels.max() + 1)])
        test = np.setdiff1d(order, train)
        fitted = OneVsRestClassifier(LogisticRegression(solver="liblinear")).fit(vectors[train], labels[train])
        scores.append(100 * (fitted.predict(vectors[test]) == labels[test]).mean())
    return statistics.mean(scores)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--data", nargs="+", default=["citeseer", "blogcatalog"])
    p.add_argument("--program", default=str(ROOT / "build/bench/bench_walks"))
    p.add_argument("--line", action="store_true")
    for name, value in (("repeat", 3), ("passes", 1), ("walks", 10), ("length", 80), ("window", 10), ("dim", 128),
                        ("samples", 10000000), ("negative", 5)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    o = p.parse_args()
    warnings.filterwarnings("ignore")
    for data in o.data:
        labels, A = read(data)
        seen = {}
        for seed in range(1, o.repeat + 1):
            sentences = drawn_edges(A, o.samples, seed) if o.line else random_walks(A, o.walks, o.length, seed)
            for threads in o.threads:
                for name, run in (("gensim", lambda: with_gensim(sentences, len(labels), o, threads, seed)),
                                  ("scrl", lambda: with_scrl(data, len(labels), o, threads, seed))):
                    vectors, report = run()
                    score = accuracy(vectors, labels)
                    seen.setdefault((name, threads), []).append(
                        (report["units"] / report["seconds"], report["units"] / report["cpu"], score))
                    print(f"  {data} seed {seed} {name} {threads} threads: {report['seconds']:.1f} s, {score:.1f} %",
                          file=sys.stderr, flush=True)
        what = f"{o.samples} samples with {o.negative} noise nodes" if o.line else \
            f"{o.walks} walks of {o.length}, window {o.window}"
        unit = "samples" if o.line else "tokens"
        print(f"{data}: {what}, {o.dim} dimensions, {o.passes} passes")
        print(f"| program | threads | {unit}/s | {unit} per cpu second | accuracy |\n|---|---|---|---|---|")
        for (name, threads), runs in sorted(seen.items(), key=lambda item: item[0][1]):
            wall, cpu = (statistics.median(r[k] for r in runs) for k in range(2))
            mean = statistics.mean(r[2] for r in runs)
            print(f"| {name} | {threads} | {wall:,.0f} | {cpu:,.0f} | {mean:.1f} |", flush=True)


if __name__ == "__main__":
    main()
