#!/usr/bin/env python3
"""t-SNE of scrl against openTSNE (or, where that is not installed, scikit-learn) on the embeddings of a run.

  tsne.py [--data pubmed] [-m gcn] [--points FILE.npy] [--repeat 3] [--threads 2] [--sample 2000]

Both sides get the same numbers, perplexity 30, 250 steps with exaggeration 12 and 500 without. Runs alternate; the
medians are printed. Time of scrl is that of the whole program, reading and writing included; that of the peer is of
fit() alone, its imports excluded. "cpu" is processor time of all threads, which other programs disturb less.
Quality is computed here, on a sample of the points, for k = 10: trustworthiness, and the share of the k nearest
neighbours that are still among the k nearest in the map. KL is what each program says of its own map."""
import argparse
import hashlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STEPS, EARLY, PERPLEXITY = 750, 250, 30

try:
    import openTSNE
    PEER = f"openTSNE {openTSNE.__version__}"
except ImportError:
    import sklearn
    from sklearn.manifold import TSNE
    PEER = f"scikit-learn {sklearn.__version__}"


def with_peer(X, threads):
    wall, cpu = time.perf_counter(), time.process_time()
    if PEER.startswith("openTSNE"):
        fitted = openTSNE.TSNE(perplexity=PERPLEXITY, n_jobs=threads, early_exaggeration_iter=EARLY,
                               n_iter=STEPS - EARLY, random_state=0).fit(X)
        places, kl = np.asarray(fitted), fitted.kl_divergence
    else:
        model = TSNE(perplexity=PERPLEXITY, n_jobs=threads, n_iter=STEPS, init="pca", random_state=0)
        places, kl = model.fit_transform(X), model.kl_divergence_
    return places, {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "kl": kl}


def with_scrl(o, points, threads, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter()
    done = subprocess.run([o.program, "tsne", points, "-o", out, "-q", "--json", "--check", "0", "-t", str(threads),
                           "--perplexity", str(PERPLEXITY), "--iterations", str(STEPS)],
                          check=True, stdout=subprocess.PIPE, text=True)
    wall = time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return np.load(out), {"seconds": wall, "cpu": cpu, "kl": json.loads(done.stdout)["kl"]}


def quality(X, places, sample, k=10):
    """(trustworthiness, recall) over `sample`, from full distance rows in double precision."""
    n, excess, kept = len(X), 0, 0
    X, places = X.astype(np.float64), places.astype(np.float64)
    for i in sample:
        def order(Z):
            d = ((Z - Z[i]) ** 2).sum(1)
            d[i] = -1  # itself first
            return np.argsort(d, kind="stable")
        rank = np.empty(n, np.int64)
        rank[order(X)] = np.arange(n)
        ranks = rank[order(places)[1:k + 1]]
        excess += np.maximum(0, ranks - k).sum()
        kept += (ranks <= k).sum()
    return 1 - 2 * excess / (len(sample) * k * (2 * n - 3 * k - 1)), kept / (len(sample) * k)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--data", default="pubmed")
    p.add_argument("-m", "--method", default="gcn")
    p.add_argument("--points", help="a .npy file instead of a training")
    p.add_argument("--program", default=str(ROOT / "build/scrl"))
    for name, value in (("repeat", 3), ("threads", 2), ("sample", 2000)):
        p.add_argument("--" + name, type=int, default=value)
    o = p.parse_args()
    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory() as folder:
        points, out = o.points, os.path.join(folder, "map.npy")
        if not points:
            run = os.path.join(folder, "run")
            subprocess.run([o.program, "train", o.data, "-m", o.method, "-l", "20", "-o", run, "-q"], check=True)
            points = os.path.join(run, "embeddings.npy")
        X = np.load(points)
        sample = np.random.default_rng(0).permutation(len(X))[:o.sample]
        seen = {}
        for turn in range(o.repeat):
            for name, run in ((PEER, lambda: with_peer(X, o.threads)),
                              ("scrl", lambda: with_scrl(o, points, o.threads, out))):
                places, report = run()
                report["trust"], report["recall"] = quality(X, places, sample)
                seen.setdefault(name, []).append(report)
                print(f"  {turn + 1}: {name} {report['seconds']:.1f} s", file=sys.stderr, flush=True)
        hashes = set()
        for threads in (1, 2, 3):
            with_scrl(o, points, threads, out)
            hashes.add(hashlib.sha256(open(out, "rb").read()).hexdigest())
        load = os.getloadavg()[2]
    print(f"{o.points or o.data + ', ' + o.method}: {len(X):,} points of {X.shape[1]} numbers, {o.threads} threads, "
          f"{o.repeat} runs each in turn, load {load:.1f} on {os.cpu_count()} cores")
    print("| program | seconds | cpu seconds | KL | trustworthiness | neighbours kept |\n|---|---|---|---|---|---|")
    for name, runs in seen.items():
        m = {key: statistics.median(r[key] for r in runs) for key in runs[0]}
        print(f"| {name} | {m['seconds']:.1f} | {m['cpu']:.1f} | {m['kl']:.3f} | {m['trust']:.4f} "
              f"| {100 * m['recall']:.1f} % |")
    print(f"scrl with 1, 2 and 3 threads: {'the same bytes' if len(hashes) == 1 else 'DIFFERENT BYTES'}")


if __name__ == "__main__":
    main()
