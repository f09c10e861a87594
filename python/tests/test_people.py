"""What people look at, and experiments on matrices: reports, plots, notebooks, progress, compare, tune, inspect."""
import re
import sys

import numpy as np
import pandas
import pytest

import scrl


@pytest.fixture
def fitted(small, quick):
    return quick.fit(small.X, small.y, graph=small.A, val=small.val)


def test_report_is_one_page_with_test_scores(small, fitted, tmp_path):
    page = fitted.report(tmp_path / "r.html", y=small.names).read_text()
    assert page.startswith("<!doctype html>") and "birch" in page and "Confusion" in page
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", page)
    assert (tmp_path / "r.html").stat().st_size > 10_000


@pytest.mark.parametrize("cls, kwargs", [(scrl.MLPClassifier, {}), (scrl.GCNClassifier, {"graph": None})])
def test_report_without_a_graph(small, tmp_path, cls, kwargs):
    numbers = np.where(np.isin(np.arange(small.n), small.known), small.numbers.astype(float), np.nan)
    fitted = cls(epochs=5).fit(small.X, numbers, **kwargs)
    assert fitted.report(tmp_path / "r.html").exists()


def test_plot_draws_every_node_by_class(small, fitted):
    axes = fitted.plot()
    assert sum(len(c.get_offsets()) for c in axes.collections) == small.n
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["ash", "birch", "cedar"]


def test_notebooks_show_scores(small, fitted, quick):
    assert fitted.result_hash_ in fitted._repr_html_() and "validation accuracy" in fitted._repr_html_()
    assert fitted.result_hash_ in fitted._repr_mimebundle_()["text/html"]
    assert "<table><tr><th>nodes" not in scrl.GCNClassifier()._repr_html_()


def test_progress_goes_to_stderr_and_only_if_asked_for(small, capfd):
    scrl.GCNClassifier(epochs=3).fit(small.X, small.y, graph=small.A)
    assert capfd.readouterr() == ("", "")
    scrl.GCNClassifier(epochs=3, verbose=True).fit(small.X, small.y, graph=small.A)
    out, err = capfd.readouterr()
    assert out == "" and "gcn" in err and "3/3" in err


def test_progress_without_tqdm(small, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    scrl.GCNClassifier(epochs=10, patience=0, verbose=True).fit(small.X, small.y, graph=small.A)
    assert "gcn epoch 10/10: loss" in capfd.readouterr().err


def test_data_sets_go_to_files_and_back(small, tmp_path):
    folder = scrl.save_dataset(tmp_path / "d", small.X, small.names, graph=small.A, ids=[f'a, "{i}"' for i in range(small.n)],
                               train=small.known[1::4], val=small.val, test=small.hidden)
    data = scrl.load_dataset(folder)
    assert data.ids[3] == 'a, "3"' and (data.X != small.X).nnz == 0 and (data.graph != small.A).nnz == 0
    assert data.y.tolist() == small.names.tolist()
    assert data.train.tolist() == small.known[1::4].tolist() and data.test.tolist() == small.hidden.tolist()
    assert "60 nodes, 24 features" in repr(data)


def test_compare_gives_a_frame(small):
    frame = scrl.compare(small.X, small.names, graph=small.A, methods=["gcn", "mlp"], seeds=2, settings={"epochs": 10})
    assert isinstance(frame, pandas.DataFrame) and sorted(frame["method"]) == ["gcn", "mlp"]
    assert frame["accuracy_mean"].between(20, 100).all() and (frame["seeds"] == 2).all()


def test_compare_goes_on_in_its_folder(small, tmp_path):
    data = scrl.save_dataset(tmp_path / "d", small.X, small.names, graph=small.A)
    call = dict(methods="gcn", seeds=1, settings={"epochs": 3}, out=tmp_path / "out")
    assert scrl.compare(data, **call).equals(scrl.compare(data, **call))
    assert (tmp_path / "out/results.csv").exists()


def test_tune_gives_parameters_of_the_estimator(small):
    found = scrl.tune(small.X, small.names, graph=small.A, method="gcn", budget=3, seeds=1, settings={"epochs": 5})
    assert 20 < found.val_accuracy <= 100 and len(found.trials) == 3
    assert scrl.GCNClassifier(**found.best_params).fit(small.X, small.y, graph=small.A).classes_.size == 3


def test_inspect_gives_facts(small):
    facts = scrl.inspect(small.X, small.y, graph=small.A)
    assert facts["nodes"] == 60 and facts["unlabelled"] == 24 and len(facts["classes"]) == 3
