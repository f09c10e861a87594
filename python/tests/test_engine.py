"""The same bits as the command line, in every method; state that can be stored, sent and used by threads."""
import multiprocessing
import os
import pickle
import threading

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import scrl
from scrl import _core
from scrl._methods import METHODS, parameter

NAMES = [info["name"] for info in _core.methods()]
SHORT = {"epochs": 3, "hidden1": 16, "hidden2": 8, "hidden": 8, "samples": 1000}


def short(method):
    """Settings that make a method quick, of those it has."""
    settings = {k: v for k, v in SHORT.items() if k in METHODS[method].defaults}
    return {"members": "scrl,appnp,mlp"} if method == "auto" else settings


@pytest.fixture(scope="module")
def folder(small, tmp_path_factory):
    """The graph as files, with the labels that are seen."""
    train = np.setdiff1d(small.known, small.val)
    return scrl.save_dataset(tmp_path_factory.mktemp("data") / "small", small.X, small.y, graph=small.A,
                             train=train, val=small.val)


@pytest.mark.parametrize("method", NAMES)
def test_every_method_gives_the_bits_of_the_command_line(method, small, folder, program):
    options = [word for key, value in short(method).items() for word in ("--set", f"{key}={value}")]
    expected = program("train", folder, "--no-output", "-m", method, "--seed", 3, *options)["result_hash"]
    estimator = METHODS[method](random_state=3, **{parameter(k): v for k, v in short(method).items()})
    assert estimator.fit(small.X, small.y, graph=small.A, val=small.val).result_hash_ == expected


def test_drawn_splits_are_those_of_the_command_line(small, program, tmp_path):
    folder = scrl.save_dataset(tmp_path / "data", small.X, small.y, graph=small.A)
    expected = program("train", folder, "--no-output", "-m", "gcn", "--test-share", 0, "--epochs", 5)["result_hash"]
    assert scrl.GCNClassifier(epochs=5).fit(small.X, small.y, graph=small.A).result_hash_ == expected


def test_results_do_not_depend_on_threads(small):
    hashes = {scrl.SCRLClassifier(epochs=5, n_jobs=n).fit(small.X, small.y, graph=small.A).result_hash_
              for n in (None, 1, 2, 3, -1)}
    assert len(hashes) == 1


def test_seeds(small, quick):
    def fitted(seed):
        return clone(quick).set_params(random_state=seed).fit(small.X, small.y, graph=small.A).result_hash_

    assert fitted(1) == fitted(1) != fitted(2)
    assert fitted(np.random.RandomState(5)) == fitted(np.random.RandomState(5))


def test_pickle_joblib_and_clone(small, quick, tmp_path):
    quick.fit(small.X, small.y, graph=small.A)
    joblib.dump(quick, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(quick)), joblib.load(tmp_path / "model.joblib")):
        assert np.array_equal(copy.predict_proba(small.X), quick.predict_proba(small.X))
        assert np.array_equal(copy.transduction_, quick.transduction_)
        assert copy.result_hash_ == quick.result_hash_
    assert not hasattr(clone(quick), "classes_")


def test_a_damaged_model_is_refused(small, quick):
    quick.fit(small.X, small.y, graph=small.A)
    data = bytearray(quick._trained.model.to_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(scrl.ModelFileError):
        _core.Model.from_bytes(bytes(data))


def in_child(estimator, X, y, A, pipe):
    same = np.array_equal(estimator.predict_proba(X), estimator.fit(X, y, graph=A).predict_proba(X))
    pipe.send((same, estimator.result_hash_))


def test_fork_after_fit(small, quick):
    quick.fit(small.X, small.y, graph=small.A)
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=in_child, args=(quick, small.X, small.y, small.A, there))
    child.start()
    assert here.poll(60), "the forked child hangs"
    assert here.recv() == (True, quick.result_hash_)
    child.join(10)


def test_two_threads_train_at_once(small):
    def train(seed, out):
        out[seed] = scrl.SCRLClassifier(epochs=40, random_state=seed).fit(small.X, small.y, graph=small.A).result_hash_

    one_by_one, together = {}, {}
    for seed in (1, 2):
        train(seed, one_by_one)
    threads = [threading.Thread(target=train, args=(seed, together)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == one_by_one


def test_python_runs_while_the_engine_trains(small):
    beats = []
    done = threading.Event()

    def beat():
        while not done.wait(0.001):
            beats.append(1)

    thread = threading.Thread(target=beat)
    thread.start()
    scrl.SCRLClassifier(epochs=100, patience=0).fit(small.X, small.y, graph=small.A)
    done.set()
    thread.join()
    assert len(beats) >= 20


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_a_hundred_trainings_leave_no_memory_behind(small):
    estimator = scrl.SCRLClassifier(epochs=2, hidden1=64, hidden2=32)
    for _ in range(20):
        estimator.fit(small.X, small.y, graph=small.A)
    before = resident()
    for _ in range(100):
        estimator.fit(small.X, small.y, graph=small.A)
    assert resident() - before < 2, "MB"




def test_progress_stops_and_errors_pass_through(small):
    seen = []

    def stop_at_five(epoch):
        seen.append(epoch)
        return epoch["epoch"] == 5

    fitted = scrl.SCRLClassifier(epochs=50, patience=0).fit(small.X, small.y, graph=small.A, callback=stop_at_five)
    assert [e["epoch"] for e in seen] == [1, 2, 3, 4, 5] == fitted.history_["epoch"].tolist()
    assert fitted.best_epoch_ <= 5 and seen[0]["epochs"] == 50
    assert np.isfinite(fitted.history_["loss"]).all()

    class Mine(Exception):
        pass

    def fail(epoch):
        raise Mine("no more")

    for _ in range(3):
        with pytest.raises(Mine, match="no more"):
            scrl.GCNClassifier(epochs=50).fit(small.X, small.y, graph=small.A, callback=fail)


def test_errors_have_the_texts_of_the_engine(small):
    with pytest.raises(scrl.UsageError, match="lr: expected a number above 0, got '-1'"):
        scrl.GCNClassifier(lr=-1).fit(small.X, small.y, graph=small.A)
    with pytest.raises(TypeError, match="GCNClassifier has no parameter 'learning_rate'; it has"):
        scrl.GCNClassifier(learning_rate=1)
    assert issubclass(scrl.UsageError, ValueError) and issubclass(scrl.DataError, ValueError)
