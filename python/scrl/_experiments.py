"""Data sets, comparisons and searches: what the command line does, on matrices as well as on folders."""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _core
from ._containers import unpack
from ._errors import DataError
from ._features import matrix_of
from ._graphs import adjacency
from ._labels import UNLABELLED, Numbers, class_texts, encode_labels, in_node_order, node_numbers
from ._methods import METHODS, parameter

COMPARED = ("dataset", "labels_per_class", "method", "protocol", "seeds", "accuracy_mean", "accuracy_std",
            "macro_f1_mean", "macro_f1_std", "best", "p_value", "seconds", "result_hash", "failure")


@dataclass(frozen=True)
class Dataset:
    """A graph with features and labels. `train`, `val` and `test` are numbers of nodes."""

    name: str
    X: Any
    y: npt.NDArray[Any]
    graph: Any
    ids: list[str]
    train: Numbers
    val: Numbers
    test: Numbers

    def __repr__(self) -> str:
        nodes, columns = self.X.shape
        return f"Dataset({self.name!r}, {nodes} nodes, {columns} features, {self.graph.nnz} edge entries)"


def load_dataset(name: str | pathlib.Path, *, labels: int = 0, seed: int = 0) -> Dataset:
    """Reads what `scrl train` reads: 'demo', a folder, a zip file, or a name below $SCRL_DATA.

    Training, validation and test nodes are those that `scrl train` would take with so many `labels` per class (0: the
    first split of the data) and this `seed`.
    """
    data = _core.load_dataset(str(name))
    nodes = data.nodes
    row_ptr, col, val, columns = data.features
    source, target, weight = data.edges
    values = weight if len(weight) else np.ones(len(source), np.float32)
    classes = np.array(data.classes, dtype=object)
    y = np.full(nodes, None, dtype=object)
    y[data.labels >= 0] = classes[data.labels[data.labels >= 0]]
    return Dataset(data.name, sparse.csr_array((val, col, row_ptr), shape=(nodes, columns)), y,
                   sparse.csr_array((values, (source, target)), shape=(nodes, nodes)),
                   data.ids or [str(i) for i in range(nodes)], *data.split(labels, seed))


def save_dataset(folder: str | pathlib.Path, X: Any, y: Any = None, *, graph: Any = None, ids: Any = None,
                 train: Any = None, val: Any = None, test: Any = None) -> pathlib.Path:
    """Writes a folder that the command line and load_dataset() read. Splits are masks or numbers of nodes."""
    to = pathlib.Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    nodes = unpack(X, y, graph)
    nodes.ids = nodes.ids if ids is None else list(ids)
    features = matrix_of(nodes.X)
    count = features.shape[0]
    names = [str(i) for i in (nodes.ids if nodes.ids is not None else range(count))]
    if len(set(names)) < count:
        raise DataError("ids: some are the same as texts; the files of a data set tell nodes apart by them")
    sparse.save_npz(to / "features.npz", sparse.csr_matrix(features.astype(np.float32)))
    (to / "ids.txt").write_text("".join(f"{i}\n" for i in names))
    _write_edges(to / "edges.csv", None if nodes.graph is None else adjacency(nodes.graph, count, nodes.ids), names)
    if nodes.y is not None:
        codes, classes = encode_labels(in_node_order(nodes.y, count, nodes.ids), count)
        called = class_texts(classes)
        lines = [f"{_field(names[i])},{_field(called[c])}\n" for i, c in enumerate(codes) if c != UNLABELLED]
        (to / "labels.csv").write_text("id,label\n" + "".join(lines))
    for name, part in (("train", train), ("val", val), ("test", test)):
        if part is not None and len(part):
            (to / f"{name}.txt").write_text("".join(f"{_field(names[i])}\n" for i in node_numbers(part, count, name)))
    return to


def _field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r') or text != text.strip() else text


def _write_edges(path: pathlib.Path, edges: Any, ids: Sequence[str]) -> None:
    if edges is None:
        raise DataError("graph: expected edges, found none; a data set in files needs some")
    entries = edges.tocoo()
    rows = zip(entries.row, entries.col, entries.data)
    path.write_text("source,target,weight\n" + "".join(f"{_field(ids[a])},{_field(ids[b])},{w:.9g}\n" for a, b, w in rows))


@contextmanager
def _named(data: Any, y: Any, graph: Any) -> Iterator[str]:
    """How the engine finds the data: a name or folder as it is, anything else as a folder for the time being."""
    if isinstance(data, (str, pathlib.Path)):
        yield str(data)
        return
    with tempfile.TemporaryDirectory(prefix="scrl-") as folder:
        splits: dict[str, Any] = {}
        if isinstance(data, Dataset):
            splits = {"train": data.train, "val": data.val, "test": data.test} if len(data.train) else {}
            data, y, graph = data.X, data.y, data.graph
        yield str(save_dataset(pathlib.Path(folder) / "data", data, y, graph=graph, **splits))


@contextmanager
def _kept(out: str | pathlib.Path | None) -> Iterator[str]:
    """The folder of what is trained: one that stays, so that the next call goes on, or one that goes."""
    if out is not None:
        yield str(out)
        return
    with tempfile.TemporaryDirectory(prefix="scrl-") as folder:
        yield str(pathlib.Path(folder) / "out")


def _texts(settings: Mapping[str, Any] | None) -> dict[str, str]:
    return {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in (settings or {}).items()}


def compare(data: Any, y: Any = None, *, graph: Any = None, methods: str | Sequence[str] = "all",
            labels: int | Sequence[int] | None = None, protocols: str | Sequence[str] = "val", seeds: int = 5,
            settings: Mapping[str, Any] | None = None, out: str | pathlib.Path | None = None) -> Any:
    """`scrl compare` as a pandas frame, a row per method: means and deviations over the seeds, in percent.

    `data` is a name, a folder, a Dataset, or X with `y` and `graph`. With `out` what is trained is kept there.
    """
    import pandas

    rates = [] if labels is None else [labels] if isinstance(labels, int) else list(labels)
    with _named(data, y, graph) as name, _kept(out) as folder:
        text = _core.compare([name], _list(methods), _list(rates), _list(protocols), seeds, _texts(settings), folder)
    frame = pandas.json_normalize(json.loads(text)["rows"], sep="_")
    return frame[[c for c in COMPARED if c in frame]]


def _list(values: str | Sequence[Any]) -> str:
    return values if isinstance(values, str) else ",".join(map(str, values))


@dataclass(frozen=True)
class Tuning:
    """What a search has found. `best_params` are parameters of the estimator of that method."""

    best_params: dict[str, Any]
    val_accuracy: float
    trials: Any
    facts: dict[str, Any]


def tune(data: Any, y: Any = None, *, graph: Any = None, method: str = "scrl", labels: int = 0,
         budget: int | str = 30, space: Sequence[str] = (), seeds: int = 8,
         settings: Mapping[str, Any] | None = None, out: str | pathlib.Path | None = None) -> Tuning:
    """`scrl tune`: settings with a higher accuracy on validation nodes. `budget`: trials, or a time as in '10m'."""
    import pandas

    with _named(data, y, graph) as name, _kept(out) as folder:
        facts = json.loads(_core.tune(name, method, labels, str(budget), list(space), seeds, _texts(settings), folder))
    trials = pandas.json_normalize(facts["trials"], sep="_")
    best = next(t for t in facts["trials"] if t["trial"] == facts["best"]["trial"])
    return Tuning({parameter(key): _typed(method, key, text) for key, text in best["searched"].items()},
                  facts["best"]["val_accuracy"]["mean"], trials, facts)


def _typed(method: str, key: str, text: str) -> Any:
    """A setting as the parameter of the estimator has it: a number where the default is one."""
    default = METHODS[method].defaults[key]
    if isinstance(default, bool):
        return text == "true"
    return type(default)(text) if isinstance(default, (int, float)) else text


def inspect(data: Any, y: Any = None, *, graph: Any = None, k: int = 15) -> dict[str, Any]:
    """Sizes, degrees, classes, homophily and warnings of a data set, as `scrl inspect --json` prints them."""
    with _named(data, y, graph) as name:
        facts: dict[str, Any] = json.loads(_core.inspect(_core.load_dataset(name), k))
    return facts
