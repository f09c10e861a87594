"""What the tests share: a small graph in memory, and the command line."""
import json
import os
import subprocess

import numpy as np
import pytest
from scipy import sparse

import scrl


class Small:
    """60 nodes in three classes with ids, sparse features and edges mostly inside the classes."""

    def __init__(self, seed=0):
        random = np.random.default_rng(seed)
        self.n, self.classes = 60, 3
        self.numbers = np.arange(self.n) % self.classes
        words = random.random((self.n, 24)) < 0.15
        for c in range(self.classes):
            words[self.numbers == c, 8 * c:8 * c + 8] |= random.random((20, 8)) < 0.4
        self.X = sparse.csr_array(words.astype(np.float32))
        same = self.numbers[:, None] == self.numbers[None, :]
        upper = np.triu(random.random((self.n, self.n)) < np.where(same, 0.12, 0.01), 1)
        self.A = sparse.csr_array((upper | upper.T).astype(np.float32))
        self.names = np.array(["ash", "birch", "cedar"])[self.numbers]
        self.ids = [f"node {i}" for i in range(self.n)]
        self.known = np.sort(random.permutation(self.n)[:36])
        self.val = self.known[::4]
        self.y = np.full(self.n, None, dtype=object)
        self.y[self.known] = self.names[self.known]
        self.hidden = np.setdiff1d(np.arange(self.n), self.known)
        self.source, self.target = np.nonzero(upper)


@pytest.fixture(scope="session")
def small():
    return Small()


@pytest.fixture
def program(tmp_path):
    """The command line: program('train', folder, ...) returns what it prints with --json."""

    def call(*args):
        command = [os.environ["SCRL"], *map(str, args), "--json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True,
                              env=dict(os.environ, SCRL_CACHE="off"))
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return json.loads(done.stdout)

    return call


@pytest.fixture
def quick():
    """Small models that train in milliseconds."""
    return scrl.SCRLClassifier(epochs=40, hidden1=32, hidden2=16, k=5)
