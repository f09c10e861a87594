"""Objects that hold features, labels and edges at once: PyG Data, DGL graphs, AnnData."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import DataError
from ._features import frame_ids, is_frame, library, without_ids
from ._graphs import as_matrix, edge_list, numpy_of
from ._labels import UNLABELLED, Numbers, node_numbers


@dataclass
class Nodes:
    """The arguments of fit(), taken apart. `train` and `val` are masks, numbers of nodes, or None."""

    X: Any
    y: Any
    graph: Any
    ids: list[Any] | None = None
    train: Any = None
    val: Any = None
    features: bool = True  # False: there are none, only a graph


def unpack(X: Any, y: Any, graph: Any) -> Nodes:
    kind = library(X)
    if kind == "anndata":
        return _from_anndata(X, y, graph)
    if kind == "dgl":
        data = X.ndata
        if "feat" not in data:
            raise DataError("X: this DGL graph has no ndata['feat']; give the features as X and the graph as graph=")
        return Nodes(numpy_of(data["feat"]), _labels(data.get("label"), y), X if graph is None else graph,
                     train=data.get("train_mask"), val=data.get("val_mask"))
    if hasattr(X, "edge_index") and hasattr(X, "x"):  # torch_geometric.data.Data, or what looks like one
        return Nodes(numpy_of(X.x), _labels(getattr(X, "y", None), y), X if graph is None else graph,
                     train=getattr(X, "train_mask", None), val=getattr(X, "val_mask", None))
    if hasattr(X, "detach"):
        X = numpy_of(X)
    if X is None and graph is not None:
        return _without_features(y, graph)
    if is_frame(X):
        return Nodes(without_ids(X), y, graph, frame_ids(X))
    return Nodes(X, y, graph)


def node_ids(ids: list[Any] | None, count: int) -> npt.NDArray[Any]:
    """Ids as an array; numbers where there are none."""
    out: npt.NDArray[Any] = np.arange(count) if ids is None else np.empty(count, dtype=object)
    out[:] = range(count) if ids is None else ids
    return out


def split_of(nodes: Nodes, labels: Numbers) -> tuple[Numbers, Numbers]:
    """Training and validation nodes, in the order given; both empty where the engine is to draw the latter."""
    if nodes.val is None:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    val = node_numbers(nodes.val, len(labels), "val")
    val = val[labels[val] != UNLABELLED]
    train = np.arange(len(labels), dtype=np.int32) if nodes.train is None else node_numbers(nodes.train, len(labels), "train")
    train = train[(labels[train] != UNLABELLED) & ~np.isin(train, val)]
    if not len(val) or not len(train):
        raise DataError(f"{'train' if len(val) else 'val'}: none of these nodes has a label")
    return train, val


def _labels(own: Any, given: Any) -> Any:
    if given is not None:
        return given
    return None if own is None else numpy_of(own).reshape(-1)


def _from_anndata(X: Any, y: Any, graph: Any) -> Nodes:
    if isinstance(y, str):
        if y not in X.obs:
            raise DataError(f"y: this AnnData has no obs['{y}']; it has {', '.join(map(str, X.obs.columns))}")
        y = X.obs[y]
    if graph is None and "connectivities" in X.obsp:
        graph = X.obsp["connectivities"]
    return Nodes(X.X, y, graph, list(X.obs_names))


def _without_features(y: Any, graph: Any) -> Nodes:
    """For methods that look at the graph alone."""
    matrix = as_matrix(graph)
    if matrix is not None:
        return Nodes(np.zeros((matrix.shape[0], 0), np.float32), y, graph, features=False)
    source, target, _, ids = edge_list(graph)
    if ids is None:
        ids = sorted(set(source) | set(target))
    return Nodes(np.zeros((len(ids), 0), np.float32), y, graph, ids, features=False)
