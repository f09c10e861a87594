"""What follows a training: sets of classes, which nodes to label next, why a class, and labels that are wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._containers import node_ids, unpack
from ._errors import DataError, UsageError
from ._features import matrix_of
from ._graphs import adjacency
from ._labels import UNLABELLED, class_texts, encode_labels, in_node_order
from ._trained import Trained

NAMES_OF_CLASSES = ("label", "runner_up", "nearest", "label_without")


@dataclass(frozen=True)
class PredictionSets:
    """Classes that cannot be ruled out, by node. `mask` has a row per node and a column per class."""

    sets: list[npt.NDArray[Any]]
    mask: npt.NDArray[np.bool_]
    guaranteed: bool
    statement: str

    def __repr__(self) -> str:
        return f"PredictionSets({len(self.sets)} nodes, {self.mask.sum(1).mean():.2f} classes each; {self.statement})"


class Trust:
    """Methods of a fitted classifier about its training nodes (docs/trust.md)."""

    def to_frame(self) -> Any:
        """Ids, classes and probabilities of the training nodes as a pandas frame."""
        import pandas
        me = _fitted(self)
        frame = pandas.DataFrame(me.label_distributions_, pandas.Index(me.node_ids_, name="id"), list(me.classes_))
        frame.insert(0, "label", me.transduction_, allow_duplicates=True)
        return frame

    def predict_set(self, alpha: float = 0.1, *, nonempty: bool = False) -> PredictionSets:
        """Sets that have the true class with probability 1 - alpha, the most probable class first.

        Train with `conformal_share=0.5`, so that half of the validation labels choose nothing: without such labels the
        sets are calibrated on labels that chose the epoch, and `guaranteed` is False. `nonempty` puts the most probable
        class into an empty set.
        """
        if not 0 < alpha < 1:
            raise UsageError(f"alpha: expected a number between 0 and 1, found {alpha!r}")
        me = _fitted(self)
        trained = me._trained
        sets, guaranteed, statement = _core.predict_sets(trained.model, trained.data(), 1 - alpha, nonempty, me._threads())
        mask = np.zeros((len(sets), len(me.classes_)), bool)
        for node, members in enumerate(sets):
            mask[node, members] = True
        return PredictionSets([me.classes_[s] for s in sets], mask, guaranteed, statement)

    def query(self, n: int = 20) -> Any:
        """Which n nodes to label next, in order, as a pandas frame of id, gain, represents, doubt and reason."""
        me = _fitted(self)
        return _frame(_core.query(me._trained.data(), me._trained.model, n, me._threads()), me.node_ids_)

    def explain(self, id: Any, top: int = 10) -> dict[str, Any]:
        """Why the node with this id has its class: members, prototypes, and the effect of what is left out.

        `top`: how many edges, similar nodes and features; 0: all. The dict has the fields of `scrl explain --json`.
        """
        me = _fitted(self)
        ids = me.node_ids_.tolist()
        found = [row for row, name in enumerate(ids) if name == id]
        if not found:
            raise DataError(f"explain: {id!r} is not the id of a node; ids are like {ids[0]!r}")
        text = _core.explain(me._trained.model, me._trained.data(), found[0], top, me._threads())
        names = _names(ids, me.classes_, getattr(me, "feature_names_in_", None))
        return dict(json.loads(text, object_hook=names))

    def suspects(self) -> Any:
        """scrl.suspects() of the labels of this training: method scrl in five folds, whatever this estimator is."""
        me = _fitted(self)
        found = _core.suspects(me._trained.data(), {"seed": str(me._seed())}, me._threads())
        return _frame(found, me.node_ids_, me.classes_)


def query(X: Any, y: Any = None, *, graph: Any = None, n: int = 20, n_jobs: int = 0) -> Any:
    """Which n nodes to label next, in order, as a pandas frame; needs no model, and not even a label."""
    data, _, ids = _data(X, y, graph, "mlp", n_jobs)
    return _frame(_core.query(data.data(), None, n, n_jobs), ids)


def suspects(X: Any, y: Any, *, graph: Any = None, random_state: int = 0, n_jobs: int = 0) -> Any:
    """Labels by how much predictions contradict them that were made without them, as a pandas frame, worst first."""
    data, classes, ids = _data(X, y, graph, "scrl", n_jobs)
    return _frame(_core.suspects(data.data(), {"seed": str(random_state)}, n_jobs), ids, classes)


def _data(X: Any, y: Any, graph: Any, method: str, threads: int) -> tuple[Trained, npt.NDArray[Any], npt.NDArray[Any]]:
    """What `method` would be trained on, the classes and the ids."""
    nodes = unpack(X, y, graph)
    rows = matrix_of(nodes.X)
    count = rows.shape[0]
    labels, classes = np.full(count, UNLABELLED, np.int32), np.array([], dtype=object)
    if nodes.y is not None:
        labels, classes = encode_labels(in_node_order(nodes.y, count, nodes.ids), count)
    edges = None if nodes.graph is None else adjacency(nodes.graph, count, nodes.ids)
    none = np.zeros(0, np.int32)
    data = Trained(rows, edges, labels, class_texts(classes), (none, none), {"method": method}, threads)
    return data, classes, node_ids(nodes.ids, count)


def _fitted(estimator: Any) -> Any:
    check_is_fitted(estimator, "classes_")
    return estimator


def _frame(columns: dict[str, Any], ids: npt.NDArray[Any], classes: Any = None) -> Any:
    import pandas

    for name in () if classes is None else ("label", "suggested"):
        columns[name] = classes[columns[name]]
    return pandas.DataFrame({"id": ids[columns.pop("node")], **columns})


def _names(ids: list[Any], classes: Any, columns: Any) -> Any:
    """For json.loads: the engine's rows, class texts and columns as the caller knows them."""
    called = dict(zip(class_texts(classes), classes.tolist()))

    def renamed(found: dict[str, Any]) -> dict[Any, Any]:
        if set(found) == set(called):  # probabilities, distances
            return {called[c]: p for c, p in found.items()}
        if "column" in found and columns is not None:
            found["name"] = columns[found["column"]]
        return {k: ids[int(v)] if k == "id" else called[v] if k in NAMES_OF_CLASSES else v for k, v in found.items()}

    return renamed
