"""scikit-learn's contract: its own checks without an exception, and what people build from estimators."""
import os

import numpy as np
import pandas
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted

import scrl
from scrl._methods import METHODS
from scrl.model_selection import cross_validate_nodes

OWN_NODES_ALONE = ["demo-net", "correct-smooth"]

# Every method as it comes takes minutes: SCRL_CHECKS=all. Without it the slow ones are made quicker.
QUICKER = {
    "auto": {"members": "mlp,knn-gcn"}, "scrl-paper": {"hidden1": 64, "hidden2": 32}, "line": {"samples": 20000, "dim": 16},
    "amgcn": {"hidden1": 32, "hidden2": 16}, "deepwalk": {"epochs": 1, "dim": 16}, "dgi": {"epochs": 20, "hidden1": 32},
    "gat": {"epochs": 200}, "h2gcn": {"epochs": 100}, "grace": {"epochs": 5, "hidden2": 16},
}
if os.environ.get("SCRL_CHECKS") == "all":
    QUICKER = {}


@parametrize_with_checks([cls(**QUICKER.get(name, {})) for name, cls in METHODS.items()])
def test_contract(estimator, check):
    check(estimator)


def test_an_estimator_is_fitted_after_fit_alone():
    for cls in METHODS.values():
        with pytest.raises(NotFittedError):
            check_is_fitted(cls())


def test_every_method_has_an_estimator():
    from scrl import _core

    for info in _core.methods():
        cls = METHODS[info["name"]]
        assert cls.method == info["name"] and getattr(scrl, cls.__name__) is cls
        assert repr(cls()) == f"{cls.__name__}()"
        assert hasattr(cls, "predict") == (info["labels"] and info["name"] not in OWN_NODES_ALONE)


def test_methods_that_know_their_own_nodes_alone_promise_no_more(small):
    for name in OWN_NODES_ALONE:
        estimator = METHODS[name](epochs=5)
        assert not is_classifier(estimator) and not hasattr(estimator, "transform")
        assert np.array_equal(estimator.fit_predict(small.X, small.y, graph=small.A), estimator.transduction_)
        assert estimator.to_frame().shape == (small.n, 1 + small.classes)


def test_pipeline_and_grid_search_on_a_table():
    X, y = make_blobs(150, centers=3, n_features=8, cluster_std=3.0, random_state=0)
    search = GridSearchCV(make_pipeline(StandardScaler(), scrl.SCRLClassifier(epochs=40)),
                          {"scrlclassifier__k": [3, 9]}, cv=3, n_jobs=2)
    assert search.fit(X, y).best_score_ > 0.9


def test_embeddings_in_a_pipeline():
    X, y = make_blobs(200, centers=4, n_features=8, random_state=0)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    model = make_pipeline(scrl.GRACE(epochs=20, hidden2=16), LogisticRegression(max_iter=1000)).fit(train, y_train)
    assert model.score(test, y_test) > 0.9


def test_set_output_names_the_columns_of_an_embedding(small, quick):
    quick.set_output(transform="pandas").fit(small.X.toarray(), small.y, graph=small.A)
    frame = quick.transform(small.X.toarray())
    assert list(frame.columns[:2]) == ["scrlclassifier0", "scrlclassifier1"]
    assert quick.transform().shape == (small.n, frame.shape[1]) == quick.embedding_.shape


def test_a_new_node_is_predicted_by_itself(small, quick):
    quick.fit(small.X, small.y, graph=small.A)
    whole = quick.predict_proba(small.X, graph=small.A)
    parts = np.concatenate([quick.predict_proba(small.X[[i]], graph=small.A[[i]]) for i in range(small.n)])
    assert np.array_equal(whole, parts)
    order = np.random.default_rng(0).permutation(small.n)
    assert np.array_equal(quick.predict_proba(small.X[order], graph=small.A[order]), whole[order])
    assert (quick.predict(small.X, graph=small.A) == small.names).mean() > 0.8


def test_cross_validation_hides_labels_not_rows(small, quick):
    scores = cross_validate_nodes(quick, small.X, small.names, graph=small.A, cv=3,
                                  scoring={"f1": lambda a, b: f1_score(a, b, average="macro")})
    assert scores["test_f1"].shape == (3,) and (scores["test_f1"] > 0.6).all()
    some = cross_validate_nodes(quick, small.X, small.y, graph=small.A, cv=3)
    assert some["test_accuracy"].shape == (3,)


def test_row_slicing_of_a_graph_is_answered_with_what_to_do(small, quick):
    with pytest.raises(ValueError, match="cross_validate_nodes"):
        cross_val_score(quick, small.X, small.names, params={"graph": small.A}, cv=3, error_score="raise")


def test_a_graph_with_ids_survives_cross_validation(small, quick):
    X = pandas.DataFrame(small.X.toarray(), index=small.ids)
    edges = scrl.Graph([(small.ids[a], small.ids[b]) for a, b in zip(small.source, small.target)])
    assert cross_val_score(quick, X, small.names, params={"graph": edges}, cv=3).shape == (3,)


def test_labels_are_optional_where_the_method_learns_without_them(small):
    alone = scrl.DeepWalk(epochs=1).fit(small.X, graph=small.A)
    assert not hasattr(alone, "classes_")
    graph_only = scrl.DeepWalk(epochs=1).fit(None, graph=small.A)
    assert np.array_equal(alone.embedding_, graph_only.embedding_)
    labelled = scrl.DeepWalk(epochs=1).fit(small.X, small.y, graph=small.A)
    assert np.array_equal(alone.embedding_, labelled.embedding_)
    assert set(labelled.transduction_) <= set(small.names)


def test_new_nodes_see_each_other_if_asked_to(small, quick):
    known, new = small.known, small.hidden
    frame = pandas.DataFrame(small.X.toarray(), index=small.ids)
    pairs = [(small.ids[a], small.ids[b]) for a, b in zip(small.source, small.target)]
    quick.fit(frame.iloc[known], small.names[known], graph=scrl.Graph(pairs))
    alone = quick.predict_proba(frame.iloc[new], graph=pairs)
    joint = quick.predict_proba(frame.iloc[new], graph=pairs, joint=True)
    matrix = small.A[new][:, np.concatenate([known, new])]
    assert np.array_equal(joint, quick.predict_proba(frame.iloc[new], graph=matrix, joint=True))
    assert np.array_equal(alone, quick.predict_proba(frame.iloc[new], graph=small.A[new][:, known]))
    lonely = np.asarray(small.A[new][:, new].sum(1)).ravel() == 0
    assert lonely.any() and np.array_equal(alone[lonely], joint[lonely])
    assert not np.array_equal(alone, joint)
    assert quick.predict(frame.iloc[new], graph=pairs, joint=True).shape == new.shape
    assert quick.transform(frame.iloc[new], graph=pairs, joint=True).shape[0] == len(new)
    with pytest.raises(scrl.DataError, match="expected a matrix of 24 x 60, found 24 x 36"):
        quick.predict(frame.iloc[new], graph=small.A[new][:, known], joint=True)
