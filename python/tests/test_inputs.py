"""Every way to hold a graph gives the same training, and ids come back as they came."""
import sys
import types

import anndata
import igraph
import networkx
import numpy as np
import pandas
import polars
import pytest
from scipy import sparse

import scrl


def result(estimator, *args, **kwargs):
    return estimator.fit(*args, **kwargs).result_hash_


@pytest.fixture(scope="module")
def expected(small):
    return scrl.SCRLClassifier(epochs=40, hidden1=32, hidden2=16, k=5).fit(small.X, small.y, graph=small.A).result_hash_


@pytest.mark.parametrize("make", [
    lambda X: X, lambda X: sparse.csr_matrix(X), lambda X: X.tocsc(), lambda X: X.tocoo(), lambda X: X.tolil(),
    lambda X: X.todok(), lambda X: X.toarray(), lambda X: X.toarray().tolist(), lambda X: X.astype(np.float64),
    lambda X: X.toarray().astype(bool), lambda X: np.asfortranarray(X.toarray()), lambda X: polars.DataFrame(X.toarray()),
    lambda X: pandas.DataFrame(X.toarray()), lambda X: pandas.DataFrame.sparse.from_spmatrix(X),
])
def test_features_of_any_type_give_the_same_bits(small, quick, expected, make):
    assert result(quick, make(small.X), small.y, graph=small.A) == expected


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_indices_of_both_widths(small, quick, expected, width):
    X = sparse.csr_array((small.X.data, small.X.indices.astype(width), small.X.indptr.astype(width)), small.X.shape)
    assert X.indices.dtype == width
    assert result(quick, X, small.y, graph=small.A) == expected


def test_unsorted_and_repeated_entries_are_put_in_order_in_a_copy(small, quick, expected):
    X = small.X.copy()
    for i in range(small.n):
        part = slice(X.indptr[i], X.indptr[i + 1])
        X.indices[part] = X.indices[part][::-1].copy()
    X.has_sorted_indices = False
    before = X.indices.copy()
    assert result(quick, X, small.y, graph=small.A) == expected
    assert (X.indices == before).all()


@pytest.mark.parametrize("make", [
    lambda s: s.A, lambda s: s.A.tocoo(), lambda s: s.A.toarray(), lambda s: sparse.triu(s.A).tocsc(),
    lambda s: np.stack([s.source, s.target]), lambda s: np.stack([s.source, s.target], axis=1),
    lambda s: list(zip(s.source.tolist(), s.target.tolist())),
    lambda s: pandas.DataFrame({"target": s.target, "source": s.source}),
    lambda s: polars.DataFrame({"a": s.source, "b": s.target}),
    lambda s: networkx.from_scipy_sparse_array(s.A),
    lambda s: igraph.Graph(n=s.n, edges=list(zip(s.source.tolist(), s.target.tolist()))),
    lambda s: scrl.Graph(s.A),
    lambda s: types.SimpleNamespace(edge_index=np.stack([s.source, s.target])),
])
def test_graphs_of_any_type_give_the_same_bits(small, quick, expected, make):
    assert result(quick, small.X, small.y, graph=make(small)) == expected


def test_nothing_is_imported_for_the_caller(small, quick):
    for name in ("torch", "torch_geometric", "dgl"):
        assert name not in sys.modules
    quick.fit(small.X, small.y, graph=small.A)
    for name in ("torch", "torch_geometric", "dgl"):
        assert name not in sys.modules


def test_ids_of_a_frame_name_the_ends_of_edges_and_come_back(small, quick, expected):
    X = pandas.DataFrame(small.X.toarray(), index=small.ids)
    edges = pandas.DataFrame({"source": [small.ids[i] for i in small.source],
                              "target": [small.ids[i] for i in small.target]})
    some = pandas.Series({small.ids[i]: small.names[i] for i in small.known[::-1]})
    for y in (some, dict(some), some.rename_axis("id").reset_index(name="label"), small.y.tolist()):
        assert result(quick, X, y, graph=edges) == expected
    assert list(quick.node_ids_) == small.ids
    frame = quick.to_frame()
    assert list(frame.index) == small.ids and list(frame["label"]) == list(quick.predict())


def test_ids_keep_their_type(small, quick):
    X = pandas.DataFrame(small.X.toarray(), index=[10 * i for i in range(small.n)])
    edges = [(10 * a, 10 * b) for a, b in zip(small.source.tolist(), small.target.tolist())]
    quick.fit(X, small.y, graph=edges)
    assert quick.node_ids_[1] == 10 and isinstance(quick.node_ids_[1], int)


def test_polars_ids_are_a_column(small, quick, expected):
    X = polars.DataFrame(small.X.toarray()).with_columns(polars.Series("id", small.ids))
    edges = polars.DataFrame({"source": [small.ids[i] for i in small.source], "target": [small.ids[i] for i in small.target]})
    assert result(quick, X, small.y, graph=edges) == expected


def test_categories_become_one_column_per_value(small, quick):
    X = pandas.DataFrame({"size": np.arange(60.0), "city": ["rome", "oslo", None] * 20,
                          "kind": pandas.Categorical(["a", "b"] * 30), "new": [True, False] * 30})
    quick.fit(X, small.y, graph=small.A)
    assert quick._trained.rows.shape == (60, 1 + 2 + 2 + 1)
    assert quick.n_features_in_ == 4 and list(quick.feature_names_in_) == list(X.columns)
    row = quick._trained.rows.toarray()
    assert row[1].tolist() == [1, 1, 0, 0, 1, 0] and row[2].tolist() == [2, 0, 0, 1, 0, 1]
    other = polars.DataFrame({"size": np.arange(60.0), "city": ["rome", "oslo", None] * 20, "kind": ["a", "b"] * 30,
                              "new": [True, False] * 30})
    assert np.array_equal(quick.predict_proba(other), quick.predict_proba(X))


@pytest.mark.parametrize("column, message", [
    ([f"text {i}" for i in range(200)], "column 'c': found 200 different texts in 200 rows. If they are categories"),
    (pandas.date_range("2020", periods=200), "column 'c': found dates"),
    ([1.0, None] * 100, "column 'c': 100 of 200 values are NaN or infinity"),
    ([[1]] * 200, "column 'c': expected numbers or texts, found list"),
])
def test_columns_that_are_no_features_are_refused_with_advice(quick, column, message):
    X = pandas.DataFrame({"c": column, "d": ["x", "y"] * 100})
    with pytest.raises(scrl.DataError, match=message):
        quick.fit(X, np.arange(200) % 2)


@pytest.mark.parametrize("graph, message", [
    (sparse.eye_array(59, format="csr"), "expected a matrix of 60 x 60, found 59 x 59.*cross_validate_nodes"),
    ([(0, 60), (0, 1)], "expected numbers of nodes from 0 to 59, found 1 to 60"),
    ([("a", "b")], "the edges name nodes like 'a', and X has no ids"),
    (np.ones((2, 2), int), "may mean several things"),
    (sparse.csr_array(([np.nan], ([0], [1])), shape=(60, 60)), "found a weight that is NaN"),
    ("edges.csv", "found builtins.str; expected a sparse matrix, an edge list"),
    (networkx.path_graph(7), "it has 7 nodes and X has 60 rows"),
])
def test_graphs_that_do_not_fit_are_refused(small, quick, graph, message):
    with pytest.raises(scrl.DataError, match=message):
        quick.fit(small.X, small.y, graph=graph)


def test_unknown_ids_are_named(small, quick):
    X = pandas.DataFrame(small.X.toarray(), index=small.ids)
    with pytest.raises(scrl.DataError, match="edge 1 names 'zoe', which is not the id of a node; ids are like 'node 0'"):
        quick.fit(X, small.y, graph=[("node 0", "node 1"), ("node 2", "zoe")])
    with pytest.raises(scrl.DataError, match="y: 'zoe' is not the id of a node"):
        quick.fit(X, {"zoe": "ash", "node 1": "birch"}, graph=small.A)


class Data:
    """As torch_geometric.data.Data has it."""

    def __init__(self, small):
        self.x = small.X.toarray()
        self.edge_index = np.concatenate([np.stack([small.source, small.target]), np.stack([small.target, small.source])], 1)
        self.y = small.numbers.reshape(-1, 1)
        self.train_mask, self.val_mask = np.zeros(small.n, bool), np.zeros(small.n, bool)
        self.train_mask[small.known], self.val_mask[small.val] = True, True
        self.train_mask[small.val] = False


def test_data_of_pyg_hides_the_labels_outside_its_masks(small, quick):
    data = Data(small)
    quick.fit(data)
    mask = np.zeros(small.n, bool)
    mask[small.val] = True
    numbers = np.where(np.isin(np.arange(small.n), small.known), small.numbers, -1)
    other = scrl.SCRLClassifier(**quick.get_params())
    assert result(other, small.X, numbers, graph=small.A, val=mask) == quick.result_hash_
    data.y[small.hidden] = 0  # test labels are not looked at
    assert result(quick, data) == other.result_hash_


@pytest.fixture
def cells(small):
    """An AnnData as scanpy leaves it: labels in obs, neighbours in obsp."""
    obs = pandas.DataFrame({"kind": small.y, "batch": "one"}, index=small.ids)
    return anndata.AnnData(sparse.csr_matrix(small.X), obs=obs, obsp={"connectivities": sparse.csr_matrix(small.A)})


def test_anndata_has_labels_in_obs_and_edges_in_obsp(small, quick, expected, cells):
    assert result(quick, cells, "kind") == expected
    assert list(quick.node_ids_) == small.ids and list(quick.to_frame().index) == small.ids
    assert result(quick, cells, small.y, graph=small.A) == expected
    assert result(quick, small.X, small.y, graph=cells) == expected
    assert result(quick, cells, cells.obs["kind"].iloc[::-1]) == expected, "labels go by the names of cells"
    some = cells[small.hidden].copy()
    probabilities = quick.predict_proba(some.X, graph=small.A[small.hidden])
    assert np.array_equal(quick.predict_proba(some, graph=small.A[small.hidden]), probabilities)
    with pytest.raises(scrl.DataError, match=r"no obs\['type'\]; it has kind, batch"):
        quick.fit(cells, "type")
    del cells.obsp["connectivities"]
    with pytest.raises(scrl.DataError, match="no obsp.*scanpy.pp.neighbors"):
        quick.fit(small.X, small.y, graph=cells)


class DGLGraph:
    """As dgl.DGLGraph has it. A wheel of DGL for every Python that is tested is not to be had."""

    def __init__(self, small):
        mask = np.zeros(small.n, bool)
        mask[small.val] = True
        train = np.isin(np.arange(small.n), small.known) & ~mask
        self.ends = np.concatenate([small.source, small.target]), np.concatenate([small.target, small.source])
        self.ndata = {"feat": small.X.toarray(), "label": small.numbers, "train_mask": train, "val_mask": mask}

    def edges(self):
        return self.ends


DGLGraph.__module__ = "dgl.heterograph"


def test_a_graph_of_dgl_hides_the_labels_outside_its_masks(small, quick):
    numbers = np.where(np.isin(np.arange(small.n), small.known), small.numbers, -1)
    wanted = result(quick, small.X, numbers, graph=small.A, val=small.val)
    graph = DGLGraph(small)
    assert result(quick, graph) == wanted
    assert result(quick, small.X, numbers, graph=graph, val=small.val) == wanted
    graph.ndata["label"] = np.where(numbers < 0, 0, numbers)  # test labels are not looked at
    assert result(quick, graph) == wanted
    del graph.ndata["feat"]
    with pytest.raises(scrl.DataError, match=r"no ndata\['feat'\]"):
        quick.fit(graph)


def test_labels_of_every_kind(small, quick):
    known = np.isin(np.arange(small.n), small.known)
    numbers = np.where(known, small.numbers, -1)
    floats = np.where(known, small.numbers, np.nan)
    hashes = {result(quick, small.X, y, graph=small.A)
              for y in (numbers, floats, numbers.tolist(), [None if v < 0 else int(v) for v in numbers],
                        pandas.array([None if v < 0 else int(v) for v in numbers], dtype="Int64"),
                        pandas.Series(pandas.Categorical(small.y)), polars.Series(small.y.tolist()))}
    assert len(hashes) == 1
    assert quick.fit(small.X, floats, graph=small.A).classes_.dtype == np.float64
    assert quick.fit(small.X, numbers, graph=small.A).predict().dtype == numbers.dtype


@pytest.mark.parametrize("y, message", [
    (np.full(60, -1), "no node has a label"),
    (np.zeros(60, int), "found one class among the labels"),
    (np.zeros(59, int), "found 59 labels for 60 nodes"),
    (np.full(60, np.inf), "found infinity"),
    ([1, "a"] * 30, "labels of different types"),
])
def test_labels_that_do_not_fit_are_refused(small, quick, y, message):
    with pytest.raises(ValueError, match=message):
        quick.fit(small.X, y, graph=small.A)


def test_minus_one_and_one_alone_are_two_classes(small, quick):
    with pytest.warns(UserWarning, match="both are classes"):
        quick.fit(small.X, np.where(small.numbers == 0, -1, 1), graph=small.A)
    assert quick.classes_.tolist() == [-1, 1]
