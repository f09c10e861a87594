"""Texts without a graph, five labels per class, beside scikit-learn's own semi-supervised classifiers.

Nothing is downloaded: the documents are drawn from topics with many rare words, as texts are. With
sklearn.datasets.fetch_20newsgroups at hand, use TfidfVectorizer on its texts instead.

    python examples/text.py [DOCUMENTS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

import scrl

Labels = npt.NDArray[np.int64]


def make_texts(documents: int, topics: int = 10, words: int = 20000) -> tuple[Any, Labels]:
    """TF-IDF rows. A document takes a quarter of its words from its topic, the others from the common vocabulary; words
    that a tenth of the documents have are left out, as stop words are."""
    random = np.random.default_rng(0)
    y = random.integers(0, topics, documents)
    common = 1 / np.arange(1, words + 1) ** 1.1
    length = random.integers(40, 120, documents)
    rows = np.repeat(np.arange(documents), length)
    drawn = random.choice(words, len(rows), p=common / common.sum())
    rank = (words * random.random(len(rows)) ** 3).astype(np.int64)  # of a word of the topic: the first ones are frequent
    of_topic = random.random(len(rows)) < 1 / 4
    columns = np.where(of_topic, (rank * topics + y[rows]) % words, drawn)
    counts = sparse.csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(documents, words))
    stop = np.bincount(counts.tocoo().col, minlength=words) > 0.1 * documents
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts[:, np.flatnonzero(~stop)]).astype(np.float32), y


def five_per_class(y: Labels) -> Labels:
    """-1 for every other node."""
    known = np.full_like(y, -1)
    for c in np.unique(y):
        nodes = np.flatnonzero(y == c)[:5]
        known[nodes] = c
    return known


def main() -> None:
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    X, y = make_texts(documents)
    known = five_per_class(y)
    hidden = known == -1
    print(f"{documents} documents, {X.shape[1]} words, {X.nnz / documents:.0f} of them in each; 5 labels per class")
    peers: dict[str, Callable[[], Any]] = {
        "scrl.SGCClassifier": lambda: scrl.SGCClassifier(),
        "scrl.LabelPropagationClassifier": lambda: scrl.LabelPropagationClassifier(),
        "LabelSpreading (rbf)": lambda: LabelSpreading(),
        "LabelSpreading (knn)": lambda: LabelSpreading(kernel="knn", n_neighbors=15),
        "SelfTrainingClassifier": lambda: SelfTrainingClassifier(LogisticRegression(max_iter=200)),
    }
    for name, make in peers.items():
        start, cpu = time.perf_counter(), time.process_time()
        fitted = make().fit(X, known)
        found = fitted.predict(X) if name.startswith("Self") else fitted.transduction_
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        print(f"{name:32} {100 * (found[hidden] == y[hidden]).mean():6.2f} %  {seconds:8.2f} s, {cpu:8.2f} s of all cores")


if __name__ == "__main__":
    main()
