"""Cross-validation for graphs: labels are hidden, nodes stay where they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold

from ._containers import unpack
from ._labels import UNLABELLED, encode_labels, in_node_order

__all__ = ["cross_validate_nodes"]

Scores = Callable[[npt.NDArray[Any], npt.NDArray[Any]], float]


def cross_validate_nodes(estimator: Any, X: Any, y: Any = None, *, graph: Any = None, cv: Any = 5,
                         scoring: dict[str, Scores] | None = None, random_state: int = 0) -> dict[str, npt.NDArray[Any]]:
    """Trains once per fold on all nodes with the labels of that fold hidden, and scores what it says of them.

    scikit-learn's cross_validate leaves out rows, which would tear the graph apart. `cv` is a number of stratified
    folds or a splitter of scikit-learn; `scoring` maps names to functions of (y_true, y_pred), accuracy by default.
    Nodes without a label are there in every fold and are not scored. Returns arrays with one value per fold.
    """
    nodes = unpack(X, y, graph)
    count = nodes.X.shape[0] if hasattr(nodes.X, "shape") else len(nodes.X)
    codes, classes = encode_labels(in_node_order(nodes.y, count, nodes.ids), count)
    labelled = np.flatnonzero(codes != UNLABELLED)
    folds = StratifiedKFold(cv, shuffle=True, random_state=random_state) if isinstance(cv, int) else cv
    scorers = scoring or {"accuracy": accuracy_score}
    out: dict[str, list[float]] = {"fit_time": [], **{f"test_{name}": [] for name in scorers}}
    for _, hidden in folds.split(labelled, codes[labelled]):
        test = labelled[hidden]
        known = np.full(count, None, dtype=object)
        known[labelled] = classes[codes[labelled]]
        known[test] = None
        start = time.perf_counter()
        fitted = clone(estimator).fit(nodes.X if nodes.ids is None else X, known, graph=graph)
        out["fit_time"].append(time.perf_counter() - start)
        for name, score in scorers.items():
            out[f"test_{name}"].append(float(score(classes[codes[test]], fitted.transduction_[test])))
    return {name: np.array(values) for name, values in out.items()}
