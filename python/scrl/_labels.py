"""Labels: which nodes have one, which class it is, and which nodes validate."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ._errors import DataError
from ._features import is_frame, is_missing, library

UNLABELLED = -1
Numbers = npt.NDArray[np.int32]


def in_node_order(y: Any, nodes: int, ids: list[Any] | None) -> Any:
    """Labels by node. A dict, a Series whose index names some nodes, or a frame of id and label go by id."""
    if is_frame(y) and len(y.columns) == 2 and "id" in list(y.columns):
        label = next(c for c in y.columns if c != "id")
        return _by_id(dict(zip(y["id"], y[label])), nodes, ids)
    if isinstance(y, dict):
        return _by_id(y, nodes, ids)
    if library(y) == "pandas" and hasattr(y, "to_dict") and not is_frame(y) and ids is not None:
        given = list(y.index)
        if given != ids and set(given) <= set(ids):
            return _by_id(dict(zip(given, y)), nodes, ids)
    return y


def _by_id(labels: dict[Any, Any], nodes: int, ids: list[Any] | None) -> npt.NDArray[np.object_]:
    row = {name: i for i, name in enumerate(ids if ids is not None else range(nodes))}
    out = np.full(nodes, None, dtype=object)
    for name, label in labels.items():
        if name not in row:
            ids_are = f"ids are 0 to {nodes - 1}" if ids is None else f"ids are like {ids[0]!r}"
            raise DataError(f"y: {name!r} is not the id of a node; {ids_are}")
        out[row[name]] = label
    return out


def _labelled(y: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if y.dtype.kind == "f":
        if np.isinf(y).any():
            raise DataError("y: found infinity, expected labels")
        return np.asarray(~np.isnan(y) & (y != UNLABELLED))
    if y.dtype.kind in "iu":
        return np.asarray(y != UNLABELLED)
    if y.dtype.kind == "O":
        return np.array([isinstance(v, (str, bytes)) or not (is_missing(v) or v == UNLABELLED) for v in y], bool)
    return np.ones(len(y), bool)


def encode_labels(y: Any, nodes: int) -> tuple[Numbers, npt.NDArray[Any]]:
    """Class numbers, -1 where there is no label, and the classes in order.

    y that consists of -1 and 1 alone is a problem of two classes: with -1 as no label one class would be left.
    """
    values = column_or_1d(_array(y), warn=True)
    if len(values) != nodes:
        raise DataError(f"y: found {len(values)} labels for {nodes} nodes")
    labelled = _labelled(values)
    if values.dtype.kind in "if" and not labelled.all() and set(np.unique(values)) == {-1, 1}:
        warnings.warn("y has the values -1 and 1 alone, so both are classes; mark unlabelled nodes with None or NaN",
                      UserWarning, stacklevel=4)
        labelled = np.ones(nodes, bool)
    if not labelled.any():
        raise DataError("y: no node has a label (-1, None and NaN stand for none)")
    known = values[labelled]
    if known.dtype.kind == "O" and not (any(isinstance(v, str) for v in known)):
        known = np.array(known.tolist())
    if known.dtype.kind == "O" and len({isinstance(v, str) for v in known}) > 1:
        raise DataError("y: found labels of different types, texts and others; they have no order")
    check_classification_targets(known)
    classes, numbers = np.unique(known, return_inverse=True)
    codes = np.full(nodes, UNLABELLED, np.int32)
    codes[labelled] = numbers
    return codes, classes


def _array(y: Any) -> Any:
    """Missing labels of a Series are NaN or None, whatever its type."""
    if library(y) == "pandas" and str(getattr(y, "dtype", "")) in ("category", "string", "str", "Int64", "boolean"):
        return np.asarray(y.astype(object))
    if library(y) == "polars":
        return y.to_numpy() if y.null_count() == 0 else np.array(y.to_list(), dtype=object)
    if hasattr(y, "detach"):
        y = y.detach().cpu()
    if isinstance(y, (list, tuple)) and len({isinstance(v, str) for v in y} | {v is None for v in y}) > 1:
        return np.array(y, dtype=object)  # of several types: NumPy would make texts of them all
    return y


def node_numbers(mask: Any, nodes: int, name: str) -> Numbers:
    """A mask over the nodes, or their numbers, as numbers."""
    values = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask)
    if values.dtype.kind == "b":
        if values.shape != (nodes,):
            raise DataError(f"{name}: expected {nodes} values, found an array of shape {values.shape}")
        return np.flatnonzero(values).astype(np.int32)
    if values.ndim != 1 or values.dtype.kind not in "iu" or (values.size and not 0 <= values.min() <= values.max() < nodes):
        raise DataError(f"{name}: expected a mask, or numbers of nodes from 0 to {nodes - 1}")
    return values.astype(np.int32)


def class_texts(classes: npt.NDArray[Any]) -> list[str]:
    """Names of classes for the engine, which puts whole numbers in the order of numbers: 1.0 is 1."""
    return [str(int(c)) if isinstance(c, float) and c == int(c) else str(c) for c in classes.tolist()]


PRETENDED = ["no label", "no label either"]


def none_known(nodes: int) -> Numbers:
    """For a method that learns without labels. The engine trains a classifier on top in any case; four nodes have to
    do for it, and nobody gets to see what it says."""
    labels = np.full(nodes, UNLABELLED, np.int32)
    labels[:4] = [0, 1, 0, 1][:nodes]
    return labels


def seen_labels(labels: Numbers, train: Any, val: Any) -> Numbers:
    """Labels outside these nodes are those of test nodes: nothing looks at them."""
    seen = np.zeros(len(labels), bool)
    for name, nodes in (("train", train), ("val", val)):
        if nodes is not None:
            seen[node_numbers(nodes, len(labels), name)] = True
    return np.where(seen, labels, np.int32(UNLABELLED))
