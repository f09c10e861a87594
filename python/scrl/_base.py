"""The estimators: scikit-learn's contract on one side, the engine on the other. Nothing is computed here."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._containers import Nodes, node_ids, split_of, unpack
from ._display import EpochBar, PlotAndReport
from ._errors import DataError
from ._features import Column, encode, is_frame, is_missing, mixed_columns
from ._graphs import adjacency, edges_to
from ._labels import PRETENDED, UNLABELLED, class_texts, encode_labels, in_node_order, none_known, seen_labels
from ._trained import Trained
from ._trust import Trust

Callback = Callable[[dict[str, Any]], bool | None]

COMMON: dict[str, Any] = {"random_state": 0, "n_jobs": None, "verbose": False}


class NodeEstimator(PlotAndReport, BaseEstimator):  # type: ignore[misc]
    """What all methods share. `method` and `defaults` come from the registry."""

    method: ClassVar[str]
    defaults: ClassVar[dict[str, Any]]
    _columns: list[Column] | None

    def fit(self, X: Any, y: Any = None, *, graph: Any = None, train: Any = None, val: Any = None,
            callback: Callback | None = None) -> Any:
        """Trains on all rows of X. Rows without a label are part of the graph and are predicted.

        `train` and `val` are masks or numbers of nodes; labels of other nodes are then not looked at. Without `val`
        a share of the labelled nodes (val_share) is drawn for it. `callback` is called with the figures of every
        epoch; what is true ends the training with the best epoch so far.
        """
        nodes = unpack(X, y, graph)
        nodes.train = nodes.train if train is None else train
        nodes.val = nodes.val if val is None else val
        features = self._features(nodes, reset=True)
        labels, classes = self._labels(nodes, features.shape[0])
        edges = None if nodes.graph is None else adjacency(nodes.graph, features.shape[0], nodes.ids)
        trained = Trained(features, edges, labels, class_texts(classes) or PRETENDED, split_of(nodes, labels),
                          self._settings(), self._threads())
        with EpochBar(self.verbose, callback) as progress:
            fitted = _core.fit(trained.data(), trained.settings, self._threads(), progress)
        trained.model, trained.split_used = fitted["model"], (fitted["train"], fitted["val"])
        self._trained, self._ids = trained, nodes.ids
        self._keep(classes, fitted)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_trained")  # the default looks for names that end in _, as the setting lambda_ does

    def _keep(self, classes: Any, fitted: dict[str, Any]) -> None:
        numbers, probabilities, embedding = fitted["predictions"]
        self.embedding_ = embedding
        self.history_ = {k: v if k == "member" else np.array(v) for k, v in fitted["history"].items()}
        self.best_epoch_ = fitted["best_epoch"]
        for name in ("classes_", "result_hash_", "metrics_", "transduction_", "label_distributions_"):
            self.__dict__.pop(name, None)  # of an earlier fit(), which may have had labels
        if len(classes):
            self.classes_ = classes
            self.result_hash_ = fitted["result_hash"]
            self.metrics_ = json.loads(fitted["metrics"])
            self.transduction_ = classes[numbers]
            self.label_distributions_ = probabilities

    def _features(self, nodes: Nodes, reset: bool) -> Any:
        """Rows of X as CSR, checked as scikit-learn checks them."""
        X = nodes.X
        if X is None:
            raise DataError("X: found None; only methods without features take a graph alone")
        columns = (mixed_columns(X) if is_frame(X) else None) if reset else self._columns
        if reset:
            self._columns = columns
        if columns is not None:
            if reset or is_frame(X):
                validate_data(self, X, reset=reset, skip_check_array=True)
                return encode(X, columns)
            raise DataError("X: the model was trained on a frame with categories; give a frame with the same columns")
        return validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float32,
                             ensure_min_features=1 if nodes.features else 0)

    def _labels(self, nodes: Nodes, count: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
        if nodes.y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y = in_node_order(nodes.y, count, nodes.ids)
        labels, classes = encode_labels(y, count)
        if nodes.train is not None:
            labels = seen_labels(labels, nodes.train, nodes.val)
        if len(np.unique(labels[labels != UNLABELLED])) < 2:
            raise DataError("y: found one class among the labels, expected two or more")
        return labels, classes

    def _settings(self) -> dict[str, str]:
        out = {"method": self.method, "seed": str(self._seed()), "test_share": "0"}
        for key, default in self.defaults.items():
            value = getattr(self, key + "_" if iskeyword(key) else key)
            if value != default:
                out[key] = str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
        return out

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _threads(self) -> int:
        """scikit-learn's n_jobs. None: what OMP_NUM_THREADS says, which joblib sets in its workers, or every core."""
        if self.n_jobs is None:
            asked = os.environ.get("OMP_NUM_THREADS", "")
            return int(asked) if asked.isdecimal() else 0
        if self.n_jobs < 0:
            return max(1, len(os.sched_getaffinity(0)) + 1 + int(self.n_jobs))
        return int(self.n_jobs)

    @property
    def node_ids_(self) -> npt.NDArray[Any]:
        """The ids of the training nodes as they came; their numbers where there were none."""
        check_is_fitted(self)
        return node_ids(self._ids, self._trained.rows.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class NewNodes(TransformerMixin, ClassNamePrefixFeaturesOutMixin, NodeEstimator):  # type: ignore[misc]
    """What methods share that can say something of nodes that were not there in training."""

    def transform(self, X: Any = None, *, graph: Any = None, joint: bool = False) -> Any:
        """Embeddings: of the training nodes without X, else of new nodes."""
        check_is_fitted(self)
        return self.embedding_ if X is None else self._new(X, graph, joint)[2]

    def fit_transform(self, X: Any, y: Any = None, *, graph: Any = None, **params: Any) -> Any:
        """fit(), then transform(X): the rows of X as new nodes. What was learned for them is in embedding_."""
        return self.fit(X, y, graph=graph, **params).transform(X, graph=graph)

    def _new(self, X: Any, graph: Any, joint: bool) -> tuple[Any, Any, Any]:
        """Class numbers, probabilities and embeddings."""
        nodes = unpack(X, None, graph)
        features = self._features(nodes, reset=False)
        edges = None
        if nodes.graph is not None:
            edges = edges_to(nodes.graph, features.shape[0], nodes.ids, self._trained.rows.shape[0], self._ids, joint)
        return self._trained.predict(features, edges, self._threads())

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


class TransductiveClassifier(Trust, NodeEstimator):
    """A method that learns from labels and knows the nodes of its training alone, so it has no predict(X)."""

    def fit_predict(self, X: Any, y: Any = None, *, graph: Any = None, **params: Any) -> npt.NDArray[Any]:
        """fit(), then the class of every node: transduction_."""
        return np.asarray(self.fit(X, y, graph=graph, **params).transduction_)


class NodeClassifier(Trust, ClassifierMixin, NewNodes):  # type: ignore[misc]
    """A method that learns from labels."""

    def predict(self, X: Any = None, *, graph: Any = None, joint: bool = False) -> npt.NDArray[Any]:
        """Classes: of the training nodes without X, else of new nodes. They see training nodes alone; with `joint`
        also each other, along edges in `graph` (a matrix has columns for training nodes, then for new ones)."""
        check_is_fitted(self)
        return np.asarray(self.transduction_ if X is None else self.classes_[self._new(X, graph, joint)[0]])

    def predict_proba(self, X: Any = None, *, graph: Any = None, joint: bool = False) -> npt.NDArray[np.float32]:
        """Probabilities of the classes, in the order of classes_."""
        check_is_fitted(self)
        return np.asarray(self.label_distributions_ if X is None else self._new(X, graph, joint)[1])


class NodeTransformer(NewNodes):
    """A method that learns without labels. With class labels in y, its classifier is trained on top of the
    embedding as on the command line, and transduction_ holds what it says of every node."""

    def _labels(self, nodes: Nodes, count: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
        if nodes.y is None or not self._holds_classes(nodes, count):
            return none_known(count), np.array([], dtype=object)
        return super()._labels(nodes, count)

    def _holds_classes(self, nodes: Nodes, count: int) -> bool:
        labels = [v for v in np.asarray(in_node_order(nodes.y, count, nodes.ids), dtype=object) if not is_missing(v)]
        return bool(labels) and type_of_target(labels) in ("binary", "multiclass")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


def _optional_x(transform: Callable[..., Any]) -> Callable[..., Any]:
    """scikit-learn wraps transform() for set_output() and makes X required; here it may be left out."""

    @functools.wraps(transform)
    def wrapped(self: Any, X: Any = None, *, graph: Any = None, joint: bool = False) -> Any:
        return transform(self, X, graph=graph, joint=joint)

    return wrapped


NewNodes.transform = _optional_x(NewNodes.transform)  # type: ignore[method-assign]
