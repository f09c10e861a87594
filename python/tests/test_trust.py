"""What follows a training: the same answers as the command line, in the caller's ids and classes."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest

import scrl


@pytest.fixture(scope="module")
def demo():
    return scrl.load_dataset("demo")


@pytest.fixture(scope="module")
def fitted(demo):
    clf = scrl.GCNClassifier(epochs=30, conformal_share=0.5)
    known = np.concatenate([demo.train, demo.val])
    return clf.fit(demo.X, demo.y, graph=demo.graph, train=demo.train, val=demo.val), known


@pytest.fixture(scope="module")
def files(demo, tmp_path_factory):
    """The same data for the command line; ids are the numbers of the nodes."""
    return scrl.save_dataset(tmp_path_factory.mktemp("trust") / "data", demo.X, demo.y, graph=demo.graph,
                             train=demo.train, val=demo.val, test=demo.test)


@pytest.fixture(scope="module")
def run(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trust") / "run"
    call("train", files, "-m", "gcn", "--set", "epochs=30", "--conformal-share", "0.5", "-o", folder, "-q")
    return folder


def call(*args):
    done = subprocess.run([os.environ["SCRL"], *map(str, args)], capture_output=True, text=True,
                          env=dict(os.environ, SCRL_CACHE="off"))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sets_are_those_of_the_command_line(fitted, run, demo):
    sets = fitted[0].predict_set(0.1)
    lines = list(csv.DictReader(call("predict", run, "--coverage", "0.9").splitlines()))
    assert ["|".join(s) for s in sets.sets] == [line["set"] for line in lines]
    assert sets.guaranteed and "0.9" in sets.statement
    assert sets.mask.shape == (len(demo.y), 6) and sets.mask.sum() == sum(map(len, sets.sets))
    test = np.isin(np.arange(len(demo.y)), demo.test)
    assert 0.85 < np.mean([demo.y[i] in sets.sets[i] for i in np.flatnonzero(test)]) <= 1
    assert all(len(s) for s in fitted[0].predict_set(0.1, nonempty=True).sets)


def test_sets_need_labels_and_a_share(fitted, demo):
    with pytest.raises(scrl.UsageError, match="alpha: expected a number between 0 and 1, found 2"):
        fitted[0].predict_set(2)
    few = scrl.MLPClassifier(epochs=2).fit(demo.X, demo.y, graph=demo.graph, train=demo.train, val=demo.val[:5])
    with pytest.raises(scrl.UsageError, match="labels"):
        few.predict_set(0.01)


def test_query_names_nodes_that_nobody_labelled(fitted, demo, files, small):
    frame = fitted[0].query(5)
    assert list(frame.columns) == ["id", "gain", "represents", "doubt", "reason"] and len(frame) == 5
    assert not set(frame.id) & set(fitted[1])
    asked = scrl.query(demo.X, graph=demo.graph, n=3)
    lines = list(csv.DictReader(call("query", files, "--no-labels", "-n", "3", "-o", "-", "-q").splitlines()))
    assert [str(i) for i in asked.id] == [line["id"] for line in lines]
    named = scrl.query(small.X, dict(enumerate(small.names[:9])), graph=list(zip(small.source, small.target)), n=4)
    assert len(named) == 4


def test_explain_speaks_of_the_callers_ids_and_classes(fitted, run, demo):
    why = fitted[0].explain(7, top=3)
    there = json.loads(call("explain", run, "7", "--json", "--top", "3"))
    assert why["id"] == 7 and why["probabilities"] == there["probabilities"]
    assert [str(e["id"]) for e in why["effects"]["edge"]] == [e["id"] for e in there["effects"]["edge"]]
    assert [e["effect"] for e in why["effects"]["feature"]] == [e["effect"] for e in there["effects"]["feature"]]
    with pytest.raises(scrl.DataError, match="explain: 'nobody' is not the id of a node; ids are like 0"):
        fitted[0].explain("nobody")


def test_explain_with_a_table(small):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(small.X.toarray(), columns=[f"word {i}" for i in range(24)], index=small.ids)
    clf = scrl.SCRLClassifier(epochs=10, hidden1=16, hidden2=8, k=5).fit(table, small.y)
    why = clf.explain("node 3")
    assert why["effects"]["feature"][0]["name"].startswith("word ")
    assert {e["id"] for e in why["effects"]["similar"]} <= set(small.ids)
    assert set(why["probabilities"]) == {"ash", "birch", "cedar"} and why["prototypes"][0]["nearest"] in small.names


def test_suspects_are_those_of_the_command_line(demo, files):
    frame = scrl.suspects(demo.X, demo.y, graph=demo.graph)
    lines = list(csv.DictReader(call("suspects", files, "-o", "-", "-q").splitlines()))
    top = frame.head(len(lines))
    assert [str(i) for i in top.id] == [line["id"] for line in lines]
    assert list(top.label) == [line["label"] for line in lines]
    assert list(top.both_views) == [line["both_views"] == "yes" for line in lines]


def test_suspects_of_an_estimator_find_changed_labels(small):
    wrong = small.known[[1, 8, 15]]
    y = small.y.copy()
    y[wrong] = np.array(["ash", "birch", "cedar"])[(small.numbers[wrong] + 1) % 3]
    clf = scrl.MLPClassifier(epochs=2).fit(small.X, y, graph=small.A)
    frame = clf.suspects()
    assert len(frame) == len(small.known) and len(set(frame.id[:6]) & set(wrong)) >= 2


def test_label_free_methods_have_no_such_answers():
    assert not hasattr(scrl.DGI(), "predict_set")
