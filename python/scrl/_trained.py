"""What a model was trained on, and the model: all that predictions need. It can be pickled and used by threads."""

from __future__ import annotations

import threading
from typing import Any

from scipy import sparse

from . import _core
from ._features import core_rows
from ._labels import Numbers


class Trained:
    """Features, edges, labels and split of a training, and its model once fit() has made it.

    Without edges, those of the feature graph take their place where the method looks at edges; new nodes are then
    joined to their nearest training nodes.
    """

    def __init__(self, rows: Any, edges: Any, labels: Numbers, classes: list[str], split: tuple[Numbers, Numbers],
                 settings: dict[str, str], threads: int) -> None:
        self.rows, self.edges, self.labels, self.classes, self.split = rows, edges, labels, classes, split
        self.settings, self.made_edges = settings, False
        self.model: _core.Model | None = None
        self.split_used = split
        self.predictor: _core.Predictor | None = None
        self.lock = threading.Lock()
        if edges is None:
            found = _core.feature_edges(self.data(), settings, threads)
            if found is not None:
                self.edges, self.made_edges = sparse.csr_array(found, shape=(rows.shape[0], rows.shape[0])), True

    def data(self) -> _core.TrainingData:
        edges = None if self.edges is None else core_rows(self.edges)
        return _core.TrainingData(core_rows(self.rows), edges, self.labels, self.classes, *self.split)

    def predict(self, rows: Any, edges: Any, threads: int) -> tuple[Any, Any, Any]:
        """Class numbers, probabilities and embeddings of new nodes. Columns of `edges` beyond the training nodes stand
        for new ones; without any, each is predicted as if it were the only one."""
        with self.lock:  # what all predictions share is prepared by the first
            if self.predictor is None:
                assert self.model is not None
                self.predictor = _core.Predictor(self.model, self.data(), self.made_edges, self.settings, threads)
        n = self.rows.shape[0]
        joint = edges is not None and edges.shape[1] > n
        known = None if edges is None else core_rows(edges[:, :n] if joint else edges)
        return self.predictor.predict(core_rows(rows), known, core_rows(edges[:, n:]) if joint else None, threads)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in ("predictor", "lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, predictor=None, lock=threading.Lock())
