"""The self-check of the judge of accuracy (bench/accuracy.py --self-check): two draws on a small built-in graph, once
from nothing and once from the files, and what the parts have to hold."""
import contextlib
import copy
import io
import json
import pathlib
import tempfile

import numpy as np
import scipy.sparse as sp
import torch

import accuracy
import accuracy_data
import accuracy_fits
import accuracy_judge
import accuracy_models as models
from accuracy_settings import SETTINGS

DATA, METHODS = "demo:nodes=480", ["gcn", "logreg", "scrl:epochs=30"]


class Checks:
    def __init__(self):
        self.failed = 0

    def __call__(self, what, holds):
        self.failed += not holds
        print(f"{'ok' if holds else 'FAILED':7}{what}", flush=True)


def parts(check):
    # A path a-b-c-d with a triangle c-d-e: a and c, b and d, b and e are two steps apart, c and e are not.
    A = sp.csr_array((np.ones(10, np.float32), ([0, 1, 1, 2, 2, 3, 2, 4, 3, 4], [1, 0, 2, 1, 3, 2, 4, 2, 4, 3])))
    second = models.two_rings(None, A)[1].to_dense().numpy()
    check("H2GCN's second ring", set(zip(*second.nonzero())) == {(0, 2), (2, 0), (1, 3), (3, 1), (1, 4), (4, 1)})
    one, two, three = accuracy_fits.hops(sp.eye_array(5, dtype=np.float32), A)
    check("two steps of means", np.allclose(one.toarray(), np.eye(5)) and
          np.allclose(two.toarray()[0], [0, 1, 0, 0, 0]) and
          np.allclose(three.toarray()[0], np.array([1, 0, 1, 0, 0]) / 2 ** 0.5))
    X = sp.random_array((40, 90), density=0.2, rng=np.random.default_rng(0), format="csr", dtype=np.float32)
    train = np.arange(25)
    kept = accuracy_fits.on_train_rows(X, train)
    check("columns of the training rows keep their products", kept.shape[1] <= 25 and
          np.allclose(kept @ kept[train].T, (X @ X[train].T).toarray(), atol=1e-5))
    weight = torch.randn(8, 90, requires_grad=True)
    dense, sparse = (torch.autograd.grad((torch.nn.functional.linear(M, weight) ** 2).sum(), weight)[0]
                     for M in (torch.from_numpy(X.toarray()), models.csr_tensor(X)))
    check("gradients of sparse features", torch.allclose(dense, sparse, rtol=1e-4, atol=1e-4))


def folder(check, graph, scrl, out):
    """The graph as a folder of one's own is the same graph, for scrl too."""
    out.mkdir()
    pairs = sp.triu(graph.A).tocoo()
    lines = lambda head, rows: "\n".join([head, *(",".join(r) for r in rows)]) + "\n"
    (out / "ids.txt").write_text("\n".join(graph.ids) + "\n")
    (out / "edges.csv").write_text(lines("source,target", ((graph.ids[i], graph.ids[j])
                                                           for i, j in zip(pairs.row, pairs.col))))
    (out / "labels.csv").write_text(lines("id,label", ((graph.ids[i], graph.classes[c])
                                                       for i, c in enumerate(graph.labels))))
    sp.save_npz(out / "features.npz", graph.X)
    again = accuracy_data.load(str(out), scrl)
    check("a folder gives the graph that was written", again.facts() == graph.facts() and again.ids == graph.ids)
    changed = copy.copy(again)
    changed.labels = np.roll(again.labels, 1)
    try:
        accuracy_data.check(changed, str(out), scrl)
        check("labels that moved are noticed", False)
    except ValueError:
        check("labels that moved are noticed", True)


def judged(words):
    """What the judge prints for the arguments: results, failures and the number of trainings."""
    a = accuracy.arguments(words)
    judge = accuracy_judge.Judge(a)
    with contextlib.redirect_stderr(io.StringIO()) as log:
        results, failed = accuracy.judge_all(judge, a)
    for line in failed:
        print(line)
    return accuracy.report(results, a), results[DATA], judge, log.getvalue()


def run(scrl, threads):
    check = Checks()
    parts(check)
    with tempfile.TemporaryDirectory() as place:
        place, everyone = pathlib.Path(place), len(METHODS) + len(SETTINGS)
        for protocol in ("val", "fixed"):
            words = ["--only", DATA, "--methods", ",".join(METHODS), "--judged", METHODS[-1], "--draws", "2", "--scrl",
                     scrl, "--threads", str(threads), "--protocol", protocol, "--epochs", "60", "--out", str(place)]
            text, results, judge, _ = judged(words)
            print(f"\n{text}")
            check(f"{protocol}: every cell was trained", judge.trained == 2 * everyone)
            for who, draws in results.items():  # six classes: chance is 17 %
                check(f"{protocol}: {' '.join(who)} learns", len(draws) == 2 and min(draws.values()) > 30)
            again, _, second, _ = judged(words)
            check(f"{protocol}: the files give the same table without training", again == text and not second.trained)
            path = next((place / "cells").glob(f"*-{protocol}-peer-gcn-0.json"))
            was = json.loads(path.read_text())["accuracy"]
            path.unlink()
            _, results, third, _ = judged(words)
            check(f"{protocol}: what is missing is trained again, to the same figure",
                  third.trained == 1 and results["peer", "gcn"][0] == was)
        graph, part = third.graph(DATA), third.split(DATA, 0)
        check("under fixed no node validates", not len(part["val"]) and len(part["train"]) and len(part["test"]))
        folder(check, graph, scrl, place / "folder")
    print("all hold" if not check.failed else f"{check.failed} failed")
    return 1 if check.failed else 0
