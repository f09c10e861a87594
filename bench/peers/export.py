#!/usr/bin/env python3
"""Writes what a peer needs to train like scrl: graph.npz and settings.json.

  export.py DATA OUT_FOLDER [--scrl build/scrl] [--labels 20] [--profile paper]

DATA is a name below $SCRL_DATA. The settings are those that scrl itself records for a run with this
profile, and the feature graph is the one that scrl builds. Features, edges, labels and splits are read
here from the published files (AM-GCN archives, Planetoid pickles). Validation nodes are drawn with a
generator of our own: other nodes than those of scrl, as many."""
import argparse
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import tomllib
import zipfile

import numpy as np
import scipy.sparse as sp


def find(name):
    root = pathlib.Path(os.environ.get("SCRL_DATA", "."))
    for path in sorted(root.iterdir()):
        if path.stem.lower() == name.lower() and (path.is_dir() or path.suffix == ".zip"):
            return path
    sys.exit(f"export.py: no data set '{name}' below SCRL_DATA ({root}); expected a folder or {name}.zip")


def read_files(path):
    """{file name without folders above knn/: function that gives its bytes}"""
    short = lambda n: "knn/" + n.rsplit("/", 1)[-1] if "knn/" in n else n.rsplit("/", 1)[-1]
    if path.suffix == ".zip":
        archive = zipfile.ZipFile(path)
        return {short(n): (lambda n=n: archive.read(n)) for n in archive.namelist() if not n.endswith("/")}
    return {short(str(p)): p.read_bytes for p in path.rglob("*") if p.is_file()}


def numbers(data):
    return np.array(data.split(), dtype=np.int64)


def read_amgcn(files):
    one = lambda ending: next(read for n, read in sorted(files.items()) if n.endswith(ending))
    labels = numbers(one(".label")())
    blocks, rows = [], []
    for line in io.BytesIO(one(".feature")()):  # the dense text is up to 180 MB: some rows at a time
        rows.append(np.fromstring(line, dtype=np.float32, sep=" "))
        if len(rows) == 500:
            blocks.append(sp.csr_matrix(np.stack(rows)))
            rows = []
    if rows:
        blocks.append(sp.csr_matrix(np.stack(rows)))
    return sp.vstack(blocks, format="csr"), labels, numbers(one(".edge")()).reshape(-1, 2)


class OldPickles(pickle.Unpickler):
    """The Planetoid files were written by Python 2 and name modules that SciPy has since moved."""

    def find_class(self, module, name):
        if module.startswith("scipy.sparse"):
            module = "scipy.sparse"
        return super().find_class(module.replace("numpy.core", "numpy._core")
                                  if hasattr(np, "_core") else module, name)


def read_planetoid(files):
    def part(ending):
        name = next(n for n in files if n.startswith("ind.") and n.endswith("." + ending))
        return OldPickles(io.BytesIO(files[name]()), encoding="latin1").load()

    test = numbers(files[next(n for n in files if n.endswith(".test.index"))]())
    allx, tx, ally, ty = part("allx"), part("tx"), part("ally"), part("ty")
    n = max(int(test.max()) + 1, allx.shape[0])
    X = sp.lil_matrix((n, allx.shape[1]), dtype=np.float32)
    X[:allx.shape[0]] = allx
    X[test] = tx
    labels = np.full(n, -1, dtype=np.int64)
    labels[:len(ally)], labels[test] = ally.argmax(1), ty.argmax(1)
    edges = np.array([(i, j) for i, others in part("graph").items() for j in others], dtype=np.int64)
    return X.tocsr(), labels, edges


def adjacency(edges, n, dup):
    """As src/graph/adjacency.cc: repeated edges add up (or count once), then max(A, A^T)."""
    A = sp.coo_matrix((np.ones(len(edges), np.float32), (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    A.sum_duplicates()
    if dup == "binary":
        A.data[:] = 1
    return A.maximum(A.T).tocsr()


def normalized(A, how):
    A = (A + sp.identity(A.shape[0], dtype=np.float64, format="csr")).tocsr()
    degree = np.asarray(A.sum(1)).ravel()
    if how == "rw":
        A = sp.diags(1 / degree) @ A
    else:
        A = sp.diags(degree ** -0.5) @ A @ sp.diags(degree ** -0.5)
    A = A.tocsr().astype(np.float32)
    A.sort_indices()
    return A


def scaled(X, how):
    if how == "none":
        return X
    total = np.asarray(X.sum(1) if how == "l1" else np.sqrt(X.multiply(X).sum(1))).ravel()
    return sp.diags(1 / np.where(total == 0, 1, total)).dot(X).tocsr().astype(np.float32)


def scrl_settings(scrl, data, profile, labels):
    """What scrl records for such a run; one epoch of it has to be trained to have it written."""
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, "run")
        subprocess.run([scrl, "train", data, "-m", "scrl-paper", "-l", str(labels), "--profile", profile, "--set", "epochs=1",
                        "-q", "-o", run], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(run, "config.toml"), "rb") as f:
            return tomllib.load(f) | {"ramp": 0}  # the published method has none


def scrl_feature_graph(scrl, data, settings):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "knn.tsv")
        subprocess.run([scrl, "knn", data, "-k", str(settings["k"]), "--knn", settings["knn"], "-q", "-o", out,
                        "--binarize", settings["binarize"]], check=True)
        with open(out, "rb") as f:
            return numbers(f.read()).reshape(-1, 2)


def export(data, out, scrl, labels_per_class, profile):
    settings = scrl_settings(scrl, data, profile, labels_per_class)
    files = read_files(find(data))
    planetoid = any(n.startswith("ind.") for n in files)
    X, labels, edges = (read_planetoid if planetoid else read_amgcn)(files)
    X = scaled(X, settings["feature_norm"])
    X.sort_indices()
    n = X.shape[0]
    A_t = normalized(adjacency(edges, n, settings["dup"]), settings["adjacency"])
    A_f = normalized(adjacency(scrl_feature_graph(scrl, data, settings), n, "binary"), settings["adjacency"])
    train = numbers(files[f"train{labels_per_class}.txt"]())
    test = numbers(files[f"test{labels_per_class}.txt"]())
    rest = np.setdiff1d(np.flatnonzero(labels >= 0), np.concatenate([train, test]))
    val = np.sort(np.random.default_rng(0).choice(rest, min(settings["val_nodes"], len(rest)), replace=False))
    arrays = {"labels": labels, "train": train, "val": val, "test": test}
    for name, M in (("X", X), ("A_t", A_t), ("A_f", A_f)):
        arrays |= {f"{name}_ptr": M.indptr.astype(np.int32), f"{name}_col": M.indices.astype(np.int32),
                   f"{name}_val": M.data.astype(np.float32), f"{name}_shape": np.array(M.shape)}
    os.makedirs(out, exist_ok=True)
    np.savez(os.path.join(out, "graph.npz"), **arrays)
    with open(os.path.join(out, "settings.json"), "w") as f:
        json.dump(settings, f, indent=1)
    return {"nodes": n, "features": X.shape[1], "nnz_X": X.nnz, "nnz_A_t": A_t.nnz, "nnz_A_f": A_f.nnz,
            "train": len(train), "val": len(val), "test": len(test)}


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("data")
    p.add_argument("out")
    p.add_argument("--scrl", default="build/scrl")
    p.add_argument("--labels", type=int, default=20)
    p.add_argument("--profile", default="paper")
    a = p.parse_args()
    print(json.dumps(export(a.data, a.out, a.scrl, a.labels, a.profile)))
