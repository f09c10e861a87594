"""Graphs: matrices, edge lists, and the graph objects of other libraries, as one adjacency in CSR."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ._errors import DataError
from ._features import canonical, is_frame, library


class Graph:
    """A graph that scikit-learn passes on whole.

    Cross-validation in scikit-learn takes rows of every argument of fit() that is as long as X, and a matrix of edges
    is. A Graph has no length. Where rows of X have ids, they choose the nodes: edges to nodes that are not in X are
    left out.
    """

    def __init__(self, edges: Any) -> None:
        self.edges = edges

    def __repr__(self) -> str:
        return f"Graph({type(self.edges).__name__})"


def adjacency(graph: Any, nodes: int, ids: list[Any] | None) -> Any:
    """The graph as CSR, nodes x nodes, in float32. It is undirected: the engine adds the other directions."""
    if isinstance(graph, Graph):
        return adjacency(_within(graph.edges, ids), nodes, ids)
    if (matrix := as_matrix(graph)) is not None:
        return _checked(matrix, (nodes, nodes))
    source, target, weight, own = edge_list(graph)
    if ids is None:
        ids = own
        if own is not None and len(own) != nodes:
            raise DataError(f"graph: it has {len(own)} nodes and X has {nodes} rows. Give X an index with the ids")
    row = positions(source, nodes, ids)
    col = positions(target, nodes, ids)
    return _matrix_of(row, col, weight, (nodes, nodes))


def edges_to(graph: Any, new: int, new_ids: list[Any] | None, nodes: int, ids: list[Any] | None, joint: bool) -> Any:
    """Edges of new nodes, new x nodes of the training; with `joint` new nodes have columns after those."""
    shape = (new, nodes + new if joint else nodes)
    edges = graph.edges if isinstance(graph, Graph) else graph
    if (matrix := as_matrix(edges)) is not None:
        return _checked(matrix, shape)
    source, target, weight, _ = edge_list(edges)
    if ids is None or new_ids is None:
        return _matrix_of(positions(source, new, new_ids), positions(target, shape[1], ids), weight, shape)
    known = {name: i for i, name in enumerate(ids)}
    fresh = {name: i for i, name in enumerate(new_ids) if name not in known}
    column = known | {name: nodes + i for name, i in fresh.items() if joint}
    found = [(fresh[one], column[other], i) for i, (a, b) in enumerate(zip(source, target))
             for one, other in ((a, b), (b, a)) if one in fresh and other in column]
    rows, cols, kept = np.array(found, np.int64).reshape(-1, 3).T
    return _matrix_of(rows, cols, None if weight is None else weight[kept], shape)


def as_matrix(graph: Any) -> Any:
    """A square or rectangular matrix of edges, or None where the graph is something else."""
    if library(graph) == "anndata":
        if "connectivities" not in graph.obsp:
            raise DataError("graph: this AnnData has no obsp['connectivities']; make it with scanpy.pp.neighbors")
        return graph.obsp["connectivities"]
    if sparse.issparse(graph):
        return graph
    if isinstance(graph, np.ndarray) and graph.ndim == 2 and 2 not in graph.shape:
        return graph
    return None


def _checked(matrix: Any, shape: tuple[int, int]) -> Any:
    if matrix.shape != shape:
        raise DataError(
            f"graph: expected a matrix of {shape[0]} x {shape[1]}, found {matrix.shape[0]} x {matrix.shape[1]}"
            + (". In cross-validation rows are left out: use scrl.model_selection.cross_validate_nodes, or wrap "
               "the edges in scrl.Graph and give X an index with ids" if matrix.shape[1] != shape[1] else "")
        )
    rows = canonical(matrix)
    if rows.dtype.kind not in "biuf":
        raise DataError(f"graph: expected numbers as weights, found {rows.dtype}")
    if rows.dtype != np.float32:
        rows = rows.astype(np.float32)
    if not np.isfinite(rows.data).all():
        raise DataError("graph: found a weight that is NaN or infinity")
    return rows


Edges = tuple[Iterable[Any], Iterable[Any], "npt.NDArray[np.float32] | None", "list[Any] | None"]


def edge_list(graph: Any) -> Edges:
    """Sources, targets, weights, and the ids of the nodes in order where the graph itself has them."""
    kind = library(graph)
    if is_frame(graph):
        return _frame_edges(graph)
    if kind == "networkx":
        edges = list(graph.edges(data="weight", default=1.0))
        return _column(edges, 0), _column(edges, 1), np.array(_column(edges, 2), np.float32), list(graph.nodes)
    if kind == "igraph":
        edges = graph.get_edgelist()
        ids = list(graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount()))
        weight = np.array(graph.es["weight"], np.float32) if "weight" in graph.es.attributes() else None
        return [ids[a] for a, _ in edges], [ids[b] for _, b in edges], weight, ids
    if kind == "dgl":
        source, target = graph.edges()
        return numpy_of(source), numpy_of(target), None, None
    if hasattr(graph, "edge_index"):  # torch_geometric.data.Data, or what looks like one
        weight = getattr(graph, "edge_weight", None)
        index = numpy_of(graph.edge_index)
        return index[0], index[1], None if weight is None else numpy_of(weight).astype(np.float32), None
    return _array_edges(graph)


def _array_edges(graph: Any) -> Edges:
    if hasattr(graph, "detach") or isinstance(graph, np.ndarray):
        array = numpy_of(graph)
        if array.shape == (2, 2) or array.ndim != 2 or 2 not in array.shape:
            raise DataError(f"graph: an array of shape {array.shape} may mean several things; give a sparse matrix")
        source, target = (array[0], array[1]) if array.shape[0] == 2 else (array[:, 0], array[:, 1])
        return source, target, None, None
    if isinstance(graph, (list, tuple)) and all(isinstance(e, (list, tuple)) and len(e) in (2, 3) for e in graph):
        weight = np.array(_column(graph, 2), np.float32) if graph and len(graph[0]) == 3 else None
        return _column(graph, 0), _column(graph, 1), weight, None
    raise DataError(
        f"graph: found {type(graph).__module__}.{type(graph).__qualname__}; expected a sparse matrix, an edge list "
        "(pairs, a frame with the columns source and target), or a graph of networkx, igraph, PyG, DGL or AnnData"
    )


def _column(edges: Any, i: int) -> list[Any]:
    return [e[i] for e in edges]


def _frame_edges(frame: Any) -> Edges:
    names = [str(c).lower() for c in frame.columns]
    if len(names) < 2:
        raise DataError(f"graph: expected the columns source and target, found {names}")
    by_name = "source" in names and "target" in names
    first, second = (names.index("source"), names.index("target")) if by_name else (0, 1)
    third = names.index("weight") if "weight" in names else None
    columns = list(frame.columns)
    weight = None if third is None else np.asarray(frame[columns[third]], dtype=np.float32)
    return list(frame[columns[first]]), list(frame[columns[second]]), weight, None


def _within(graph: Any, ids: list[Any] | None) -> Any:
    """The edges between nodes that are there."""
    if ids is None or as_matrix(graph) is not None:
        return graph
    source, target, weight, _ = edge_list(graph)
    there = set(ids)
    kept = [i for i, (a, b) in enumerate(zip(source, target)) if a in there and b in there]
    pairs = list(zip(source, target))
    if weight is None:
        return [pairs[i] for i in kept]
    return [(*pairs[i], weight[i]) for i in kept]


def positions(names: Iterable[Any], nodes: int, ids: list[Any] | None) -> npt.NDArray[np.int64]:
    """Rows of the nodes so called; without ids names are the rows."""
    if ids is None:
        array = np.asarray(names)
        if array.size and array.dtype.kind not in "iu":
            raise DataError(f"graph: the edges name nodes like {str(array[0])!r}, and X has no ids; give it an index, or use "
                            f"the numbers 0 to {nodes - 1}")
        if array.size and not 0 <= array.min() <= array.max() < nodes:
            raise DataError(f"graph: expected numbers of nodes from 0 to {nodes - 1}, found {array.min()} to {array.max()}")
        return array.astype(np.int64)
    row = {name: i for i, name in enumerate(ids)}
    if len(row) < len(ids):
        raise DataError("ids: some occur twice; edges cannot tell their nodes apart")
    out = []
    for number, name in enumerate(names):
        if name not in row:
            raise DataError(f"graph: edge {number} names {name!r}, which is not the id of a node; ids are like {ids[0]!r}")
        out.append(row[name])
    return np.array(out, np.int64)


def _matrix_of(row: Any, col: Any, weight: Any, shape: tuple[int, int]) -> Any:
    values = np.ones(len(row), np.float32) if weight is None else weight
    matrix = sparse.csr_array((values, (row, col)), shape=shape, dtype=np.float32)
    return _checked(matrix, shape)


def numpy_of(tensor: Any) -> Any:
    return np.asarray(tensor.detach().cpu() if hasattr(tensor, "detach") else tensor)
